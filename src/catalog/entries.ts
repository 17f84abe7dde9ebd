import { inputHint, outputHint } from "../schema/hints.js";
import { compareNames } from "../text/order.js";
import { assignCallableNames } from "./callable-names.js";
import type { McpServer } from "./mcp-namespace.js";
import { catalogId, type EffectiveTool } from "./tool.js";
import type { CatalogEntry } from "./types.js";
import { clipText } from "./untrusted-text.js";

/** UTF-16 units of a server's description that a handle carries. */
const MCP_DESCRIPTION = 512;

/** What an untrusted schema is summed up as, whatever it claims. */
const UNTRUSTED_INPUT = "unknown";

/** Entries of native and client tools, sorted by callable name. */
export function nativeEntries(tools: readonly EffectiveTool[]): CatalogEntry[] {
  const names = assignCallableNames(tools.map((tool) => ({ id: catalogId(tool), name: tool.name })));
  return tools
    .map((tool) => nativeEntry(tool, names.get(catalogId(tool))!))
    .sort((a, b) => compareNames(a.callableName, b.callableName));
}

function nativeEntry(tool: EffectiveTool, callableName: string): CatalogEntry {
  const trusted = tool.source === "openclaw";
  const output = trusted ? outputHint(tool.outputSchema) : undefined;
  return {
    id: catalogId(tool),
    tool,
    callableName,
    toolName: tool.name,
    ...(typeof tool.label === "string" ? { label: tool.label } : {}),
    description: textOf(tool.description),
    source: tool.source,
    input: trusted ? inputHint(tool.parameters) : UNTRUSTED_INPUT,
    ...(output === undefined ? {} : { output }),
    apiPath: `tools/${callableName}.d.ts`,
  };
}

/** Entries of MCP tools, sorted by id. */
export function mcpEntries(servers: readonly McpServer[]): CatalogEntry[] {
  return servers
    .flatMap((server) =>
      server.members.map(
        (member): CatalogEntry => ({
          id: member.entryId,
          tool: member.tool,
          callableName: `MCP.${server.identifier}.${member.method}`,
          toolName: member.binding.toolName,
          description: clipText(textOf(member.tool.description), MCP_DESCRIPTION),
          source: "mcp",
          input: UNTRUSTED_INPUT,
          apiPath: server.apiPath,
          member: { server: server.identifier, method: member.method },
        }),
      ),
    )
    .sort((a, b) => compareNames(a.id, b.id));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
