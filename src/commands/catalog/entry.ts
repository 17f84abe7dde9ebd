import type { CatalogEntry } from "../../catalog/types.js";

/** A tool as `--json` shows it. */
export function entryDocument(entry: CatalogEntry): Record<string, unknown> {
  return {
    callableName: entry.callableName,
    toolName: entry.toolName,
    ...(entry.label === undefined ? {} : { label: entry.label }),
    description: entry.description,
    source: entry.source,
    owner: entry.tool.owner,
    input: entry.input,
    ...(entry.output === undefined ? {} : { output: entry.output }),
    ...(entry.tool.optional === true ? { optional: true } : {}),
    apiPath: entry.apiPath,
  };
}

/** Where a tool comes from, in a word or two. */
export function originOf({ source, tool }: CatalogEntry): string {
  const optional = tool.optional === true ? " (optional)" : "";
  return `${source === "mcp" ? `mcp ${tool.mcp?.serverName ?? tool.owner}` : tool.owner}${optional}`;
}
