import { catalogId, type EffectiveTool } from "./tool.js";
import type { CatalogDiagnostic } from "./types.js";

/** Controls of the host's other discovery mode. They would let a cell call the catalog through itself. */
const DISCOVERY_CONTROLS: ReadonlySet<string> = new Set([
  "tool_search_code",
  "tool_search",
  "tool_describe",
  "tool_call",
]);

export interface EffectiveTools {
  /** Native and client tools in catalog order, one per exact name. */
  native: EffectiveTool[];
  /** MCP tools in catalog order, one per id. */
  mcp: EffectiveTool[];
  diagnostics: CatalogDiagnostic[];
}

/**
 * What a cell may see of `tools`: core tools first, then bundled plugins, other plugins, MCP servers and
 * the client's tools, each in registration order; without controls and direct-only tools; and with one
 * winner per name. A client's tool replaces a native one of its name, otherwise the first stays. Whatever
 * is malformed is left out with a diagnostic and takes nothing else with it.
 */
export function effectiveTools(tools: readonly EffectiveTool[]): EffectiveTools {
  const diagnostics: CatalogDiagnostic[] = [];
  const usable = tools.filter((tool) => {
    const fault = faultOf(tool);
    if (fault !== undefined) diagnostics.push(leftOut(tool, fault));
    return fault === undefined;
  });
  const ordered = usable
    .filter((tool) => isCatalogued(tool, diagnostics))
    .map((tool, position) => ({ tool, position }))
    .sort((a, b) => rank(a.tool) - rank(b.tool) || a.position - b.position)
    .map(({ tool }) => tool);

  const native = new Map<string, EffectiveTool>();
  const mcp = new Map<string, EffectiveTool>();
  for (const tool of ordered) {
    if (tool.source === "mcp") keepFirst(mcp, catalogId(tool), tool, diagnostics);
    else if (tool.source === "client" && native.get(tool.name)?.source === "openclaw") {
      const replaced = native.get(tool.name)!;
      // Deleted first: the winner takes its own place in the order, not the loser's.
      native.delete(tool.name);
      native.set(tool.name, tool);
      diagnostics.push(shadowed(replaced, tool));
    } else keepFirst(native, tool.name, tool, diagnostics);
  }
  return { native: withOwnIds([...native.values()], diagnostics), mcp: [...mcp.values()], diagnostics };
}

/** Without tools whose id is another's: `a:b` of a plugin `c` and `b` of a plugin `c:a` would be one. */
function withOwnIds(tools: readonly EffectiveTool[], diagnostics: CatalogDiagnostic[]): EffectiveTool[] {
  const byId = new Map<string, EffectiveTool>();
  for (const tool of tools) keepFirst(byId, catalogId(tool), tool, diagnostics);
  return [...byId.values()];
}

function faultOf(tool: EffectiveTool): string | undefined {
  if (typeof tool !== "object" || tool === null) return "it is not an object";
  if (typeof tool.name !== "string") return "its name is not a string";
  if (tool.source !== "openclaw" && tool.source !== "mcp" && tool.source !== "client") {
    return `its source is ${JSON.stringify(tool.source)}`;
  }
  if (typeof tool.owner !== "string" || tool.owner === "") return "it has no owner";
  if (typeof tool.execute !== "function") return "it has no execute function";
  if (tool.source === "mcp" && typeof tool.mcp?.toolName !== "string") return "it is not bound to a server";
  return undefined;
}

function isCatalogued(tool: EffectiveTool, diagnostics: CatalogDiagnostic[]): boolean {
  if (tool.control === true || tool.catalogMode === "direct-only") return false;
  if (tool.source === "mcp" || !DISCOVERY_CONTROLS.has(tool.name)) return true;
  diagnostics.push({
    ...place(tool),
    level: "warning",
    message: `tool "${tool.name}" is left out: the name belongs to a control of the host; give it another name`,
  });
  return false;
}

function rank(tool: EffectiveTool): number {
  if (tool.source === "client") return 4;
  if (tool.source === "mcp") return 3;
  if (tool.owner === "core") return 0;
  return tool.bundled === true ? 1 : 2;
}

function keepFirst(
  winners: Map<string, EffectiveTool>,
  key: string,
  tool: EffectiveTool,
  diagnostics: CatalogDiagnostic[],
): void {
  const first = winners.get(key);
  if (first === undefined) winners.set(key, tool);
  else diagnostics.push(shadowed(tool, first));
}

function place(tool: EffectiveTool): { owner: string; tool: string } {
  return { owner: tool.owner, tool: tool.name };
}

function shadowed(loser: EffectiveTool, winner: EffectiveTool): CatalogDiagnostic {
  const message =
    loser.owner === winner.owner
      ? `"${loser.owner}" registers the tool "${loser.name}" more than once; the first one is used`
      : `tool "${loser.name}" of "${loser.owner}" is hidden by the tool of that name of "${winner.owner}"; rename one of them`;
  return { ...place(loser), level: "warning", message };
}

function leftOut(tool: EffectiveTool | null, fault: string): CatalogDiagnostic {
  const name = typeof tool?.name === "string" ? tool.name : undefined;
  return {
    level: "error",
    ...(typeof tool?.owner === "string" ? { owner: tool.owner } : {}),
    ...(name === undefined ? {} : { tool: name }),
    message: `${name === undefined ? "a tool" : `tool "${name}"`} is left out: ${fault}`,
  };
}
