export interface BeforeToolCall {
  toolName: string;
  toolCallId: string;
  params: unknown;
  /** Set for the outer call only. */
  toolKind?: "code_mode_exec";
  toolInputKind?: "javascript" | "typescript";
  parentToolCallId?: string;
}

export interface BeforeToolCallDecision {
  block?: boolean;
  blockReason?: string;
  /** Replaces the parameters. */
  params?: unknown;
  /** Asks the approver before the call runs. */
  requireApproval?: boolean | { title?: string; description?: string };
}

export interface AfterToolCall extends BeforeToolCall {
  result?: unknown;
  error?: string;
  durationMs: number;
}

/** Hooks of plugins around nested calls, in registration order. */
export interface ToolHooks {
  before: ((event: BeforeToolCall) => Promise<BeforeToolCallDecision | undefined>)[];
  /** May return a replacement result. */
  after: ((event: AfterToolCall) => Promise<unknown>)[];
}

/** Asked when a hook or policy wants approval; `false` refuses the call. */
export type Approver = (request: {
  toolName: string;
  params: unknown;
  title?: string;
  description?: string;
  /** Aborted when the call is no longer wanted: stop asking. */
  signal?: AbortSignal;
}) => Promise<boolean>;
