import type { CodeModeLimits } from "../../config/limits.js";
import { messageOf } from "../../errors.js";
import type { SessionBridge } from "../bridge/types.js";
import type { ValueSaver } from "../output/ledger.js";
import type { LegEnd } from "../supervisor/leg.js";
import type {
  CellFailed,
  CellResult,
  CellSessionOptions,
  CellTelemetry,
  CellWaiting,
  FailurePhase,
  RuntimeEvent,
} from "../types.js";
import type { LegOutcome } from "../worker/protocol.js";
import { type Failure, failureOf } from "./failure.js";
import { parkedRuns } from "./parked.js";
import type { Run } from "./run.js";

/** Limits that end a leg, by what the guest came to. */
const LIMIT_OF: Partial<Record<LegOutcome["kind"], keyof CodeModeLimits>> = {
  timeout: "timeoutMs",
  memory: "memoryLimitBytes",
  overflow: "maxPendingToolCalls",
};

function isMarker(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { truncated, guidance } = value as { truncated?: unknown; guidance?: unknown };
  return truncated === true && typeof guidance === "string";
}

/** Turns the end of a leg into the result its caller gets, and ends the run unless it waits. */
export class LegResults {
  constructor(
    private readonly bridge: SessionBridge,
    private readonly options: CellSessionOptions,
    private readonly emit: (event: RuntimeEvent) => void,
  ) {}

  /** The cell never began. */
  refused(error: string): CellFailed {
    const bounded = error.slice(0, this.options.limits.maxOutputBytes);
    this.emit({ type: "result", status: "failed", code: "invalid_input", error: bounded, ms: 0 });
    return {
      status: "failed",
      code: "invalid_input",
      failurePhase: "input",
      bridgeDispatchStarted: false,
      telemetry: this.bridge.telemetry(),
      output: [],
      error: bounded,
    };
  }

  async ended(
    run: Run,
    end: Exclude<LegEnd, { kind: "suspended" }>,
    startedAt = performance.now(),
  ): Promise<CellResult> {
    const evaluationMs = "evaluationMs" in end ? end.evaluationMs : 0;
    const outcome = end.kind === "done" ? end.outcome : undefined;
    if (run.failure === undefined && outcome?.kind === "value") {
      return this.#completed(run, outcome, evaluationMs, startedAt);
    }
    if (run.failure === undefined && outcome !== undefined) this.#tellLimit(run, LIMIT_OF[outcome.kind]);
    return this.failed(run, run.failure ?? this.#failure(run, end), evaluationMs, startedAt);
  }

  waiting(run: Run, evaluationMs: number): CellWaiting {
    const pending = run.pending.list();
    const reason =
      pending.length > 0 && pending.every(({ method }) => method === "yield") ? "yield" : "pending_tools";
    this.emit({
      type: "suspend",
      runId: run.id,
      reason,
      pending: pending.length,
      snapshotBytes: run.image?.memory.byteLength ?? 0,
    });
    return {
      status: "waiting",
      runId: run.id,
      reason,
      pendingToolCalls: pending,
      ...this.#replaySafe(run),
      telemetry: this.#telemetry(evaluationMs),
      output: run.ledger.waiting().output,
    };
  }

  failed(run: Run, failure: Failure, evaluationMs: number, startedAt: number): CellFailed {
    run.bridge.discard();
    const { output, error } = run.ledger.failed(failure.error);
    if (failure.code === "output_limit_exceeded" || output.some(isMarker)) {
      this.#tellLimit(run, "maxOutputBytes");
    }
    this.emit({
      type: "result",
      runId: run.id,
      status: "failed",
      code: failure.code,
      error,
      ms: performance.now() - startedAt,
    });
    this.#over(run);
    return {
      status: "failed",
      code: failure.code,
      failurePhase: phaseOf(failure, run),
      bridgeDispatchStarted: run.dispatchStarted,
      ...this.#replaySafe(run),
      telemetry: this.#telemetry(evaluationMs),
      output,
      error,
    };
  }

  async #completed(
    run: Run,
    outcome: Extract<LegOutcome, { kind: "value" }>,
    evaluationMs: number,
    startedAt: number,
  ): Promise<CellResult> {
    try {
      await run.bridge.commit();
    } catch (error) {
      const failure: Failure = {
        code: "internal_error",
        error: `stored values were not kept: ${messageOf(error)}`,
      };
      return this.failed(run, failure, evaluationMs, startedAt);
    }
    const warnings = [...outcome.warnings, ...run.abandonedCalls()];
    const { output, value } = run.ledger.completed(outcome.json, this.#saver(run));
    if (output.some(isMarker) || isMarker(value)) this.#tellLimit(run, "maxOutputBytes");
    this.emit({ type: "result", runId: run.id, status: "completed", ms: performance.now() - startedAt });
    this.#over(run);
    return {
      status: "completed",
      ...this.#replaySafe(run),
      ...(warnings.length === 0 ? {} : { warnings }),
      telemetry: this.#telemetry(evaluationMs),
      output,
      value,
    };
  }

  #tellLimit(run: Run, name: keyof CodeModeLimits | undefined): void {
    if (name === undefined) return;
    this.emit({ type: "limit", runId: run.id, name, limit: this.options.limits[name] });
  }

  #saver(run: Run): ValueSaver | undefined {
    if (this.options.saveOversizedValues === false || run.cell.restartSafe) return undefined;
    return this.bridge.results;
  }

  #failure(run: Run, end: Exclude<LegEnd, { kind: "suspended" }>): Failure {
    switch (end.kind) {
      case "done":
        return failureOf(end.outcome, run.cell, this.options.limits)!;
      case "unavailable":
        return {
          code: "runtime_unavailable",
          phase: "host",
          error: `code mode runtime is unavailable: ${end.message}`,
        };
      case "fault":
        return { code: "internal_error", phase: "host", error: `the cell engine broke: ${end.message}` };
      default:
        return { code: "aborted", phase: "host", error: "code mode execution aborted" };
    }
  }

  #over(run: Run): void {
    parkedRuns.forget(run.id);
    run.close();
  }

  #replaySafe(run: Run): { replaySafe?: true } {
    return run.cell.restartSafe ? { replaySafe: true } : {};
  }

  #telemetry(evaluationMs: number): CellTelemetry {
    return { ...this.bridge.telemetry(), evaluationMs: Math.round(evaluationMs * 10) / 10 };
  }
}

function phaseOf(failure: Failure, run: Run): FailurePhase {
  if (failure.phase === "input") return "input";
  if (run.dispatchStarted) return "bridge";
  return failure.phase ?? "guest";
}
