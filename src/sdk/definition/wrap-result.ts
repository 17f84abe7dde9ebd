import type { AgentToolResult } from "../types/agent-tool.js";

/**
 * What `execute` returned, in the form hosts expect: a string is the text itself, anything else is shown
 * as indented JSON, and `details` keeps the original. No value at all becomes `null`, so that the text
 * block is never empty-handed.
 * @throws TypeError naming the tool, when JSON cannot hold the value
 */
export function wrapResult(toolName: string, value: unknown): AgentToolResult {
  if (typeof value === "string") return { content: [{ type: "text", text: value }], details: value };
  const details = value === undefined ? null : value;
  let text: string | undefined;
  try {
    text = JSON.stringify(details, null, 2);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new TypeError(`tool "${toolName}" returned a value JSON cannot hold: ${reason}`, { cause: error });
  }
  if (text === undefined) {
    throw new TypeError(`tool "${toolName}" returned a ${typeof details}, which JSON cannot hold`);
  }
  return { content: [{ type: "text", text }], details };
}
