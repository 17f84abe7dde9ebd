import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { desk, tool } from "./harness.js";

describe("a call of a tool", () => {
  it("replies with details, by id or exact name, and counts", async () => {
    const { value, session } = desk([tool("double", ({ n }) => ({ n: n * 2 }))]);
    expect(await value("callValue", "openclaw:demo:double", { n: 2 })).toEqual({ n: 4 });
    expect(await value("callValue", "double", { n: 3 })).toEqual({ n: 6 });
    expect(session.telemetry()).toMatchObject({ callCount: 2, failedCallCount: 0, catalogSize: 1 });
    expect(session.telemetry().counterScope).toMatch(/^[0-9a-f]{24}$/);
  });

  it("takes any JSON value to the tool and back unchanged", async () => {
    const { ask } = desk([tool("echo", ({ value }) => ({ value }))]);
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const reply = await ask("callValue", "echo", { value });
        expect(reply).toEqual({ ok: true, json: JSON.stringify({ value }) });
      }),
      { seed: 7, numRuns: 200 },
    );
    const proto = await ask("callValue", "echo", { value: JSON.parse('{"__proto__":{"x":1},"y":2}') });
    expect(proto).toEqual({ ok: true, json: '{"value":{"__proto__":{"x":1},"y":2}}' });
  });

  it("gives each call its own copy and every reply a fresh one", async () => {
    const seen: any[] = [];
    const { call } = desk([
      tool("keep", (input) => {
        input.list.push("changed");
        seen.push(input);
        return input;
      }),
    ]);
    expect(await call("keep", { list: [] })).toEqual({ list: ["changed"] });
    expect(await call("keep", { list: [] })).toEqual({ list: ["changed"] });
    expect(seen[0]).not.toBe(seen[1]);
  });

  describe("values that JSON changes or cannot carry", () => {
    const cycle: any = { a: 1 };
    cycle.self = cycle;
    const results: [string, () => unknown, unknown][] = [
      ["undefined", () => undefined, null],
      ["null", () => null, null],
      ["a string", () => '{"looks":"like json"}', '{"looks":"like json"}'],
      ["a function", () => () => 1, null],
      [
        "numbers JSON lacks",
        () => ({ v: [Number.NaN, -0, Number.NEGATIVE_INFINITY] }),
        { v: [null, 0, null] },
      ],
      ["a date", () => ({ at: new Date(0) }), { at: "1970-01-01T00:00:00.000Z" }],
      ["a map", () => ({ m: new Map([[1, 2]]) }), { m: {} }],
      ["an error", () => ({ e: Object.assign(new Error("x"), { code: "X" }) }), { e: { code: "X" } }],
      ["toJSON", () => ({ toJSON: () => ({ replaced: true }) }), { replaced: true }],
      ["holes", () => Object.assign([1], { 2: 3 }), [1, null, 3]],
    ];
    it.each(results)("%s", async (_name, make, expected) => {
      expect(await desk([tool("odd", make)]).call("odd")).toEqual(expected);
    });

    it.each<[string, () => unknown, RegExp]>([
      ["a bigint", () => ({ n: 10n }), /the result of odd cannot be sent as JSON: .*BigInt/],
      ["a cycle", () => cycle, /cannot be sent as JSON: .*circular/],
      [
        "a throwing getter",
        () => ({
          get a() {
            throw new Error("no");
          },
        }),
        /cannot be sent as JSON: no/,
      ],
      [
        "a throwing toJSON",
        () => ({
          toJSON: () => {
            throw new Error("hook");
          },
        }),
        /cannot be sent as JSON: hook/,
      ],
    ])("%s is a catchable failure of the call", async (_name, make, message) => {
      const failure = await desk([tool("odd", make)]).refused("odd");
      expect(failure).toMatchObject({ ok: false, code: "tool_error", effectStatus: "unknown" });
      expect(failure.message).toMatch(message);
      expect(failure.message).not.toContain("\n");
    });
  });

  it("falls back to the whole result when there is no details key", async () => {
    const content = [{ type: "text", text: "hello" }];
    const { call } = desk([
      tool("content_only", () => ({ content }), { raw: true }),
      tool("undefined_details", () => ({ content, details: undefined }), { raw: true }),
      tool("bare", () => ({ rows: 2 }), { raw: true }),
      tool("text", () => "plain", { raw: true }),
      tool("nothing", () => undefined, { raw: true }),
    ]);
    expect(await call("content_only")).toEqual({ content });
    expect(await call("undefined_details")).toBeNull();
    expect(await call("bare")).toEqual({ rows: 2 });
    expect(await call("text")).toBe("plain");
    expect(await call("nothing")).toBeNull();
  });

  it.each<[string, () => unknown]>([
    [
      "a proxy whose traps throw",
      () =>
        new Proxy(
          {},
          {
            getOwnPropertyDescriptor: () => {
              throw new Error("trap");
            },
          },
        ),
    ],
    [
      "a details getter that throws",
      () => ({
        get details() {
          throw new Error("trap");
        },
      }),
    ],
    [
      "a revoked proxy",
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      },
    ],
    [
      "a then that throws",
      () => ({
        get then() {
          throw new Error("trap");
        },
      }),
    ],
  ])("survives %s", async (_name, make) => {
    const failure = await desk([tool("hostile", make, { raw: true })]).refused("hostile");
    expect(failure).toMatchObject({ code: "tool_error", effectStatus: "unknown" });
  });

  describe("targets", () => {
    it("that do not exist are refused with near names; controls and servers' tools too", async () => {
      const { failure, session } = desk([tool("strict_mode", () => 1)]);
      const typo = await failure("callValue", "strict_mod", {});
      expect(typo).toMatchObject({ code: "invalid_input", effectStatus: "unknown" });
      expect(typo.message).toContain("strict_mode");
      for (const target of ["exec", "wait", "tool_search", "", 5, null, {}, ["strict_mode"]]) {
        expect(await failure("callValue", target, {})).toMatchObject({ code: "invalid_input" });
      }
      expect(session.telemetry().callCount).toBe(0);
    });

    it("a shell tool called exec is an ordinary tool", async () => {
      const { call, value } = desk([tool("exec", ({ command }) => ({ ran: command }), { owner: "core" })]);
      expect(await call("exec", { command: "ls" })).toEqual({ ran: "ls" });
      expect(await value("callValue", "openclaw:core:exec", { command: "pwd" })).toEqual({ ran: "pwd" });
    });
  });

  it("the older envelope holds the entry and the whole result", async () => {
    const { value } = desk([
      tool("pick", () => ({ picked: "f.txt" }), { source: "client", owner: "client", label: "Pick" }),
      tool("bare", () => 7, { raw: true }),
    ]);
    expect(await value("call", "client:client:pick", {})).toEqual({
      tool: {
        id: "client:client:pick",
        source: "client",
        sourceName: "client",
        name: "pick",
        label: "Pick",
        description: "The tool pick.",
        input: "unknown",
      },
      result: { content: [{ type: "text", text: "ok" }], details: { picked: "f.txt" } },
    });
    expect((await value("call", "bare", {})).result).toEqual({ content: [], details: 7 });
  });

  it("fails as soon as the run is dropped, also when the tool never settles or ignores its signal", async () => {
    let signal: AbortSignal | undefined;
    const { refused, abort, call } = desk([
      tool("hang", (_input, call) => {
        signal = call.signal;
        return new Promise(() => {});
      }),
    ]);
    const pending = refused("hang");
    await new Promise((resolve) => setTimeout(resolve, 20));
    abort.abort();
    const failure = await pending;
    expect(failure).toEqual({ ok: false, message: "the call was cancelled" });
    expect(signal?.aborted).toBe(true);
    await expect(call("hang")).rejects.toMatchObject({ message: "the call was cancelled" });
  });

  it("a malformed or unknown request is an error, never a crash", async () => {
    const { cell, failure } = desk([]);
    const signal = new AbortController().signal;
    for (const args of ["", "{", "{}", "null", "5"]) {
      const reply = await cell.handle({ id: "x", method: "callValue", args }, signal);
      expect(reply).toMatchObject({ ok: false, code: "invalid_input" });
    }
    for (const method of ["nope", "__proto__", "constructor", "toString"]) {
      expect(await failure(method)).toMatchObject({ code: "invalid_input" });
    }
  });

  it("after the session is closed is cancelled", async () => {
    const { session, refused } = desk([tool("t", () => 1)]);
    session.close();
    expect(await refused("t")).toEqual({ ok: false, message: "the call was cancelled" });
  });
});
