import type { CellTelemetry } from "../types.js";

/** A request of the guest, as the worker forwards it. `args` is the JSON text of an argument array. */
export interface BridgeRequest {
  /** `bridge:<method>:<n>`, unique within a run. */
  id: string;
  method: string;
  args: string;
}

/** A settled request. Values cross as JSON text, errors as plain data: never a host object. */
export type BridgeReply =
  | { ok: true; json: string }
  | {
      ok: false;
      message: string;
      /** Absent on errors the guest sees without a code (API paths, inbox, cancellation). */
      code?: string;
      effectStatus?: "unknown";
    };

/** Requests that need the host. `yield` and `sleep` are settled by the session itself. */
export interface CellBridge {
  /**
   * Never rejects: a fault becomes an error reply.
   * @param onBegin hears that the tool of the request begins, once what it had to wait for is over
   */
  handle(request: BridgeRequest, signal: AbortSignal, onBegin?: () => void): Promise<BridgeReply>;
  /** The callable name of the tool a request is about, for logs. */
  toolOf(request: BridgeRequest): string | undefined;
  /** Whether a `restartSafe` cell may make this request. */
  isReplaySafe(request: BridgeRequest): boolean;
  /** Commits buffered `store()` writes; called once, when the cell has completed. */
  commit(): Promise<void>;
  /** Drops buffered writes; called when the cell fails or is dropped. */
  discard(): void;
}

/** Descriptor of a saved result, as `results.save` returns it. */
export interface ResultReference {
  id: string;
  bytes: number;
  count: number;
  shape: string;
  preview: string;
  previewTruncated: boolean;
}

/** The bridge of one session: shared counters, saved results and session store. */
export interface SessionBridge {
  /** `toolCallId`: the call of `exec` that nested calls belong to; the run's id unless given. */
  openCell(cell: { runId: string; restartSafe: boolean; toolCallId?: string }): CellBridge;
  telemetry(): CellTelemetry;
  results: {
    /** Saves JSON text; throws an error with a clear message when full. */
    save(json: string): ResultReference;
    release(id: string): void;
  };
  close(): void;
}
