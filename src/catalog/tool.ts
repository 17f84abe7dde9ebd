/** Where a tool comes from. Plugin tools count as `openclaw`, with the plugin id as owner. */
export type ToolSource = "openclaw" | "mcp" | "client";

export type McpOperation = "tool" | "resources_list" | "resources_read" | "prompts_list" | "prompts_get";

/** What ties an MCP tool to its server. */
export interface McpBinding {
  /** The name the user configured. */
  serverName: string;
  /** `serverName` reduced to `[A-Za-z0-9_-]`, at most 30 characters, unique. */
  safeServerName: string;
  /** Name on the wire, exactly as listed. */
  toolName: string;
  operation: McpOperation;
  /**
   * Set on the one entry that stands for a server which cannot be reached: the reason. It is no tool; the
   * server's namespace exists without members, and whatever a cell calls on it rejects with the reason.
   */
  unavailable?: string;
}

/** One call of a tool: what the bridge hands to `EffectiveTool.execute`. */
export interface ToolCall {
  toolCallId: string;
  /** A JSON-compatible value of its own; the tool may keep or change it. */
  input: unknown;
  /** Aborted when the run is dropped, cancelled or past its deadline. */
  signal: AbortSignal;
  onUpdate?: (update: unknown) => void;
}

/**
 * A tool as a run sees it, whatever its origin: after policy, factories and registration. `execute`
 * resolves to the tool's raw result: usually `{content, details}`, but any value is tolerated.
 */
export interface EffectiveTool {
  /** Exact name, the stable API. */
  name: string;
  source: ToolSource;
  /** `core`, the plugin id, the safe MCP server name, or `client`. */
  owner: string;
  label?: string;
  description: string;
  /** JSON Schema of the input; anything at all, since it is untrusted until compiled. */
  parameters?: unknown;
  /** JSON Schema of `details`; trusted for core and plugin tools only. */
  outputSchema?: unknown;
  optional?: boolean;
  /** Comes from a plugin that ships with the host: ordered before other plugins. */
  bundled?: boolean;
  /** One of Code Mode's own tools (`exec`, `wait`): a cell never sees it. */
  control?: boolean;
  executionMode?: "sequential" | "parallel";
  /** `direct-only` tools never enter a catalog. */
  catalogMode?: "direct-only";
  /** May run again without harm; `restartSafe` cells may call only these. */
  replaySafe?: boolean;
  mcp?: McpBinding;
  /** Normalises arguments before the schema is checked; may throw. */
  prepareArguments?: (args: unknown) => unknown;
  execute: (call: ToolCall) => Promise<unknown>;
}

/** `<source>:<owner>:<name>`, stable within a run and across equivalent tool sets. */
export function catalogId(tool: Pick<EffectiveTool, "source" | "owner" | "name">): string {
  return `${tool.source}:${tool.owner}:${tool.name}`;
}
