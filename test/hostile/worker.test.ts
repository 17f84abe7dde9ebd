import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { MAX_PARKED, parkedRuns } from "../../src/runtime/session/parked.js";
import { CellWorker } from "../../src/runtime/supervisor/cell-worker.js";
import { WorkerPool, workerPool } from "../../src/runtime/supervisor/pool.js";
import { workerFiles } from "../../src/runtime/supervisor/worker-files.js";
import { failed, finalValue, testSession, tool, waiting } from "../support/cells.js";
import { describeFull } from "../support/full.js";
import { tempDir } from "../support/temp.js";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Makes the next cell of a session run on this worker. */
function nextWorker(make: () => CellWorker): void {
  vi.spyOn(workerPool, "acquire").mockImplementationOnce(async () => ({ worker: make(), reused: false }));
}

/** An idle report with one timer whose arguments are this text. */
function sleepOf(args: string): object {
  const requests = [{ id: "bridge:sleep:1", method: "sleep", args, site: "" }];
  return { type: "idle", requests, cancelled: [], running: 1 };
}

describe("a worker that fails", () => {
  test("without an engine the cell is refused as unavailable, and the next one runs", async () => {
    const session = testSession();
    nextWorker(() => new CellWorker({ ...workerFiles(), engine: "/nonexistent/engine.wasm" }));
    expect(failed(await session.exec({ code: "return 1;" }))).toMatchObject({
      code: "runtime_unavailable",
      failurePhase: "host",
      error: expect.stringContaining("unavailable"),
      output: [],
    });
    expect(finalValue(await session.exec({ code: "return 'next';" }))).toBe("next");
  });

  test("an engine module that is no module is unavailable too", async () => {
    const session = testSession();
    const dir = tempDir({ "engine.wasm": "not a module" });
    nextWorker(() => new CellWorker({ ...workerFiles(), engine: join(dir, "engine.wasm") }));
    expect(failed(await session.exec({ code: "return 1;" })).code).toBe("runtime_unavailable");
  });

  test("a thread that exits before it is ready is unavailable", async () => {
    const session = testSession();
    const dir = tempDir({ "worker.cjs": "process.exit(3);" });
    nextWorker(() => new CellWorker({ ...workerFiles(), worker: join(dir, "worker.cjs") }));
    expect(failed(await session.exec({ code: "return 1;" }))).toMatchObject({
      code: "runtime_unavailable",
      error: expect.stringContaining("3"),
    });
  });

  test.each([
    ["requests that are none", { type: "idle", requests: 1, cancelled: 2, running: 1 }],
    ["arguments that are no JSON", sleepOf("garbage")],
    [
      "a value that is no JSON",
      { type: "done", evaluationMs: 1, outcome: { kind: "value", json: "{", warnings: [] } },
    ],
    ["no outcome", { type: "done", evaluationMs: 1 }],
  ])("a thread that reports %s ends the cell, not the process", async (_what, message) => {
    const session = testSession();
    const script = `const { parentPort: port } = require("node:worker_threads");
port.on("message", () => { port.postMessage({ type: "begin" }); port.postMessage(${JSON.stringify(message)}); });
port.postMessage({ type: "ready" });`;
    const dir = tempDir({ "worker.cjs": script });
    nextWorker(() => new CellWorker({ ...workerFiles(), worker: join(dir, "worker.cjs") }));
    expect(failed(await session.exec({ code: "return 1;" })).code).toBe("internal_error");
    expect(finalValue(await session.exec({ code: "return 'next';" }))).toBe("next");
  });

  test("a thread that dies in the middle ends the cell, not the process; what it emitted is kept", async () => {
    let worker: CellWorker | undefined;
    const session = testSession({
      tools: [
        tool("crash", () => {
          void worker!.terminate();
          return new Promise(() => {});
        }),
      ],
    });
    nextWorker(() => {
      worker = new CellWorker();
      return worker;
    });
    expect(failed(await session.exec({ code: "text('kept'); await crash({});" }))).toMatchObject({
      code: "internal_error",
      output: [{ type: "text", text: "kept" }],
    });
    expect(finalValue(await session.exec({ code: "return 'next';" }))).toBe("next");
  });

  test("a broken snapshot ends its run, not the process", async () => {
    for (const damage of [
      (memory: Uint8Array) => memory.fill(0),
      (memory: Uint8Array) => memory.fill(255),
      (memory: Uint8Array) => {
        for (let at = 0; at < memory.length; at += 997) memory[at]! ^= 0x5a;
      },
    ]) {
      const session = testSession({ limits: { timeoutMs: 300 } });
      const { runId } = waiting(await session.exec({ code: "await yield_control(); return 1;" }));
      const run = parkedRuns.claim(runId, session as object);
      if (typeof run === "string") throw new Error(run);
      damage(run.image!.memory);
      parkedRuns.park(run, session as object, 10_000);
      expect(["internal_error", "timeout", "runtime_unavailable"]).toContain(
        failed(await session.wait({ runId })).code,
      );
      expect(finalValue(await session.exec({ code: "return 'next';" }))).toBe("next");
    }
  });

  test("a snapshot is used once: a second wait finds nothing to restore", async () => {
    const session = testSession();
    const { runId } = waiting(await session.exec({ code: "await yield_control(); return Math.random();" }));
    const [first, second] = await Promise.all([session.wait({ runId }), session.wait({ runId })]);
    expect([first.status, second.status]).toEqual(["completed", "failed"]);
    expect(failed(await session.wait({ runId })).code).toBe("invalid_input");
  });
});

describeFull("a worker that never starts", "it waits for the start allowance of 5 s", () => {
  test("is given up after the allowance", async () => {
    const session = testSession();
    const dir = tempDir({ "worker.cjs": "setInterval(() => {}, 1000);" });
    nextWorker(() => new CellWorker({ ...workerFiles(), worker: join(dir, "worker.cjs") }));
    const startedAt = performance.now();
    expect(failed(await session.exec({ code: "return 1;" })).code).toBe("runtime_unavailable");
    expect(performance.now() - startedAt).toBeLessThan(6_500);
  });
});

describe("nothing is left", () => {
  const threads = (): number => (process.platform === "linux" ? readdirSync("/proc/self/task").length : 0);
  const handles = (): string[] => process.getActiveResourcesInfo().filter((name) => name !== "Immediate");

  test("no thread, timer, port or file handle after sessions have closed, whatever ran in them", async () => {
    const pool = new WorkerPool();
    vi.spyOn(workerPool, "acquire").mockImplementation(() => pool.acquire());
    vi.spyOn(workerPool, "release").mockImplementation((worker) => pool.release(worker));
    pool.enter();
    await sleep(50);
    const before = { threads: threads(), handles: handles().length };
    const session = testSession({
      tools: [tool("never", () => new Promise(() => {})), tool("echo", (input) => input)],
      limits: { timeoutMs: 150 },
    });
    await session.exec({ code: "return await echo({});" });
    await session.exec({ code: "for (;;) {}" });
    await session.exec({ code: "new Array(1e9) + '';" });
    await session.exec({ code: "setTimeout(() => {}, 1e8); await yield_control();" });
    await session.exec({ code: "return await never({});" });
    await session.exec({ code: "text('x'); throw new Error('x');" });
    await session.exec({ code: "return 1;" }, { signal: AbortSignal.timeout(1) });
    await session.close();
    await pool.leave();
    expect(parkedRuns.size).toBeLessThan(MAX_PARKED);
    for (let round = 0; round < 40 && threads() > before.threads; round++) await sleep(50);
    expect(pool.size).toBe(0);
    expect(threads()).toBeLessThanOrEqual(before.threads);
    expect(handles().length).toBeLessThanOrEqual(before.handles);
  });

  test("more cells than threads wait their turn and all end", async () => {
    const session = testSession({ tools: [tool("echo", (input) => input)] });
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, n) => session.exec({ code: `return (await echo({ n: ${n} })).n;` })),
    );
    expect(all.map(finalValue)).toEqual(Array.from({ length: 40 }, (_, n) => n));
    expect(workerPool.size).toBeLessThanOrEqual(18);
  });
});
