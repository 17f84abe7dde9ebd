import type { ReplyInbox } from "../bridge/inbox.js";
import { PASSIVE_METHODS } from "../bridge/methods.js";
import type { BridgeReply, CellBridge } from "../bridge/types.js";
import type { VmImage } from "../engine/image.js";
import type { OutputLedger } from "../output/ledger.js";
import type { PreparedCell } from "../prepare/types.js";
import type { LegHost } from "../supervisor/leg.js";
import type { CellOutput, RuntimeEvent, ValueWarning } from "../types.js";
import type { GuestReply, GuestRequest } from "../worker/protocol.js";
import type { Failure } from "./failure.js";
import { PendingRequests } from "./pending.js";

/** What a run needs from its session. */
export interface RunParts {
  id: string;
  cell: PreparedCell;
  bridge: CellBridge;
  inbox: ReplyInbox;
  ledger: OutputLedger;
  /** Left out when nobody listens: naming the tool of each request has its price. */
  emit?: ((event: RuntimeEvent) => void) | undefined;
}

/**
 * One cell from its first leg to its end: what it has asked for, what came back, and, while it is parked,
 * its VM. Knows nothing of workers; a leg drives it through `LegHost`.
 */
export class Run implements LegHost {
  readonly id: string;
  readonly cell: PreparedCell;
  readonly bridge: CellBridge;
  readonly ledger: OutputLedger;
  readonly pending = new PendingRequests();
  /** Legs begun. */
  legs = 0;
  /** Times it was resumed, or asked to be. */
  waits = 0;
  /** The value is there. */
  #settledValue = false;
  /** The VM, while parked. */
  image: VmImage | undefined;
  /** A request that could have effects has been dispatched. */
  dispatchStarted = false;
  /** Ends the leg from inside a host callback, once. */
  failure: Failure | undefined;
  onFailure: (() => void) | undefined;
  /** Hears that a reply has settled. */
  onSettled: (() => void) | undefined;
  onOutput: ((entry: CellOutput) => void) | undefined;
  readonly #inbox: ReplyInbox;
  readonly #emit: ((event: RuntimeEvent) => void) | undefined;
  readonly #calls = new AbortController();
  #closed = false;

  constructor(parts: RunParts) {
    this.id = parts.id;
    this.cell = parts.cell;
    this.bridge = parts.bridge;
    this.ledger = parts.ledger;
    this.#inbox = parts.inbox;
    this.#emit = parts.emit;
  }

  output(entries: string[]): void {
    if (this.#closed) return;
    this.ledger.append(entries);
    if (this.onOutput === undefined) return;
    for (const entry of entries) this.onOutput(JSON.parse(entry) as CellOutput);
  }

  requests(requests: GuestRequest[], cancelled: string[]): void {
    for (const id of cancelled) this.pending.withdraw(id);
    if (this.cell.restartSafe && requests.some((request) => !this.#isReplaySafe(request))) {
      this.fail({
        code: "invalid_input",
        phase: "input",
        error:
          "a restartSafe cell may only make calls that change nothing: search, describe, read-only and replay-safe tools",
      });
      return;
    }
    for (const request of requests) this.#dispatch(request);
  }

  wantsPause(): boolean {
    return this.pending.unsettled("yield").length > 0;
  }

  hasReplies(): boolean {
    return this.pending.hasReplies;
  }

  takeReplies(): GuestReply[] {
    return this.pending.take();
  }

  delivered(): void {
    for (const id of this.pending.delivered()) this.#inbox.delivered(id);
  }

  valueSettled(): void {
    this.#settledValue = true;
  }

  /**
   * Calls nobody awaits hold the value back until the end of the first `wait` in which it is there, no
   * longer: one that never answers would hold it for ever. Timers always end, so they are waited for.
   */
  mayConclude(): boolean {
    return (
      this.#settledValue &&
      this.waits > 0 &&
      this.pending.unsettled("sleep").length === 0 &&
      this.pending.unsettled("yield").length === 0
    );
  }

  /** What is said of calls that were still out when the cell completed. */
  abandonedCalls(): ValueWarning[] {
    return this.pending.unsettledRequests().map((request) => ({
      path: "",
      was: `a call of ${this.bridge.toolOf(request) ?? request.method} that nothing awaited`,
      became: "was cancelled, since it did not answer within a leg of the cell's value",
    }));
  }

  /** Lets every paused `yield_control` go on. */
  releaseYields(): void {
    for (const { request } of this.pending.unsettled("yield")) {
      const [reason] = JSON.parse(request.args) as [unknown];
      this.#settle(request, { ok: true, json: JSON.stringify({ status: "yielded", reason }) });
    }
  }

  /** Nobody resumed it in time. */
  expire(snapshotTtlSeconds: number): void {
    this.#emit?.({ type: "limit", runId: this.id, name: "snapshotTtlSeconds", limit: snapshotTtlSeconds });
    this.close();
  }

  /** Ends the run as failed from outside the guest. */
  fail(failure: Failure): void {
    this.failure ??= failure;
    this.onFailure?.();
  }

  /** Cancels its calls and drops what it holds. The run is over. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.image = undefined;
    this.#calls.abort();
    this.pending.clear();
    this.#inbox.clear();
    this.onFailure = this.onSettled = this.onOutput = undefined;
  }

  #isReplaySafe(request: GuestRequest): boolean {
    return request.method === "sleep" || request.method === "yield" || this.bridge.isReplaySafe(request);
  }

  #dispatch(request: GuestRequest): void {
    this.#emit?.({
      type: "request",
      runId: this.id,
      id: request.id,
      method: request.method,
      ...this.#toolOf(request),
      bytes: request.args.length,
    });
    if (!PASSIVE_METHODS.has(request.method)) this.dispatchStarted = true;
    if (request.method === "yield") {
      this.pending.add(request, () => {});
      return;
    }
    if (request.method === "sleep") {
      const [ms] = JSON.parse(request.args) as [number];
      const timer = setTimeout(() => this.#settle(request, { ok: true, json: "null" }), ms);
      this.pending.add(request, () => clearTimeout(timer));
      return;
    }
    const pending = this.pending.add(request, () => {});
    this.bridge
      .handle({ id: request.id, method: request.method, args: request.args }, this.#calls.signal, () => {
        pending.begunAt = performance.now();
      })
      .then(
        (reply) => this.#settle(request, reply),
        () => this.#settle(request, { ok: false, message: "the host failed to serve this request" }),
      );
  }

  #settle(request: GuestRequest, reply: BridgeReply): void {
    const pending = this.pending.get(request.id);
    if (this.#closed || pending === undefined || pending.reply !== undefined) return;
    const admitted = this.#inbox.admit(request.id, reply);
    const json = admitted.ok ? admitted.json : this.#failureJson(request, admitted);
    this.pending.settle({ id: request.id, ok: admitted.ok, json });
    this.#emit?.({
      type: "reply",
      runId: this.id,
      id: request.id,
      method: request.method,
      ...this.#toolOf(request),
      ok: admitted.ok,
      ...(admitted.ok ? {} : { error: admitted.message }),
      ms: performance.now() - pending.startedAt,
      queueMs: pending.begunAt === undefined ? 0 : pending.begunAt - pending.startedAt,
      bytes: json.length,
    });
    this.onSettled?.();
  }

  #toolOf(request: GuestRequest): { tool?: string } {
    const tool = this.bridge.toolOf(request);
    return tool === undefined ? {} : { tool };
  }

  #failureJson(request: GuestRequest, failure: Extract<BridgeReply, { ok: false }>): string {
    const { message, code, effectStatus } = failure;
    return JSON.stringify({ message, code, effectStatus, location: this.cell.mapFrames(request.site) });
  }
}
