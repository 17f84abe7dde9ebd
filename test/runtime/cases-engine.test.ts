import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { completed, failed, finalValue, testSession, tool } from "../support/cells.js";

describe("cell-01 errors keep name, message, place and what caused them", () => {
  const errorOf = async (code: string): Promise<string> => failed(await testSession().exec({ code })).error;

  it("cell-01 names the type, the message and the author's line", async () => {
    expect(await errorOf("const rows = null;\nreturn rows.length;")).toMatch(
      /^TypeError: cannot read property 'length' of null\n {4}at <anonymous> \(openclaw-code-mode:user\.js:2:\d+\)\n$/,
    );
  });

  it("cell-01 shows every member of an aggregate", async () => {
    const code =
      'await Promise.resolve();\nthrow new AggregateError([new TypeError("left"), new Error("right")], "both failed");';
    const error = await errorOf(code);
    expect(error).toMatch(/^AggregateError: both failed\n/);
    expect(error).toContain("error 1 of 2: TypeError: left\n");
    expect(error).toContain("error 2 of 2: Error: right\n");
    expect(error).toContain("user.js:2:");
  });

  it("cell-01 shows a thrown object as data, and null as null", async () => {
    expect(await errorOf('throw { code: 7, message: "plain object" };')).toBe(
      'Thrown {"code":7,"message":"plain object"}',
    );
    expect(await errorOf("throw null;")).toBe("null"); // as the golden cell has it
  });

  it("cell-01 shows the cause", async () => {
    expect(await errorOf('throw new Error("outer", { cause: new RangeError("inner") });')).toMatch(
      /^Error: outer\n {4}at .*\ncaused by: RangeError: inner\n {4}at /,
    );
  });
});

describe("cell-06 codes of time, memory and errors that only say so", () => {
  it.each([
    ["a loop", "while (true) {}"],
    [
      "a loop that would be swallowed",
      'try { while (true) {} } catch { return "swallowed"; } finally { /* nope */ }',
    ],
    ["a regular expression", 'return /^(a+)+$/.test("a".repeat(40) + "b");'],
  ])("cell-06 ends %s as timeout, soon after its limit", async (_, code) => {
    const session = testSession({ limits: { timeoutMs: 500 } });
    const result = failed(await session.exec({ code }));
    expect(result.code).toBe("timeout");
    expect(result.telemetry.evaluationMs).toBeGreaterThanOrEqual(499);
    expect(result.telemetry.evaluationMs).toBeLessThan(1_500);
  });

  it("cell-06 takes an error that says interrupted for what it is", async () => {
    const result = failed(await testSession().exec({ code: 'throw new Error("interrupted");' }));
    expect(result).toMatchObject({
      code: "internal_error",
      error: expect.stringMatching(/^Error: interrupted\n/),
    });
  });

  it("cell-06 says that memory ran out", async () => {
    const session = testSession({ limits: { memoryLimitBytes: 8 * 1024 * 1024, timeoutMs: 5_000 } });
    const code = 'const a = []; while (true) a.push("x".repeat(100000) + a.length);';
    expect(failed(await session.exec({ code }))).toMatchObject({
      code: "internal_error",
      error: expect.stringContaining("out of memory"),
    });
  });

  // The golden cells settle this one: nothing can settle the promise, so the cell fails at once.
  it("cell-06 does not wait for a promise that nothing can settle", async () => {
    const result = failed(await testSession().exec({ code: "await new Promise(() => {});" }));
    expect(result).toMatchObject({ code: "internal_error", error: expect.stringContaining("pending") });
    expect(result.telemetry.evaluationMs).toBeLessThan(2_000);
  });
});

const orders = () => [tool("orders_get", async ({ id }) => sleep(5, { id, total: 7 }))];

describe("cell-08 forgotten awaits", () => {
  it("cell-08 shows how to await in all three places, and real data where it was awaited", async () => {
    const code = `const ids = ["a", "b"];
text(ids.map((id) => orders_get({ id })));
json({ one: orders_get({ id: "a" }), thenable: { then: 1 } });
return { list: ids.map((id) => orders_get({ id })), ok: await Promise.all(ids.map((id) => orders_get({ id }))) };`;
    const result = completed(await testSession({ tools: orders() }).exec({ code }));
    const hint = expect.stringMatching(/await.*Promise\.all/);
    expect(result.value).toEqual({
      list: [hint, hint],
      ok: [
        { id: "a", total: 7 },
        { id: "b", total: 7 },
      ],
    });
    const [emitted, data] = result.output as unknown as [{ text: string }, { value: unknown }];
    expect(JSON.parse(emitted.text)).toEqual([hint, hint]);
    expect(data.value).toEqual({ one: hint, thenable: { then: 1 } });
    expect(result.warnings?.map(({ path, was }) => [path, was])).toEqual([
      ["$.list[0]", "Promise"],
      ["$.list[1]", "Promise"],
    ]);
  });

  it("cell-08 awaits a promise that is returned itself, and reports a call nobody awaited that fails", async () => {
    const session = testSession({
      tools: [
        ...orders(),
        tool("fails", () => {
          throw new Error("lost call");
        }),
      ],
    });
    expect(finalValue(await session.exec({ code: 'return orders_get({ id: "a" });' }))).toEqual({
      id: "a",
      total: 7,
    });
    expect(failed(await session.exec({ code: "json({ p: fails({}) }); return 1;" })).error).toContain(
      "lost call",
    );
  });
});

describe("cell-09 final values", () => {
  it("cell-09 keeps everything JSON can hold and hijacks nothing", async () => {
    const code = `return {
  bytes: new Int8Array([-1, 2]),
  half: new Float32Array([1.5]),
  proto: JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}'),
  when: new Date(0).toISOString(),
  odd: { toJSON() { return "hijacked"; }, real: 1 },
  holes: [, 1, undefined],
  nums: [NaN, Infinity, -0],
  map: [...new Map([["k", 1]])],
  err: new TypeError("kept"),
};`;
    const result = completed(await testSession().exec({ code }));
    expect(JSON.stringify(result.value)).toBe(
      '{"bytes":{"0":-1,"1":2},"half":{"0":1.5},"proto":{"__proto__":{"x":1},"constructor":2},"when":"1970-01-01T00:00:00.000Z","odd":{"real":1},"holes":[null,1,null],"nums":[null,null,0],"map":[["k",1]],"err":{"name":"TypeError","message":"kept"}}',
    );
    expect(result.warnings?.map(({ path }) => path)).toEqual(["$.odd.toJSON", "$.nums[0]", "$.nums[1]"]);
  });
});

describe("cell-10 getters at conversion", () => {
  const view = `const view = {
  get summary() { text("inside getter"); return "s"; },
  get row() { return orders_get({ id: "a" }); },
  get boom() { throw new RangeError("getter failed"); },
};`;

  it("cell-10 runs a getter once, and keeps what it emits", async () => {
    const result = completed(
      await testSession({ tools: orders() }).exec({ code: `${view}\nreturn { s: view.summary };` }),
    );
    expect(result).toMatchObject({ value: { s: "s" }, output: [{ type: "text", text: "inside getter" }] });
  });

  it("cell-10 honours calls of getters and fails with what one throws; nothing starts afterwards", async () => {
    let calls = 0;
    const session = testSession({
      tools: [
        tool("orders_get", ({ id }) => {
          calls++;
          return { id };
        }),
      ],
    });
    const result = failed(await session.exec({ code: `${view}\nreturn view;` }));
    expect(result).toMatchObject({
      error: expect.stringMatching(/^RangeError: getter failed\n/),
      output: [{ type: "text", text: "inside getter" }],
    });
    const counted = calls;
    await sleep(60);
    expect(calls).toBe(counted);
    const drained = completed(
      await session.exec({
        code: `${view}\nreturn { row: view.row.then((r) => text(r)), get late() { orders_get({ id: "b" }).then((r) => text(r.id)); return 1; } };`,
      }),
    );
    expect(drained.output).toEqual([
      { type: "text", text: '{"id":"a"}' },
      { type: "text", text: "b" },
    ]);
    expect(drained.telemetry.callCount).toBe(calls);
  });
});
