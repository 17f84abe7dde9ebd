import type { Approver, ToolHooks } from "../catalog/hooks.js";
import type { Catalog } from "../catalog/types.js";
import type { CodeModeLimits } from "../config/limits.js";
import type { SavedResults } from "./bridge/saved-results.js";

export type CellLanguage = "javascript" | "typescript";

export type CellErrorCode =
  | "invalid_input"
  | "runtime_unavailable"
  | "aborted"
  | "timeout"
  | "output_limit_exceeded"
  | "snapshot_limit_exceeded"
  | "internal_error";

/** Where a failed cell failed. */
export type FailurePhase = "input" | "guest" | "host" | "bridge";

export type CellOutput = { type: "text"; text: string } | { type: "json"; value: unknown } | TruncationMarker;

/** Stands for data that did not fit; a successful partial result, not a failure. */
export interface TruncationMarker {
  truncated: true;
  omittedBytes: number;
  guidance: string;
  prefix: string;
}

/** One place where the final value lost data on its way to JSON. */
export interface ValueWarning {
  path: string;
  was: string;
  became: string;
}

export interface CellTelemetry {
  catalogSize: number;
  sources: { openclaw: number; mcp: number; client: number };
  counterScope: string;
  searchCount: number;
  describeCount: number;
  callCount: number;
  /** Calls whose `details` grade as a failure although they resolved. */
  failedCallCount: number;
  visibleTools: string[];
  /** Milliseconds of this leg from its first guest instruction to its end. */
  evaluationMs?: number;
}

interface CellResultBase {
  replaySafe?: true;
  telemetry: CellTelemetry;
  output: CellOutput[];
}

export interface CellCompleted extends CellResultBase {
  status: "completed";
  value: unknown;
  /** At most 20 places, then one entry that counts the rest. */
  warnings?: ValueWarning[];
}

export interface CellFailed extends CellResultBase {
  status: "failed";
  code: CellErrorCode;
  failurePhase: FailurePhase;
  bridgeDispatchStarted: boolean;
  error: string;
}

export interface CellWaiting extends CellResultBase {
  status: "waiting";
  runId: string;
  reason: "pending_tools" | "yield";
  pendingToolCalls: { id: string; method: string }[];
}

export type CellResult = CellCompleted | CellFailed | CellWaiting;

/** What one `exec` or `wait` may be told by its host. */
export interface LegOptions {
  /** Cancels this leg: the run ends as `aborted`. */
  signal?: AbortSignal;
  /** How the author knows the source: shown in places and stacks instead of `openclaw-code-mode:user.js`. */
  sourceLabel?: string;
  /** The host's id of this call of `exec`: hooks and nested calls refer to it. The run's id unless given. */
  toolCallId?: string;
  /** Hears of emitted output as it happens; the result carries it all the same. */
  onOutput?: (entry: CellOutput) => void;
}

/** One session: cells run in order or side by side, share saved results and the session store. */
export interface CellSession {
  /** Runs a cell to its end or to its first suspension. Never rejects for bad input: that is a failed result. */
  exec(input: unknown, options?: LegOptions): Promise<CellResult>;
  /** Resumes a `waiting` run. */
  wait(input: unknown, options?: LegOptions): Promise<CellResult>;
  /** Drops every run, aborts their calls and ends the workers. */
  close(): Promise<void>;
}

/** Persists `store()`/`load()` data of one session. */
export interface SessionStoreBackend {
  read(): Promise<Record<string, unknown>>;
  /** Replaces the whole content atomically. */
  write(content: Record<string, unknown>): Promise<void>;
  /** Reads, changes and writes as one step, for content that others may write too. */
  update?(change: (content: Record<string, unknown>) => Record<string, unknown>): Promise<void>;
}

/** What happens inside a run, for debugging and trajectories. Times in ms, sizes in bytes. */
export type RuntimeEvent =
  | { type: "worker_start"; ms: number; reused: boolean }
  | { type: "leg_start"; runId: string; leg: number; language: CellLanguage }
  | { type: "request"; runId: string; id: string; method: string; tool?: string; bytes: number }
  | {
      type: "reply";
      runId: string;
      id: string;
      method: string;
      tool?: string;
      ok: boolean;
      error?: string;
      /** From the request to its reply. */
      ms: number;
      /** Of these, before the tool began: its schemas, hooks, approval, and calls it had to wait for. */
      queueMs: number;
      bytes: number;
    }
  | {
      type: "suspend";
      runId: string;
      reason: "pending_tools" | "yield";
      pending: number;
      snapshotBytes: number;
    }
  | { type: "resume"; runId: string; leg: number; settled: number }
  | { type: "limit"; runId: string; name: string; limit: number; value?: number }
  | {
      type: "result";
      /** Absent when the cell never began. */
      runId?: string;
      status: CellResult["status"];
      code?: CellErrorCode;
      error?: string;
      ms: number;
    }
  | {
      /** What a tool reports while it runs. */
      type: "update";
      runId: string;
      parentToolCallId: string;
      toolCallId: string;
      tool: string;
      update: unknown;
    }
  | {
      /** A fault of plugin code that surfaced after its call had settled. */
      type: "fault";
      runId: string;
      tool: string;
      message: string;
    }
  | {
      /** A finished nested call with its data, for trajectories. */
      type: "call";
      runId: string;
      parentToolCallId: string;
      toolCallId: string;
      tool: string;
      input: unknown;
      result?: unknown;
      error?: string;
      ms: number;
    };

export interface CellSessionOptions {
  catalog: Catalog;
  limits: CodeModeLimits;
  /** Tools the model sees beside `exec` and `wait`, for telemetry. */
  directTools?: readonly string[];
  /** Languages a cell may use; both by default. */
  languages?: readonly CellLanguage[];
  hooks?: ToolHooks;
  approve?: Approver;
  store?: SessionStoreBackend;
  /** Saved results that outlive this session; its own by default. */
  savedResults?: SavedResults;
  skills?: readonly { name: string; description: string; location: string; read: () => Promise<string> }[];
  onEvent?: (event: RuntimeEvent) => void;
  /** Headless and model-facing hosts save oversized final values; `false` turns that off. */
  saveOversizedValues?: boolean;
}
