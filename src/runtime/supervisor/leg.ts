import { messageOf } from "../../errors.js";
import type { VmImage } from "../engine/image.js";
import type { GuestReply, GuestRequest, LegOutcome, ToWorker } from "../worker/protocol.js";
import type { CellWorker, WorkerMessage } from "./cell-worker.js";

/** Worker and VM have this long to reach the first guest instruction. */
const START_ALLOWANCE_MS = 5_000;
/** How long past its limit a leg may go on before its thread is ended: native loops hear no interrupt. */
const KILL_SLACK_MS = 100;
/** Taking a snapshot is bounded by its size; more than this means the engine hangs. */
const SUSPEND_ALLOWANCE_MS = 5_000;

export type LegEnd =
  | { kind: "done"; outcome: LegOutcome; evaluationMs: number }
  | { kind: "suspended"; image: VmImage; evaluationMs: number }
  /** The engine could not be started. */
  | { kind: "unavailable"; message: string }
  /** The engine or its thread broke while the cell ran. */
  | { kind: "fault"; message: string; evaluationMs: number }
  | { kind: "aborted"; evaluationMs: number }
  /** Ended by its run, which knows why. */
  | { kind: "dropped"; evaluationMs: number };

/** What a leg asks of the run it belongs to. */
export interface LegHost {
  output(entries: string[]): void;
  /** New requests, in order, and those the cell has withdrawn. May drop the leg. */
  requests(requests: GuestRequest[], cancelled: string[]): void;
  /** Whether the leg has to pause now, as a `yield` asks. */
  wantsPause(): boolean;
  hasReplies(): boolean;
  /** Settled replies the guest has not seen; they count as delivered at the next `delivered`. */
  takeReplies(): GuestReply[];
  delivered(): void;
  /** The cell's value is there; calls nobody awaits may still be out. */
  valueSettled(): void;
  /** Whether the leg may end with its value although calls are out. */
  mayConclude(): boolean;
}

export interface LegOptions {
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

/**
 * One leg on one worker, from its first message to its end. Messages alternate: while the guest works
 * nothing is sent to it; once it is idle, settled replies go in as one batch.
 */
export class Leg {
  readonly end: Promise<LegEnd>;
  readonly #worker: CellWorker;
  readonly #host: LegHost;
  readonly #options: LegOptions;
  #finish!: (end: LegEnd) => void;
  #ended = false;
  #begunAt: number | undefined;
  #busy = true;
  #suspending = false;
  #replySent = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    worker: CellWorker,
    host: LegHost,
    options: LegOptions,
    first: ToWorker,
    transfer?: ArrayBuffer[],
  ) {
    this.#worker = worker;
    this.#host = host;
    this.#options = options;
    this.end = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#watch(START_ALLOWANCE_MS, () =>
      this.#kill({
        kind: "unavailable",
        message: `the cell engine did not start within ${START_ALLOWANCE_MS} ms`,
      }),
    );
    worker.listen((message) => this.#receive(message));
    options.signal?.addEventListener("abort", this.#abort, { once: true });
    if (options.signal?.aborted) this.#abort();
    else worker.send(first, transfer);
  }

  /** Looks whether there is something to do for an idle guest; called when a request has settled. */
  pump(): void {
    if (this.#busy || this.#suspending || this.#ended) return;
    if (this.#host.wantsPause()) {
      this.#suspend();
      return;
    }
    if (!this.#host.hasReplies()) return;
    if (this.#options.timeoutMs - this.#elapsed() < resumeFloor(this.#options.timeoutMs)) {
      this.#suspend();
      return;
    }
    const replies = this.#host.takeReplies();
    this.#busy = true;
    this.#replySent = true;
    this.#worker.send({ type: "replies", replies });
  }

  /** Ends the leg from outside; its VM is given up. */
  drop(): void {
    if (this.#ended) return;
    const busy = this.#busy || this.#suspending;
    if (!busy) this.#worker.send({ type: "drop" });
    this.#settle({ kind: "dropped", evaluationMs: this.#elapsed() }, busy);
  }

  /** What a worker says is never worth the process: a message that makes no sense ends the leg. */
  #receive(message: WorkerMessage): void {
    try {
      this.#hear(message);
    } catch (error) {
      this.#kill({
        kind: "fault",
        message: `a message of the worker cannot be read: ${messageOf(error)}`,
        evaluationMs: this.#elapsed(),
      });
    }
  }

  #hear(message: WorkerMessage): void {
    switch (message.type) {
      case "begin":
        this.#begunAt = performance.now();
        this.#watch(this.#options.timeoutMs, () => this.#limit());
        break;
      case "output":
        this.#host.output(message.entries);
        break;
      case "idle":
        this.#busy = false;
        this.#acknowledge();
        if (message.settled) this.#host.valueSettled();
        this.#host.requests(message.requests, message.cancelled);
        this.pump();
        break;
      case "done":
        this.#acknowledge();
        this.#settle({ kind: "done", outcome: message.outcome, evaluationMs: message.evaluationMs });
        break;
      case "suspended":
        this.#settle({ kind: "suspended", image: message.image, evaluationMs: message.evaluationMs });
        break;
      case "fault":
      case "exit":
        this.#kill(
          this.#begunAt === undefined
            ? { kind: "unavailable", message: message.message }
            : { kind: "fault", message: message.message, evaluationMs: this.#elapsed() },
        );
        break;
    }
  }

  /** The guest has run on: what was sent to it is in. */
  #acknowledge(): void {
    if (!this.#replySent) return;
    this.#replySent = false;
    this.#host.delivered();
  }

  /** The leg's time is up: an idle guest is parked, a busy one gets a moment to hear the interrupt. */
  #limit(): void {
    if (!this.#busy && this.#host.mayConclude()) {
      this.#busy = true;
      this.#worker.send({ type: "conclude" });
    }
    if (!this.#busy) {
      this.#suspend();
      return;
    }
    this.#watch(KILL_SLACK_MS, () => {
      const evaluationMs = this.#elapsed();
      this.#kill({ kind: "done", outcome: { kind: "timeout" }, evaluationMs });
    });
  }

  #suspend(): void {
    this.#suspending = true;
    this.#worker.send({ type: "suspend" });
    this.#watch(SUSPEND_ALLOWANCE_MS, () =>
      this.#kill({
        kind: "fault",
        message: `no snapshot within ${SUSPEND_ALLOWANCE_MS} ms`,
        evaluationMs: this.#elapsed(),
      }),
    );
  }

  #abort = (): void => {
    const end: LegEnd = { kind: "aborted", evaluationMs: this.#elapsed() };
    if (this.#busy || this.#suspending) {
      this.#kill(end);
      return;
    }
    this.#worker.send({ type: "drop" });
    this.#settle(end);
  };

  #kill(end: LegEnd): void {
    this.#settle(end, true);
  }

  #settle(end: LegEnd, terminate = false): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener("abort", this.#abort);
    if (!terminate) {
      this.#worker.listen(undefined);
      this.#finish(end);
      return;
    }
    // Messages posted before the end still arrive: what the cell emitted is kept.
    this.#worker.listen((message) => {
      if (message.type === "output") this.#host.output(message.entries);
    });
    void this.#worker.terminate().then(() => {
      this.#worker.listen(undefined);
      this.#finish(end);
    });
  }

  #elapsed(): number {
    return this.#begunAt === undefined ? 0 : performance.now() - this.#begunAt;
  }

  #watch(ms: number, action: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(action, ms);
  }
}

/** With less of its budget left than this, a leg hands a reply to the next one instead of starting work. */
function resumeFloor(timeoutMs: number): number {
  return Math.min(250, Math.floor(timeoutMs / 2));
}
