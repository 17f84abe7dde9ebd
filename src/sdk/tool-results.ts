import type { AgentToolResult } from "./types/agent-tool.js";

export type { AgentToolContent, AgentToolResult } from "./types/agent-tool.js";

/** A result the model reads as `text`; `details` are for programs. */
export function textResult<Details = undefined>(text: string, details?: Details): AgentToolResult<Details> {
  return { content: [{ type: "text", text }], ...(details === undefined ? {} : { details }) };
}

/** A result that shows `value` as indented JSON and keeps it as `details`. */
export function jsonResult<Value>(value: Value): AgentToolResult<Value> {
  return { content: [{ type: "text", text: JSON.stringify(value ?? null, null, 2) }], details: value };
}
