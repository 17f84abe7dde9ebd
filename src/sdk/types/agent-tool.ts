/** One block of what the model reads. */
export type AgentToolContent =
  | { type: "text"; text: string; [extra: string]: unknown }
  | { type: "image"; data: string; mimeType: string; [extra: string]: unknown };

/** What a tool hands back: `content` for the model's eyes, `details` for programs. */
export interface AgentToolResult<Details = unknown> {
  content: AgentToolContent[];
  /** A JSON-compatible value; the one an `outputSchema` describes. */
  details?: Details;
  /** Ends the turn after this call. */
  terminate?: boolean;
  progress?: unknown;
  [extra: string]: unknown;
}

/**
 * A tool at run time, as `api.registerTool` takes it and factories return it. Note the argument order:
 * the call id comes first, unlike `execute(params, config, context)` of `defineToolPlugin`.
 */
export interface AnyAgentTool {
  name: string;
  label?: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: object;
  /** JSON Schema of `details`. */
  outputSchema?: object;
  execute(
    toolCallId: string,
    // biome-ignore lint/suspicious/noExplicitAny: the schema decides, and it is not known here
    params: any,
    signal?: AbortSignal,
    onUpdate?: (partial: AgentToolResult) => void,
  ): Promise<AgentToolResult>;
  /** Normalises arguments before the schema is checked; may throw `ToolArgumentValidationError`. */
  prepareArguments?(args: unknown): unknown;
  executionMode?: "sequential" | "parallel";
  /** `direct-only` keeps the tool out of catalogs, and so out of cells. */
  catalogMode?: "direct-only";
  hideFromChannelProgress?: boolean;
  /** `false`: the model waits for this call even where others run asynchronously. */
  async?: boolean;
  requiredClientCaps?: string[];
  canDeliverSourceReply?: boolean;
  resultContentSource?: unknown;
  displaySummary?: unknown;
  getExecutionTimeoutMs?(args: unknown): number | undefined;
  prepareBeforeToolCallParams?(...args: unknown[]): unknown;
  finalizeBeforeToolCallParams?(...args: unknown[]): unknown;
}
