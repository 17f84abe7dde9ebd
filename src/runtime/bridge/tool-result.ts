import type { McpOperation } from "../../catalog/tool.js";
import { BridgeFailure, messageChain } from "./failure.js";

/**
 * Compact JSON of anything a tool or hook produced, as `JSON.stringify` sees it; what it drops at the
 * root (undefined, functions, symbols) becomes `null`.
 * @param what names the producer in the error, e.g. `the result of stock_take`
 * @throws BridgeFailure `tool_error` for a BigInt, a cycle, a hook or getter that throws, or too much text
 */
export function toJson(value: unknown, what: string): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch (error) {
    // V8 explains cycles over several lines; the first one says it.
    const reason = messageChain(error).split("\n", 1)[0];
    throw new BridgeFailure(`${what} cannot be sent as JSON: ${reason}`, "tool_error");
  }
}

/**
 * The value of a native or client tool's result: its `details` when it has that key, whatever it holds,
 * otherwise the whole result.
 */
export function detailsOf(result: unknown): unknown {
  const has = typeof result === "object" && result !== null && Object.hasOwn(result, "details");
  return has ? (result as { details: unknown }).details : result;
}

/** Fields of a server's answer that a cell may see, beside those every operation must have. */
const MCP_FIELDS: Readonly<Record<McpOperation, readonly string[]>> = {
  tool: ["content", "structuredContent", "isError"],
  resources_list: ["resources", "nextCursor"],
  resources_read: ["contents"],
  prompts_list: ["prompts", "nextCursor"],
  prompts_get: ["messages", "description"],
};

/**
 * A server's answer as a cell sees it: the fields of the operation in their order, its list present even
 * when the server left it out. Everything else at the top, `_meta` above all, stays outside.
 * @throws BridgeFailure `tool_error` when the answer is not an object
 */
export function projectMcpResult(result: unknown, operation: McpOperation): Record<string, unknown> {
  const answer = mcpAnswer(result, operation);
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) {
    throw new BridgeFailure("the server answered with something that is not a result object", "tool_error");
  }
  const [list, ...optional] = MCP_FIELDS[operation] as [string, ...string[]];
  const fields = answer as Record<string, unknown>;
  const projected: Record<string, unknown> = { [list]: Array.isArray(fields[list]) ? fields[list] : [] };
  for (const name of optional) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (value !== undefined && value !== null) projected[name] = value;
  }
  return projected;
}

/** Operations other than tool calls may come wrapped as a tool result whose details are the answer. */
function mcpAnswer(result: unknown, operation: McpOperation): unknown {
  if (typeof result !== "object" || result === null) return result;
  const list = MCP_FIELDS[operation][0]!;
  return Object.hasOwn(result, list) || !Object.hasOwn(result, "details") ? result : detailsOf(result);
}
