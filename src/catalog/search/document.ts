import type { CatalogEntry } from "../types.js";

/** Levels of a parameter schema whose names and descriptions are indexed. */
const PARAMETER_DEPTH = 4;
/** Indexed characters of one tool: a server may list a description of any length. */
const MAX_TEXT = 20_000;

/** What is searched of an entry. Parameters count for native tools only: other schemas are untrusted. */
export function searchText(entry: CatalogEntry): string {
  const { tool } = entry;
  // An MCP tool is known by its name on the server as well as by the registered one.
  const label = entry.source === "mcp" ? entry.toolName : entry.label;
  const parts: unknown[] = [tool.name, entry.id, label, tool.description];
  if (entry.source === "openclaw") collectParameters(tool.parameters, 0, parts);
  return parts
    .filter((part): part is string => typeof part === "string" && part.trim() !== "")
    .join(" ")
    .slice(0, MAX_TEXT);
}

function collectParameters(schema: unknown, depth: number, parts: unknown[]): void {
  if (depth > PARAMETER_DEPTH || typeof schema !== "object" || schema === null) return;
  const { description, properties, items } = schema as Record<string, unknown>;
  parts.push(description);
  if (typeof properties === "object" && properties !== null) {
    for (const [name, property] of Object.entries(properties)) {
      parts.push(name);
      collectParameters(property, depth + 1, parts);
    }
  }
  collectParameters(items, depth + 1, parts);
}
