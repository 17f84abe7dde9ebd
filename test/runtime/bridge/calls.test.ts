import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { desk, tool } from "./harness.js";

const closed = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

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

  describe("errors", () => {
    const fails = (make: () => unknown, limits = {}) =>
      desk(
        [
          tool("boom", () => {
            throw make();
          }),
        ],
        { limits },
      ).refused("boom");

    it("carry the message only, causes behind it", async () => {
      class QuotaError extends Error {
        override name = "QuotaError";
        code = "E_QUOTA";
      }
      expect(await fails(() => new QuotaError("quota exceeded"))).toEqual({
        ok: false,
        message: "quota exceeded",
        code: "tool_error",
        effectStatus: "unknown",
      });
      expect((await fails(() => new Error("outer", { cause: new Error("inner") }))).message).toBe(
        "outer | inner",
      );
      const members = new AggregateError([new Error("a"), new Error("b")], "many");
      expect((await fails(() => members)).message).toBe("many | a | b");
      expect((await fails(() => "plain failure")).message).toBe("plain failure");
    });

    it("are never empty, never throw and never loop", async () => {
      const own = new Error("round");
      own.cause = own;
      expect((await fails(() => own)).message).toBe("round");
      for (const odd of [undefined, null, new Error(""), {}, 7, Symbol("s"), Object.create(null)]) {
        expect((await fails(() => odd)).message).not.toBe("");
      }
      const trapped = new Proxy(new Error("x"), {
        get: () => {
          throw new Error("trap");
        },
      });
      expect((await fails(() => trapped)).message).toBe("failed without a message");
    });

    it("name a tool as the cell does", async () => {
      const failure = await fails(() => new Error("openclaw:demo:boom is down"));
      expect(failure.message).toBe("boom is down");
    });

    it("are cut to the output budget and say so", async () => {
      const failure = await fails(() => new Error("é".repeat(5000)), { maxOutputBytes: 1024 });
      expect(failure.message.endsWith(" [error truncated]")).toBe(true);
      expect(Buffer.byteLength(JSON.stringify(failure.message))).toBeLessThanOrEqual(1024);
      expect(Buffer.byteLength(JSON.stringify(failure.message))).toBeGreaterThan(1000);
    });
  });

  describe("input", () => {
    const parameters = closed({
      zip: { type: "string" },
      n: { type: "integer", default: 5 },
    });
    parameters.required = ["zip"];

    it("is neither coerced nor completed", async () => {
      const { call, refused } = desk([tool("see", (input) => input, { parameters })]);
      expect(await call("see", { zip: "01234" })).toEqual({ zip: "01234" });
      for (const bad of [
        { zip: 1234 },
        { zip: "1", n: "7" },
        { zip: "1", n: 7.5 },
        {},
        ["1"],
        "1",
        4,
        true,
      ]) {
        expect(await refused("see", bad)).toMatchObject({ code: "input_contract" });
      }
    });

    it("is refused with every failing place, near names and the expected shape", async () => {
      let ran = 0;
      const { refused } = desk([tool("see", () => ++ran, { parameters })]);
      const { message } = await refused("see", { zip: 1, m: 2, zpi: 3 });
      expect(message).toContain("see");
      expect(message).toContain("zip");
      expect(message).toMatch(/Did you mean: .*n/);
      expect(ran).toBe(0);
    });

    it("of a tool whose parameters are no schema refuses the call and nothing else", async () => {
      const { refused, call } = desk([
        tool("broken", () => 1, { parameters: { type: "not-a-type" } }),
        tool("nonsense", () => 1, { parameters: "text" }),
        tool("fine", () => 1),
      ]);
      expect(await refused("broken")).toMatchObject({ code: "input_contract" });
      expect(await refused("nonsense")).toMatchObject({ code: "input_contract" });
      expect(await call("fine")).toBe(1);
    });

    it("of a tool without parameters, or of a client's tool, is not judged", async () => {
      const { call } = desk([
        tool("free", (input) => input, { parameters: undefined }),
        tool("pick", (input) => input, { source: "client", owner: "client", parameters }),
      ]);
      expect(await call("free", [1])).toEqual([1]);
      expect(await call("pick", { zip: 1 })).toEqual({ zip: 1 });
    });

    it("is prepared before it is judged, on a copy", async () => {
      const { call, refused } = desk([
        tool("aliased", (input) => input, {
          parameters,
          prepareArguments: (args: any) => (args.postcode ? { zip: args.postcode } : args),
        }),
        tool("typed", () => 1, {
          parameters,
          prepareArguments: () => {
            throw Object.assign(new Error("Expected an object."), { name: "ToolArgumentValidationError" });
          },
        }),
        tool("clumsy", () => 1, {
          parameters,
          prepareArguments: () => {
            throw new TypeError("cannot read");
          },
        }),
      ]);
      expect(await call("aliased", { postcode: "9" })).toEqual({ zip: "9" });
      expect(await refused("aliased", { zip: 2 })).toMatchObject({ code: "input_contract" });
      expect(await refused("typed", {})).toMatchObject({
        code: "input_contract",
        message: "Input of typed is not valid: Expected an object.",
      });
      expect(await refused("clumsy", {})).toMatchObject({ code: "tool_error", message: "cannot read" });
    });
  });

  describe("output contract", () => {
    const outputSchema = closed({ id: { type: "string" }, n: { type: "number" } }, ["id"]);

    it("is judged in JSON form, after the tool ran, without printing values", async () => {
      let ran = 0;
      const { refused, call } = desk([
        tool(
          "leaky",
          () => {
            ran++;
            return { id: "x", n: "sk-live-123", when: new Date(0), gone: undefined };
          },
          { outputSchema },
        ),
        tool("fine", () => ({ id: "x", gone: undefined, toJSON: undefined }), { outputSchema }),
      ]);
      const failure = await refused("leaky");
      expect(failure).toMatchObject({ code: "output_contract", effectStatus: "unknown" });
      expect(failure.message).toMatch(/leaky.*has run/);
      for (const word of ["n", "when"]) expect(failure.message).toContain(word);
      expect(failure.message).not.toContain("gone");
      expect(failure.message).not.toContain("sk-live");
      expect(ran).toBe(1);
      expect(await call("fine")).toEqual({ id: "x" });
    });

    it("that does not compile keeps the tool from running", async () => {
      let ran = 0;
      const { refused } = desk([tool("bad", () => ++ran, { outputSchema: { type: "not-a-type" } })]);
      const failure = await refused("bad");
      expect(failure).toMatchObject({ code: "invalid_contract", effectStatus: "unknown" });
      expect(failure.message).toContain("bad");
      expect(ran).toBe(0);
    });
  });

  describe("grading", () => {
    it("counts failures by details while the value still arrives", async () => {
      const { call, session } = desk([tool("graded", ({ details }) => details)]);
      for (const details of [
        { status: "blocked", card: 4 },
        { ok: false },
        { exitCode: 2 },
        { error: "no" },
      ]) {
        expect(await call("graded", { details })).toEqual(details);
      }
      expect(session.telemetry().failedCallCount).toBe(4);
      for (const details of [
        { status: "blocked", ok: true },
        { card: { status: "blocked" } },
        [{ ok: false }],
        "error",
      ]) {
        await call("graded", { details });
      }
      expect(session.telemetry()).toMatchObject({ failedCallCount: 4, callCount: 8 });
    });
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
