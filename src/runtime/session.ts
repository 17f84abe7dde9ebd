import { randomBytes, randomUUID } from "node:crypto";
import { messageOf } from "../errors.js";
import { createReplyInbox } from "./bridge/inbox.js";
import { admitCell } from "./bridge/outer-hooks.js";
import { createSessionBridge } from "./bridge/session-bridge.js";
import type { SessionBridge } from "./bridge/types.js";
import { createOutputLedger } from "./output/ledger.js";
import { prepareCell } from "./prepare/prepare.js";
import type { Failure } from "./session/failure.js";
import { guestNames, type InstalledNames } from "./session/guest-names.js";
import { LegResults } from "./session/leg-results.js";
import { parkedRuns } from "./session/parked.js";
import { Run } from "./session/run.js";
import type { CellWorker } from "./supervisor/cell-worker.js";
import { Leg, type LegEnd } from "./supervisor/leg.js";
import { workerPool } from "./supervisor/pool.js";
import type { CellResult, CellSession, CellSessionOptions, LegOptions, RuntimeEvent } from "./types.js";
import type { LegLimits, ToWorker } from "./worker/protocol.js";

export { startRuntime } from "./supervisor/pool.js";

/**
 * Opens a session over one catalog. Its cells run in order or side by side, each in a VM of its own, and
 * share saved results, stored values and counters. Close it: suspended cells hold memory and tool calls.
 */
export function createCellSession(options: CellSessionOptions): CellSession {
  return new Session(options);
}

class Session implements CellSession {
  readonly #options: CellSessionOptions;
  readonly #bridge: SessionBridge;
  readonly #names: InstalledNames;
  readonly #results: LegResults;
  readonly #active = new Set<AbortController>();
  #closed: Promise<void> | undefined;

  constructor(options: CellSessionOptions) {
    this.#options = options;
    this.#bridge = createSessionBridge(options);
    this.#names = guestNames(options.catalog, options.limits.maxPendingToolCalls);
    this.#results = new LegResults(this.#bridge, options, this.#emit);
    workerPool.enter();
  }

  async exec(input: unknown, leg: LegOptions = {}): Promise<CellResult> {
    if (this.#closed) return this.#results.refused("the session is closed");
    const id = `cm_${randomUUID()}`;
    const toolCallId = leg.toolCallId ?? id;
    const admitted = await admitCell(input, toolCallId, this.#options, leg.signal);
    if (!admitted.ok) return this.#results.refused(admitted.error);
    const result = await this.#exec({ id, toolCallId, input: admitted.input }, leg);
    await admitted.after(result);
    return result;
  }

  async #exec(
    { id, toolCallId, input }: { id: string; toolCallId: string; input: unknown },
    leg: LegOptions,
  ): Promise<CellResult> {
    const { limits, languages } = this.#options;
    const prepared = await prepareCell(input, {
      languages: languages ?? ["javascript", "typescript"],
      ...(leg.sourceLabel === undefined ? {} : { sourceLabel: leg.sourceLabel }),
    });
    if (!prepared.ok) return this.#results.refused(prepared.error);
    const { cell } = prepared;
    const run = new Run({
      id,
      cell,
      bridge: this.#bridge.openCell({ runId: id, restartSafe: cell.restartSafe, toolCallId }),
      inbox: createReplyInbox({ maxBytes: Math.min(limits.memoryLimitBytes, limits.maxSnapshotBytes) }),
      ledger: createOutputLedger({ maxBytes: limits.maxOutputBytes }),
      emit: this.#options.onEvent === undefined ? undefined : this.#emit,
    });
    return this.#whileActive(leg, (signal) =>
      this.#leg(run, leg, signal, (knownNames) => ({
        type: "start",
        code: cell.code,
        names: knownNames ? "" : this.#names.json,
        namesKey: this.#names.key,
        seed: newSeed(),
        limits: this.#legLimits(run),
      })),
    );
  }

  async wait(input: unknown, leg: LegOptions = {}): Promise<CellResult> {
    const { limits } = this.#options;
    const id = runIdOf(input);
    if (id === undefined) return this.#results.refused("runId must be a non-empty string.");
    const run = parkedRuns.claim(id, this);
    if (typeof run === "string") return this.#results.refused(run);
    return this.#whileActive(leg, async (signal) => {
      run.waits++;
      run.releaseYields();
      const settled = await settledReply(run, limits.timeoutMs, signal);
      if (settled === "aborted") return this.#results.ended(run, { kind: "aborted", evaluationMs: 0 });
      const conclude = settled === "late" && run.mayConclude();
      if (settled === "late" && !conclude) return this.#park(run);
      const image = run.image!;
      run.image = undefined;
      return this.#leg(
        run,
        leg,
        signal,
        () => ({
          type: "resume",
          image,
          replies: run.takeReplies(),
          seed: newSeed(),
          conclude,
          limits: this.#legLimits(run),
        }),
        [image.memory.buffer as ArrayBuffer],
      );
    });
  }

  close(): Promise<void> {
    this.#closed ??= (async () => {
      for (const controller of this.#active) controller.abort();
      parkedRuns.closeAll(this);
      this.#bridge.close();
      await workerPool.leave();
    })();
    return this.#closed;
  }

  readonly #emit = (event: RuntimeEvent): void => this.#options.onEvent?.(event);

  /** Runs `body` under a signal that the caller, or the end of the session, aborts. */
  async #whileActive(
    leg: LegOptions,
    body: (signal: AbortSignal) => Promise<CellResult>,
  ): Promise<CellResult> {
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    if (leg.signal?.aborted) abort();
    leg.signal?.addEventListener("abort", abort, { once: true });
    this.#active.add(controller);
    try {
      return await body(controller.signal);
    } finally {
      this.#active.delete(controller);
      leg.signal?.removeEventListener("abort", abort);
    }
  }

  async #leg(
    run: Run,
    options: LegOptions,
    signal: AbortSignal,
    first: (knownNames: boolean) => ToWorker,
    transfer?: ArrayBuffer[],
  ): Promise<CellResult> {
    if (signal.aborted) return this.#results.ended(run, { kind: "aborted", evaluationMs: 0 });
    const startedAt = performance.now();
    const { worker, reused } = await workerPool.acquire();
    if (signal.aborted) {
      workerPool.release(worker);
      return this.#results.ended(run, { kind: "aborted", evaluationMs: 0 });
    }
    this.#emit({ type: "worker_start", ms: performance.now() - startedAt, reused });
    run.legs++;
    this.#emit(
      run.legs === 1
        ? { type: "leg_start", runId: run.id, leg: run.legs, language: run.cell.language }
        : { type: "resume", runId: run.id, leg: run.legs, settled: run.pending.settledCount },
    );
    run.onOutput = options.onOutput;
    const message = first(worker.namesKey === this.#names.key);
    worker.namesKey = message.type === "start" ? this.#names.key : worker.namesKey;
    const leg = new Leg(
      worker,
      run,
      { timeoutMs: this.#options.limits.timeoutMs, signal },
      message,
      transfer,
    );
    let scheduled = false;
    run.onSettled = () => {
      if (scheduled) return;
      scheduled = true;
      queueMicrotask(() => {
        scheduled = false;
        leg.pump();
      });
    };
    run.onFailure = () => leg.drop();
    const end = await leg.end;
    run.onSettled = run.onFailure = run.onOutput = undefined;
    const { entries, bytes } = worker.skippedOutput;
    run.ledger.skip(entries, bytes);
    workerPool.release(worker);
    return this.#after(run, end, startedAt, worker);
  }

  #legLimits(run: Run): LegLimits {
    const { timeoutMs, memoryLimitBytes, maxOutputBytes } = this.#options.limits;
    return { timeoutMs, memoryLimitBytes, maxOutputBytes, emittedBytes: run.ledger.totalBytes };
  }

  async #after(run: Run, end: LegEnd, startedAt: number, worker: CellWorker): Promise<CellResult> {
    if (end.kind !== "suspended") {
      try {
        return await this.#results.ended(run, end, startedAt);
      } catch (error) {
        // A worker that reports what no engine reports has broken like one that reports nothing.
        void worker.terminate();
        const message = `it reported a result that cannot be read: ${messageOf(error)}`;
        return this.#results.ended(run, { kind: "fault", message, evaluationMs: 0 }, startedAt);
      }
    }
    run.delivered();
    const failure = this.#parkingFailure(run, end.image.memory.byteLength);
    if (failure !== undefined) return this.#results.failed(run, failure, end.evaluationMs, startedAt);
    run.image = end.image;
    return this.#park(run, end.evaluationMs);
  }

  #parkingFailure(run: Run, bytes: number): Failure | undefined {
    const { maxSnapshotBytes } = this.#options.limits;
    if (bytes > maxSnapshotBytes) {
      this.#emit({
        type: "limit",
        runId: run.id,
        name: "maxSnapshotBytes",
        limit: maxSnapshotBytes,
        value: bytes,
      });
      return {
        code: "snapshot_limit_exceeded",
        error: `code mode snapshot limit exceeded: the suspended cell takes ${bytes} bytes, maxSnapshotBytes is ${maxSnapshotBytes}`,
      };
    }
    if (!parkedRuns.hasRoom(run.id))
      return { code: "invalid_input", error: "too many suspended code mode runs." };
    return undefined;
  }

  #park(run: Run, evaluationMs = 0): CellResult {
    parkedRuns.park(run, this, this.#options.limits.snapshotTtlSeconds);
    return this.#results.waiting(run, evaluationMs);
  }
}

function runIdOf(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const { runId, run_id } = input as { runId?: unknown; run_id?: unknown };
  const given = runId ?? run_id;
  if (typeof given !== "string") return undefined;
  return given.trim() || undefined;
}

/** Waits until a parked run has a reply to go on with, at most `ms`. */
function settledReply(run: Run, ms: number, signal: AbortSignal): Promise<"ready" | "late" | "aborted"> {
  if (signal.aborted) return Promise.resolve("aborted");
  if (run.hasReplies()) return Promise.resolve("ready");
  return new Promise((resolve) => {
    const finish = (outcome: "ready" | "late" | "aborted"): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", aborted);
      run.onSettled = undefined;
      resolve(outcome);
    };
    const aborted = (): void => finish("aborted");
    const timer = setTimeout(() => finish("late"), ms);
    signal.addEventListener("abort", aborted, { once: true });
    run.onSettled = () => finish("ready");
  });
}

function newSeed(): bigint {
  return randomBytes(8).readBigUInt64LE();
}
