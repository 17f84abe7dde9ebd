/** What a cell may see, as the session describes it: plain data, parsed once before the cell runs. */
export interface GuestNames {
  /** Native and client tools in `catalog.all()` order. */
  tools: readonly ToolNames[];
  mcp: readonly McpServerNames[];
  /** Calls and timers that may run at once. */
  slots: number;
}

export interface ToolNames {
  id: string;
  owner: string;
  callableName: string;
  toolName: string;
  label?: string;
  description: string;
  source: string;
  input: string;
  output?: string;
}

export interface McpServerNames {
  identifier: string;
  serverName: string;
  members: readonly { path: readonly string[]; id: string }[];
  /** Why the server cannot be reached, when it cannot. */
  unavailable?: string;
}
