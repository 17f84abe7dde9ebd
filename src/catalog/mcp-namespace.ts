import { topLevelDefaults, topLevelRequired } from "../schema/declare-mcp.js";
import { compareNames } from "../text/order.js";
import { IdentifierPool, mcpIdentifier } from "./mcp-identifiers.js";
import { RESERVED_SERVER_MEMBERS, RESERVED_TOOL_MEMBERS } from "./reserved-names.js";
import { catalogId, type EffectiveTool, type McpBinding, type McpOperation } from "./tool.js";
import type { McpMember, McpNamespace } from "./types.js";

/** A member with what declarations and `$api` need beside its path. */
export interface McpCallable extends McpMember {
  /** `createIssue` or `resources.read`. */
  method: string;
  tool: EffectiveTool;
  binding: McpBinding;
}

export interface McpServer extends McpNamespace {
  members: readonly McpCallable[];
  apiPath: string;
}

const OPERATION_PATHS: Readonly<Record<Exclude<McpOperation, "tool">, readonly string[]>> = {
  resources_list: ["resources", "list"],
  resources_read: ["resources", "read"],
  prompts_list: ["prompts", "list"],
  prompts_get: ["prompts", "get"],
};

/**
 * The servers of the `MCP` global with their members, both sorted by name. Identifiers are handed out in
 * the order of catalog ids, so that one server's tools never rename another's.
 */
export function mcpServers(tools: readonly EffectiveTool[]): McpServer[] {
  const sorted = tools
    .map((tool) => ({ id: catalogId(tool), tool, binding: tool.mcp! }))
    .sort((a, b) => compareNames(a.id, b.id));
  const groups = new Map<string, typeof sorted>();
  for (const item of sorted) {
    const group = groups.get(item.tool.owner);
    if (group === undefined) groups.set(item.tool.owner, [item]);
    else group.push(item);
  }

  const identifiers = new IdentifierPool(RESERVED_SERVER_MEMBERS);
  return [...groups.values()]
    .map((group): McpServer => {
      const serverName = group[0]!.binding.serverName;
      const identifier = identifiers.take(mcpIdentifier(serverName) || "server");
      return {
        identifier,
        serverName,
        // A server called "index" shares the file of that name.
        apiPath: `mcp/${identifier}.d.ts`,
        members: membersOf(group.filter(({ binding: { unavailable } }) => unavailable === undefined)),
        ...unavailability(group),
      };
    })
    .sort((a, b) => compareNames(a.identifier, b.identifier));
}

function unavailability(group: readonly { binding: McpBinding }[]): { unavailable?: string } {
  const reason = group.find(({ binding }) => binding.unavailable !== undefined)?.binding.unavailable;
  return reason === undefined ? {} : { unavailable: reason };
}

function membersOf(
  group: readonly { id: string; tool: EffectiveTool; binding: McpBinding }[],
): McpCallable[] {
  const methods = new IdentifierPool(RESERVED_TOOL_MEMBERS);
  const taken = new Set<string>();
  const members: McpCallable[] = [];
  for (const { id, tool, binding } of group) {
    const path =
      binding.operation === "tool"
        ? [methods.take(mcpIdentifier(binding.toolName) || "tool")]
        : OPERATION_PATHS[binding.operation];
    const method = path.join(".");
    // A server has each resource and prompt operation once.
    if (taken.has(method)) continue;
    taken.add(method);
    members.push({
      path,
      method,
      entryId: id,
      operation: binding.operation,
      defaults: topLevelDefaults(tool.parameters),
      required: topLevelRequired(tool.parameters),
      tool,
      binding,
    });
  }
  return members.sort((a, b) => compareNames(a.method, b.method));
}
