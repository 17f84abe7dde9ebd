import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { MAX_PARKED, parkedRuns } from "../../src/runtime/session/parked.js";
import { workerPool } from "../../src/runtime/supervisor/pool.js";
import { completed, failed, finalValue, runToEnd, testSession, tool, waiting } from "../support/cells.js";
import { describeFull } from "../support/full.js";

const deferred = () => {
  let resolve!: (value: unknown) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
};

describe("run ids", () => {
  test.each([
    ["a blank id", { runId: "  " }],
    ["a number", { runId: 5 }],
    ["no id", {}],
    ["no object", "cm_1"],
    ["null", null],
  ])("%s is refused", async (_, input) => {
    const result = failed(await testSession().wait(input));
    expect(result).toMatchObject({
      code: "invalid_input",
      failurePhase: "input",
      bridgeDispatchStarted: false,
    });
    expect(result.error).toContain("runId");
  });

  test("an unknown id, a finished run and a closed one read the same", async () => {
    const session = testSession();
    const first = waiting(await session.exec({ code: "await yield_control(); return 1;" }));
    expect(finalValue(await session.wait({ runId: first.runId }))).toBe(1);
    const unknown = failed(await session.wait({ runId: "cm_missing" }));
    const finished = failed(await session.wait({ runId: first.runId }));
    expect(finished).toMatchObject({ code: "invalid_input", error: unknown.error });
  });

  test("run_id is accepted and ids are trimmed", async () => {
    const session = testSession();
    const { runId } = waiting(await session.exec({ code: "await yield_control(); return 1;" }));
    expect(finalValue(await session.wait({ run_id: ` ${runId}\n` }))).toBe(1);
  });

  test("a run belongs to its session", async () => {
    const [mine, theirs] = [testSession(), testSession()];
    const { runId } = waiting(await mine.exec({ code: "await yield_control(); return 1;" }));
    expect(failed(await theirs.wait({ runId }))).toMatchObject({
      code: "invalid_input",
      error: expect.stringContaining("different session"),
    });
    expect(finalValue(await mine.wait({ runId }))).toBe(1);
  });

  test("a second wait for the same run fails and the first goes on", async () => {
    const slow = deferred();
    const session = testSession({ tools: [tool("slow", () => slow.promise)], limits: { timeoutMs: 300 } });
    const { runId } = waiting(await session.exec({ code: "return await slow({});" }));
    const first = session.wait({ runId });
    expect(failed(await session.wait({ runId }))).toMatchObject({
      code: "invalid_input",
      error: expect.stringContaining("already being resumed"),
    });
    slow.resolve({ late: true });
    expect(finalValue(await first)).toEqual({ late: true });
  });
});

describe("parking", () => {
  test("tool calls go on while a run is parked, and their replies wait for it", async () => {
    const session = testSession({
      tools: [tool("slow", async ({ ms }) => sleep(ms, { ms }))],
      limits: { timeoutMs: 150 },
    });
    const result = waiting(
      await session.exec({
        code: "text('before'); const r = await slow({ ms: 300 }); text('after'); return r;",
      }),
    );
    expect(result).toMatchObject({
      reason: "pending_tools",
      pendingToolCalls: [{ id: "bridge:callValue:1", method: "callValue" }],
      output: [{ type: "text", text: "before" }],
    });
    await sleep(300);
    const startedAt = performance.now();
    const end = completed(await session.wait({ runId: result.runId }));
    expect(end).toMatchObject({ value: { ms: 300 }, output: [{ type: "text", text: "after" }] });
    expect(performance.now() - startedAt).toBeLessThan(140);
  });

  test("a wait without news returns waiting again, within the budget of a leg", async () => {
    const session = testSession({
      tools: [tool("never", () => new Promise(() => {}))],
      limits: { timeoutMs: 200 },
    });
    const { runId } = waiting(await session.exec({ code: "return await never({});" }));
    for (let round = 0; round < 2; round++) {
      const again = waiting(await session.wait({ runId }));
      expect(again).toMatchObject({ runId, reason: "pending_tools", output: [] });
      expect(again.pendingToolCalls).toEqual([{ id: "bridge:callValue:1", method: "callValue" }]);
    }
  });

  test("the worker of a parked run serves other cells", async () => {
    const session = testSession();
    const before = waiting(await session.exec({ code: "let n = 1; await yield_control(); return ++n;" }));
    for (let round = 0; round < 3; round++) {
      expect(finalValue(await session.exec({ code: "globalThis.n = 50; return n;" }))).toBe(50);
    }
    expect(workerPool.size).toBeLessThanOrEqual(2);
    expect(finalValue(await session.wait({ runId: before.runId }))).toBe(2);
  });

  test("a parked run expires by its time to live, and its calls are cancelled", async () => {
    let cancelled = false;
    const never = tool("never", (_, { signal }) => {
      signal.addEventListener("abort", () => {
        cancelled = true;
      });
      return new Promise(() => {});
    });
    const session = testSession({ tools: [never], limits: { snapshotTtlSeconds: 1, timeoutMs: 100 } });
    const { runId } = waiting(await session.exec({ code: "return await never({});" }));
    await sleep(1_100);
    expect(cancelled).toBe(true);
    expect(failed(await session.wait({ runId })).error).toContain("expired");
  });

  test("at most 64 runs of a process are suspended; one that resumes keeps its place", async () => {
    const sessions = [testSession(), testSession()];
    const runs: string[] = [];
    for (let count = 0; count < MAX_PARKED; count++) {
      const result = await sessions[count % 2]!.exec({
        code: "await yield_control(); await yield_control(); return 1;",
      });
      runs.push(waiting(result).runId);
    }
    expect(parkedRuns.size).toBe(64);
    expect(failed(await sessions[0]!.exec({ code: "text('kept'); await yield_control();" }))).toMatchObject({
      code: "invalid_input",
      error: "too many suspended code mode runs.",
      output: [{ type: "text", text: "kept" }],
    });
    expect(finalValue(await sessions[0]!.exec({ code: "return 'others run';" }))).toBe("others run");
    waiting(await sessions[0]!.wait({ runId: runs[0]! }));
    expect(finalValue(await sessions[0]!.wait({ runId: runs[0]! }))).toBe(1);
    waiting(await sessions[1]!.exec({ code: "await yield_control();" }));
    await Promise.all(sessions.map((session) => session.close()));
    expect(parkedRuns.size).toBe(0);
  });

  test("a snapshot over its limit ends the run, output kept", async () => {
    const session = testSession({ limits: { maxSnapshotBytes: 4_000_000 } });
    const code =
      "text('kept'); const rows = Array.from({ length: 60000 }, (_, i) => ({ i, s: 'row ' + i })); await yield_control(); return rows.length;";
    expect(failed(await session.exec({ code }))).toMatchObject({
      code: "snapshot_limit_exceeded",
      output: [{ type: "text", text: "kept" }],
    });
    expect(finalValue(await runToEnd(session, "await yield_control(); return 'small';"))).toBe("small");
  });

  test("a big heap finishes inline, whatever the snapshot limit", async () => {
    const session = testSession({
      tools: [tool("now", () => 1)],
      limits: { maxSnapshotBytes: 1024, memoryLimitBytes: 64 * 1024 * 1024 },
    });
    const code =
      "const rows = Array.from({ length: 60000 }, (_, i) => ({ i })); await now({}).catch(() => {}); return rows.length;";
    expect(finalValue(await session.exec({ code }))).toBe(60000);
  });
});

describeFull("time to live over waits", "it takes four seconds", () => {
  test("the clock stops while a wait uses the run", async () => {
    const session = testSession({
      tools: [tool("never", () => new Promise(() => {}))],
      limits: { snapshotTtlSeconds: 1, timeoutMs: 700 },
    });
    const { runId } = waiting(await session.exec({ code: "return await never({});" }));
    waiting(await session.wait({ runId }));
    await sleep(500);
    waiting(await session.wait({ runId })); // 1.9 s after it was first parked, 0.5 s of them unclaimed
    await sleep(1_200);
    expect(failed(await session.wait({ runId })).error).toContain("expired");
  });
});

describe("abort", () => {
  let cancelled = 0;
  const hang = (started: () => void) =>
    tool("hang", (_, { signal }) => {
      setTimeout(started, 20);
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          cancelled++;
          reject(new Error("cancelled"));
        });
      });
    });

  test("before it begins", async () => {
    const session = testSession();
    const result = failed(await session.exec({ code: "return 1;" }, { signal: AbortSignal.abort() }));
    expect(result).toMatchObject({ code: "aborted", output: [] });
  });

  test("while the guest computes", async () => {
    const session = testSession();
    const controller = new AbortController();
    const options = {
      signal: controller.signal,
      onOutput: () => void setTimeout(() => controller.abort(), 50),
    };
    const result = failed(await session.exec({ code: "text('kept'); for (;;);" }, options));
    expect(result).toMatchObject({ code: "aborted", output: [{ type: "text", text: "kept" }] });
    expect(result.telemetry.evaluationMs).toBeLessThan(5_000);
    expect(finalValue(await session.exec({ code: "return 'next';" }))).toBe("next");
  });

  test("while the guest waits for a tool, which hears of it", async () => {
    const controller = new AbortController();
    const session = testSession({ tools: [hang(() => controller.abort())] });
    const result = failed(
      await session.exec({ code: "return await hang({});" }, { signal: controller.signal }),
    );
    expect(result).toMatchObject({ code: "aborted", failurePhase: "bridge", bridgeDispatchStarted: true });
    expect(cancelled).toBe(1);
    expect(finalValue(await session.exec({ code: "return 'next';" }))).toBe("next");
  });

  test("during a wait, which drops the run", async () => {
    const session = testSession({ tools: [hang(() => {})], limits: { timeoutMs: 150 } });
    const { runId } = waiting(await session.exec({ code: "return await hang({});" }));
    const result = failed(await session.wait({ runId }, { signal: AbortSignal.timeout(50) }));
    expect(result.code).toBe("aborted");
    expect(failed(await session.wait({ runId })).error).toContain("unavailable");
  });

  test("by closing the session", async () => {
    const session = testSession({ tools: [hang(() => void session.close())] });
    const running = session.exec({ code: "return await hang({});" });
    expect(failed(await running).code).toBe("aborted");
    expect(failed(await session.exec({ code: "return 1;" }))).toMatchObject({ code: "invalid_input" });
  });
});

describe("order across legs", () => {
  test("replies arrive in the order they settled, timers of one delay in creation order", async () => {
    const session = testSession({
      tools: [tool("slow", async ({ ms }) => sleep(ms, { ms }))],
      limits: { timeoutMs: 120 },
    });
    const code = `
      const seen = [];
      const calls = [300, 200, 250].map((ms) => slow({ ms }).then(() => seen.push(ms)));
      setTimeout(() => seen.push("a"), 150); setTimeout(() => seen.push("b"), 150);
      await Promise.all(calls);
      return seen;`;
    expect(finalValue(await runToEnd(session, code))).toEqual(["a", "b", 200, 250, 300]);
  });

  test("a late and a duplicate settlement change nothing", async () => {
    const slow = deferred();
    const session = testSession({ tools: [tool("slow", () => slow.promise)], limits: { timeoutMs: 150 } });
    const result = waiting(
      await session.exec({
        code: "const t = setTimeout(() => text('never'), 100000); const r = await slow({}); clearTimeout(t); return r;",
      }),
    );
    slow.resolve({ n: 1 });
    slow.resolve({ n: 2 });
    slow.reject(new Error("after"));
    expect(completed(await session.wait({ runId: result.runId }))).toMatchObject({
      value: { n: 1 },
      output: [],
    });
  });

  test("a run that is dropped settles nothing later", async () => {
    const slow = deferred();
    const session = testSession({ tools: [tool("slow", () => slow.promise)], limits: { timeoutMs: 150 } });
    waiting(await session.exec({ code: "text(await slow({}));" }));
    await session.close();
    slow.resolve({ n: 1 });
    await sleep(20);
  });
});

describe("restartSafe", () => {
  test("a suspended run says it may be replayed, and unsafe calls are refused before they run", async () => {
    let ran = 0;
    const session = testSession({
      tools: [
        tool("read", () => ({ ok: true }), { replaySafe: true }),
        tool("write", () => {
          ran++;
          return {};
        }),
      ],
    });
    const first = waiting(
      await session.exec({ code: "await yield_control(); return await read({});", restartSafe: true }),
    );
    expect(first.replaySafe).toBe(true);
    expect(completed(await session.wait({ runId: first.runId }))).toMatchObject({
      replaySafe: true,
      value: { ok: true },
    });
    const unsafe = await session.exec({
      code: "await read({}); await Promise.all([read({}), write({})]);",
      restartSafe: true,
    });
    expect(failed(unsafe)).toMatchObject({ code: "invalid_input", replaySafe: true });
    expect(ran).toBe(0);
  });
});

test("the final value is converted once, however often the cell is suspended afterwards", async () => {
  const session = testSession();
  const code = `
    let reads = 0;
    const value = { get n() { reads++; text("read " + reads); yield_control("a").then(() => yield_control("b")); return reads; } };
    return value;`;
  const result = completed(await runToEnd(session, code));
  expect(result).toMatchObject({ value: { n: 1 }, output: [{ type: "text", text: "read 1" }] });
});

describe("calls that nothing awaits", () => {
  const hangs = () => {
    const heard: boolean[] = [];
    const hang = tool("hang", (_input, { signal }) => {
      signal.addEventListener("abort", () => heard.push(true));
      return new Promise(() => {});
    });
    return { heard, hang };
  };

  test("cell-12 the loser of a race holds the value back for one wait, then is cancelled with a warning", async () => {
    const { heard, hang } = hangs();
    const late = tool("late", async () => sleep(450, "won"));
    const session = testSession({ tools: [hang, late], limits: { timeoutMs: 250 } });
    const first = waiting(await session.exec({ code: "return await Promise.race([hang({}), late({})]);" }));
    expect(first.pendingToolCalls).toHaveLength(2);
    let result = await session.wait({ runId: first.runId });
    for (let waits = 1; result.status === "waiting" && waits < 4; waits++) {
      result = await session.wait({ runId: first.runId });
    }
    expect(completed(result)).toMatchObject({ value: "won" });
    expect(JSON.stringify(completed(result).warnings)).toContain("hang");
    expect(heard).toEqual([true]);
  });

  test("a value that is there before the run parks is handed out by the first wait", async () => {
    const { hang } = hangs();
    const session = testSession({ tools: [hang], limits: { timeoutMs: 250 } });
    const first = waiting(await session.exec({ code: "hang({}); text('out'); return 5;" }));
    const result = completed(await session.wait({ runId: first.runId }));
    expect(result).toMatchObject({ value: 5, output: [] });
    expect(result.warnings).toHaveLength(1);
  });

  test("timers are waited for: they always end", async () => {
    const session = testSession({ limits: { timeoutMs: 200 } });
    const code = "setTimeout(() => text('rang'), 700); return 1;";
    const result = completed(await runToEnd(session, code));
    expect(result.warnings).toBeUndefined();
    expect(result.output).toEqual([{ type: "text", text: "rang" }]);
  });
});
