import { describe, expect, it } from "vitest";
import { driveCell } from "../../src/runtime/drive.js";
import { pluginSession } from "./plugin-session.js";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** `shop` tools of the cases; calls are recorded on `globalThis`, since the plugin runs in this process. */
const HANGING = `
  tool({ name: "slow_hang", description: "Never answers.", parameters: Type.Object({}),
    execute: (_p, _c, { signal }) => { globalThis.__hangSignal = signal; return new Promise(() => {}); } }),
  tool({ name: "slow_late", description: "Answers late.", parameters: Type.Object({}),
    execute: async (_p, _c, { signal }) => {
      globalThis.__lateSignal = signal;
      await new Promise((done) => setTimeout(done, 1500));
      return { aborted: signal?.aborted ?? null };
    } }),
`;

describe("cell-12 a tool that never settles, and one that ignores cancellation", () => {
  const code = 'text("before"); const r = await Promise.race([slow_hang({}), slow_late({})]); return r;';

  it("cell-12 suspends with both calls listed, and a second wait at once is refused", async () => {
    const session = await pluginSession(HANGING, { timeoutMs: 500 });
    const first = await session.exec({ code });
    if (first.status !== "waiting") throw new Error(JSON.stringify(first));
    expect(first).toMatchObject({ reason: "pending_tools", output: [{ type: "text", text: "before" }] });
    expect(first.pendingToolCalls.map(({ method }) => method)).toEqual(["callValue", "callValue"]);
    const [one, two] = await Promise.all([
      session.wait({ runId: first.runId }),
      session.wait({ runId: first.runId }),
    ]);
    expect(one.status).toBe("waiting");
    expect(two).toMatchObject({ status: "failed", code: "invalid_input" });
  });

  it("cell-12 never waits for ever: the run's deadline ends it as a timeout and tells the tools", async () => {
    const session = await pluginSession(HANGING, { timeoutMs: 500 });
    const started = performance.now();
    const result = await driveCell(session, { code: "return await slow_hang({});" }, { deadlineMs: 1200 });
    expect(result).toMatchObject({ status: "failed", code: "timeout" });
    expect(performance.now() - started).toBeLessThan(3000);
    expect((globalThis as any).__hangSignal.aborted).toBe(true);
  });

  it("cell-12 gives a late answer to the wait that comes after it", async () => {
    const session = await pluginSession(HANGING, { timeoutMs: 500 });
    const first = await session.exec({ code: "return await slow_late({});" });
    if (first.status !== "waiting") throw new Error(JSON.stringify(first));
    await sleep(1600);
    expect(await session.wait({ runId: first.runId })).toMatchObject({
      status: "completed",
      value: { aborted: false },
    });
  });

  it("cell-12 sets the signal of a late tool when the caller gives up, and keeps no run", async () => {
    const session = await pluginSession(HANGING, { timeoutMs: 5_000 });
    const controller = new AbortController();
    (globalThis as any).__lateSignal = undefined;
    const running = session.exec({ code: "return await slow_late({});" }, { signal: controller.signal });
    while ((globalThis as any).__lateSignal === undefined) await sleep(10);
    controller.abort();
    const result = await running;
    expect(result).toMatchObject({ status: "failed", code: "aborted" });
    expect((globalThis as any).__lateSignal.aborted).toBe(true);
    expect(await session.exec({ code: "return 1;" })).toMatchObject({ status: "completed", value: 1 });
  });
});

describe("cell-15 a result that breaks its output contract", () => {
  it("cell-15 rejects with paths and rules, says that the tool ran, and shows no value", async () => {
    (globalThis as any).__writes = 0;
    const session = await pluginSession(`
      tool({ name: "stock_take", description: "Writes and returns a count.", parameters: Type.Object({}),
        outputSchema: Type.Object({
          count: Type.Integer(),
          items: Type.Array(Type.Object({ sku: Type.String() }, { additionalProperties: false })),
        }, { additionalProperties: false }),
        execute: () => {
          globalThis.__writes++;
          return { count: 2.5, items: [{ sku: "A", secretToken: "sk-live-123" }], when: new Date(0), gone: undefined };
        } }),
    `);
    const result = await session.exec({
      code: `try { return await stock_take({}); }
catch (e) { return { name: e.name, message: e.message, code: e.code, effectStatus: e.effectStatus }; }`,
    });
    if (result.status !== "completed") throw new Error(JSON.stringify(result));
    const { name, message, code, effectStatus } = result.value as Record<string, string>;
    expect({ name, code, effectStatus }).toEqual({
      name: "Error",
      code: "output_contract",
      effectStatus: "unknown",
    });
    for (const part of [
      "stock_take",
      "count: must be integer",
      "items.0",
      "secretToken",
      "when",
      "has run",
    ]) {
      expect(message).toContain(part);
    }
    expect(message).not.toContain("sk-live-123");
    expect(message).not.toContain("gone");
    expect((globalThis as any).__writes).toBe(1);
  });

  it("cell-15 judges a date in the form the cell would get", async () => {
    const session = await pluginSession(`
      tool({ name: "clock", description: "Tells the time.", parameters: Type.Object({}),
        outputSchema: Type.Object({ when: Type.String() }, { additionalProperties: false }),
        execute: () => ({ when: new Date(0), gone: undefined }) }),
    `);
    expect(await session.exec({ code: "return await clock({});" })).toMatchObject({
      status: "completed",
      value: { when: "1970-01-01T00:00:00.000Z" },
    });
  });
});

describe("cell-16 results arrive as data", () => {
  it("cell-16 keeps objects objects, strings strings, and grades an outcome without hiding it", async () => {
    const session = await pluginSession(`
      tool({ name: "fmt_obj", description: "o", parameters: Type.Object({}), execute: () => ({ n: 1, nested: { ok: true } }) }),
      tool({ name: "fmt_str", description: "s", parameters: Type.Object({}), execute: () => '{"looks":"like json"}' }),
      tool({ name: "fmt_null", description: "n", parameters: Type.Object({}), execute: () => null }),
      tool({ name: "fmt_undef", description: "u", parameters: Type.Object({}), execute: () => undefined }),
      tool({ name: "fmt_status", description: "domain status", parameters: Type.Object({}), execute: () => ({ status: "blocked", card: 4 }) }),
    `);
    const result = await session.exec({
      code: `return { o: typeof (await fmt_obj({})), s: typeof (await fmt_str({})), n: await fmt_null({}), u: await fmt_undef({}),
  st: await fmt_status({}).then((v) => v, (e) => "rejected: " + e.message) };`,
    });
    expect(result).toMatchObject({
      status: "completed",
      value: { o: "object", s: "string", n: null, u: null, st: { status: "blocked", card: 4 } },
      telemetry: { callCount: 5, failedCallCount: 1 },
    });
  });
});

describe("cell-20 arguments", () => {
  it("cell-20 are neither coerced nor completed, and the caller's object stays as it was", async () => {
    const session = await pluginSession(`
      tool({ name: "args_see", description: "Echo arguments.",
        parameters: Type.Object({
          zip: Type.String(),
          n: Type.Optional(Type.Integer({ default: 5 })),
          opts: Type.Optional(Type.Object({ deep: Type.Boolean({ default: true }) }, { default: {} })),
        }, { additionalProperties: false }),
        execute: (p) => { globalThis.__seen = (globalThis.__seen ?? 0) + 1; return p; } }),
    `);
    (globalThis as any).__seen = 0;
    const result = await session.exec({
      code: `const mine = { zip: "01234" };
const a = await args_see(mine);
const bad = {};
for (const [k, v] of Object.entries({ num: { zip: 1234 }, str: { zip: "1", n: "7" }, frac: { zip: "1", n: 7.5 }, more: { zip: "1", zap: 2 }, none: undefined, arr: ["01234"], nul: { zip: null } }))
  bad[k] = await args_see(v).then((r) => r, (e) => "refused: " + e.message);
return { a, mine, bad };`,
    });
    if (result.status !== "completed") throw new Error(JSON.stringify(result));
    const { a, mine, bad } = result.value as any;
    // One rule for all depths: the tool gets what the cell wrote, defaults are the plugin's own affair.
    expect(a).toEqual({ zip: "01234" });
    expect(mine).toEqual({ zip: "01234" });
    const named: Record<string, string[]> = {
      num: ["zip", "string"],
      str: ["n", "integer"],
      frac: ["n", "integer"],
      more: ["zap"],
      none: ["zip"],
      arr: ["object"],
      nul: ["zip", "string"],
    };
    for (const [key, words] of Object.entries(named)) {
      expect(bad[key]).toMatch(/^refused: /);
      for (const word of words) expect(bad[key]).toContain(word);
    }
    expect((globalThis as any).__seen).toBe(1);
  });
});
