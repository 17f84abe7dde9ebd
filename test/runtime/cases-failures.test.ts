import { describe, expect, it } from "vitest";
import { completed, failed, testSession, tool } from "../support/cells.js";
import { runCli } from "../support/cli.js";
import { tempDir } from "../support/temp.js";

const orders = () => [
  tool("orders_get", async ({ id }) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return { id };
  }),
];

describe("cell-01 what a failure says", () => {
  const cells: [string, string, RegExp[]][] = [
    [
      "the engine's own error, at its line",
      "const rows = null;\nreturn rows.length;",
      [/^TypeError: .+/, /:2:\d+/],
    ],
    [
      "an aggregate with its members",
      'await Promise.resolve();\nthrow new AggregateError([new TypeError("left"), new Error("right")], "both failed");',
      [/AggregateError: both failed/, /TypeError: left/, /Error: right/, /:2:\d+/],
    ],
    [
      "a plain object with its fields",
      'throw { code: 7, message: "plain object" };',
      [/"code":7/, /plain object/],
    ],
    ["null", "throw null;", [/null/]],
    [
      "an error and its cause",
      'throw new Error("outer", { cause: new RangeError("inner") });',
      [/^Error: outer/, /caused by: RangeError: inner/],
    ],
  ];
  it.each(cells)("cell-01 shows %s", async (_what, code, says) => {
    const result = failed(await testSession().exec({ code }));
    expect(result.code).toBe("internal_error");
    for (const part of says) expect(result.error).toMatch(part);
  });

  it("cell-01 ends the command with 1 and names the author's file and line", async () => {
    const dir = tempDir({ "rows.js": "const rows = null;\nreturn rows.length;\n" });
    const run = await runCli(["exec", "rows.js", "--json"], { cwd: dir, env: { OPENCLAW_STATE_DIR: dir } });
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({ status: "failed", error: expect.stringMatching(/rows\.js:2:\d+/) });
  });
});

describe("cell-06 the end of cells that do not end", () => {
  it.each([
    ["a loop", "while (true) {}"],
    [
      "a loop that would catch",
      'try { while (true) {} } catch { return "swallowed"; } finally { /* nope */ }',
    ],
    ["a pattern that backtracks", 'return /^(a+)+$/.test("a".repeat(40) + "b");'],
  ])("cell-06 calls %s a timeout", async (_what, code) => {
    const session = testSession({ limits: { timeoutMs: 500 } });
    const result = failed(await session.exec({ code }));
    expect(result.code).toBe("timeout");
    expect(result.telemetry.evaluationMs).toBeLessThan(1_500);
  });

  it("cell-06 calls an error that only says interrupted what it is", async () => {
    const result = failed(await testSession().exec({ code: 'throw new Error("interrupted");' }));
    expect(result).toMatchObject({
      code: "internal_error",
      error: expect.stringMatching(/^Error: interrupted/),
    });
  });

  it("cell-06 says that memory ran out", async () => {
    const session = testSession({ limits: { memoryLimitBytes: 8 * 1024 * 1024 } });
    const code = 'const a = []; while (true) a.push("x".repeat(100000) + a.length);';
    const result = failed(await session.exec({ code }));
    expect(result).toMatchObject({ code: "internal_error", error: expect.stringMatching(/out of memory/) });
  });

  // A golden cell fails this at once instead of at the limit: nothing can still arrive.
  it("cell-06 does not wait for what cannot come", async () => {
    const session = testSession({ limits: { timeoutMs: 500 } });
    const result = failed(await session.exec({ code: "await new Promise(() => {});" }));
    expect(result.code).toBe("internal_error");
    expect(result.error).toContain("pending");
  });
});

describe("cell-08 an await that was forgotten", () => {
  it("cell-08 is said in place, and what was awaited is there", async () => {
    const session = testSession({ tools: orders() });
    const code = `const ids = ["a", "b"];
text(ids.map((id) => orders_get({ id })));
json({ one: orders_get({ id: "a" }), thenable: { then: 1 } });
return { list: ids.map((id) => orders_get({ id })), ok: await Promise.all(ids.map((id) => orders_get({ id }))) };`;
    const { value, output } = completed(await session.exec({ code }));
    const hint = expect.stringMatching(/await.*Promise\.all/);
    expect(value).toEqual({ list: [hint, hint], ok: [{ id: "a" }, { id: "b" }] });
    const [list, object] = output as unknown as [{ text: string }, { value: unknown }];
    expect(JSON.parse(list.text)).toEqual([hint, hint]);
    expect(object.value).toEqual({ one: hint, thenable: { then: 1 } });
  });

  it("cell-08 awaits a promise that is returned itself", async () => {
    const session = testSession({ tools: orders() });
    expect(completed(await session.exec({ code: 'return orders_get({ id: "a" });' })).value).toEqual({
      id: "a",
    });
  });

  it("cell-08 reports a call that nobody awaits and that fails, and goes on", async () => {
    const fails = tool("orders_fail", () => {
      throw new Error("no such order");
    });
    const session = testSession({ tools: [fails] });
    const result = failed(await session.exec({ code: "orders_fail({}); return 1;" }));
    expect(result.error).toContain("no such order");
    expect(completed(await session.exec({ code: "return 2;" })).value).toBe(2);
  });
});

describe("cell-09 final values", () => {
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

  it("cell-09 keeps what JSON can hold, and runs no toJSON", async () => {
    const { value } = completed(await testSession().exec({ code }));
    expect(JSON.parse(JSON.stringify(value))).toEqual({
      bytes: { 0: -1, 1: 2 },
      half: { 0: 1.5 },
      proto: JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}'),
      when: "1970-01-01T00:00:00.000Z",
      odd: { real: 1 },
      holes: [null, 1, null],
      nums: [null, null, 0],
      map: [["k", 1]],
      err: { name: "TypeError", message: "kept" },
    });
  });

  it("cell-09 prints the key __proto__", async () => {
    const dir = tempDir({ "values.js": code });
    const run = await runCli(["exec", "values.js", "--json"], { cwd: dir, env: { OPENCLAW_STATE_DIR: dir } });
    expect(run.code).toBe(0);
    const { proto } = run.json().value;
    expect(Object.keys(proto)).toEqual(["__proto__", "constructor"]);
    expect(run.stdout).toMatch(/"__proto__":\s*\{\s*"x":\s*1/);
  });
});

describe("cell-10 getters that act", () => {
  const view = `const view = {
  get summary() { text("inside getter"); return "s"; },
  get row() { return orders_get({ id: "a" }); },
  get boom() { throw new RangeError("getter failed"); },
};
`;

  it("cell-10 runs a getter once, and keeps what it emits", async () => {
    const session = testSession({ tools: orders() });
    expect(completed(await session.exec({ code: `${view}return { s: view.summary };` }))).toMatchObject({
      value: { s: "s" },
      output: [{ type: "text", text: "inside getter" }],
    });
  });

  it("cell-10 fails with what a getter throws, with the output before it, and starts nothing later", async () => {
    let calls = 0;
    const counted = tool("orders_get", ({ id }) => {
      calls++;
      return { id };
    });
    const session = testSession({ tools: [counted] });
    const result = failed(await session.exec({ code: `${view}return view;` }));
    expect(result).toMatchObject({
      code: "internal_error",
      error: expect.stringMatching(/^RangeError: getter failed/),
      output: [{ type: "text", text: "inside getter" }],
    });
    const atEnd = calls;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(calls).toBe(atEnd);
    expect(result.telemetry.callCount).toBe(atEnd);
  });
});
