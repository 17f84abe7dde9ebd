import type { VmImage } from "../engine/image.js";
import type { ValueWarning } from "../types.js";

/** Handed to the thread when it starts. */
export interface WorkerSetup {
  /** Path of the engine's WebAssembly module. */
  enginePath: string;
  /** Path of the booted image; the worker boots by itself when it is missing or does not fit. */
  imagePath: string;
  /** Memory of `OutputCounters`. */
  counters: SharedArrayBuffer;
}

export interface GuestRequest {
  id: string;
  method: string;
  /** JSON text of the argument array. */
  args: string;
  /** Raw frames of the call. */
  site: string;
}

/** A settled request on its way into the guest. On failure `json` is the text of a `FailurePayload`. */
export interface GuestReply {
  id: string;
  ok: boolean;
  json: string;
}

export interface LegLimits {
  timeoutMs: number;
  memoryLimitBytes: number;
  maxOutputBytes: number;
  /** What earlier legs of the cell have emitted. */
  emittedBytes: number;
}

export type ToWorker =
  /** A fresh VM runs `code`; `names` is the JSON text of `GuestNames`, `namesKey` its identity, `seed` 64 random bits. */
  | { type: "start"; code: string; names: string; namesKey: string; seed: bigint; limits: LegLimits }
  /** With `conclude`, the leg ends once the value is there, whatever calls are still out. */
  | {
      type: "resume";
      image: VmImage;
      replies: GuestReply[];
      seed: bigint;
      limits: LegLimits;
      conclude: boolean;
    }
  /** Only while the guest is idle. */
  | { type: "replies"; replies: GuestReply[] }
  | { type: "suspend" }
  /** Only while the guest is idle and its value is there: ends the leg without the calls still out. */
  | { type: "conclude" }
  | { type: "drop" };

/** One error in a chain: the reason itself, a cause, or a member of an aggregate. */
export interface ReasonPart {
  label: string;
  header: string;
  stack: string;
}

export type LegOutcome =
  | { kind: "value"; json: string; warnings: ValueWarning[] }
  | { kind: "thrown"; reason: ReasonPart[] }
  /** The engine does not compile the source. */
  | { kind: "refused"; reason: ReasonPart[] }
  | { kind: "memory"; reason: ReasonPart[] }
  | { kind: "timeout" }
  /** More calls than may be pending; nothing of that stretch was dispatched. */
  | { kind: "overflow" }
  /** The cell waits for something that can never happen. */
  | { kind: "stuck" };

export type FromWorker =
  | { type: "ready" }
  /** The next guest instruction is the first of this leg. */
  | { type: "begin" }
  /** JSON texts of emitted entries, in order. */
  | { type: "output"; entries: string[] }
  /**
   * Nothing is left to run until a reply comes; `running` counts the requests in flight, `settled` tells
   * whether the value is there and only calls nobody awaits are out.
   */
  | { type: "idle"; requests: GuestRequest[]; cancelled: string[]; running: number; settled: boolean }
  | { type: "done"; outcome: LegOutcome; evaluationMs: number }
  | { type: "suspended"; image: VmImage; evaluationMs: number }
  /** The engine broke; this thread ends. */
  | { type: "fault"; message: string };
