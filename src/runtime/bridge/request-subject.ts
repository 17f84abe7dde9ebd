import { findLegacy } from "../../catalog/legacy.js";
import type { Catalog, CatalogEntry } from "../../catalog/types.js";
import type { BridgeRequest } from "./types.js";

/** Requests that change nothing outside the cell. `sleep` and `yield` are the session's own. */
const SAFE: ReadonlySet<string> = new Set([
  "sleep",
  "yield",
  "search",
  "describe",
  "api.list",
  "api.read",
  "mcp.api",
  "skills.list",
  "skills.read",
  "nodes.list",
  "nodes.get",
  "store.get",
]);

/** The tool a request names; undefined when it names none, or one that does not exist. */
export function toolOf(request: BridgeRequest, catalog: Catalog): CatalogEntry | undefined {
  if (request.method.startsWith("nodes.")) return found(catalog, "nodes");
  if (!["callValue", "call", "describe", "mcp"].includes(request.method)) return undefined;
  try {
    const [target] = JSON.parse(request.args) as unknown[];
    return request.method === "mcp" ? catalog.byId(String(target)) : found(catalog, target);
  } catch {
    return undefined;
  }
}

function found(catalog: Catalog, target: unknown): CatalogEntry | undefined {
  try {
    return findLegacy(catalog, target);
  } catch {
    return undefined;
  }
}

/**
 * Whether a cell that may be run again could make this request twice without harm. A tool qualifies only
 * by its plugin's own word; a server's or a client's tool never does. A tool that does not exist is no
 * harm: its call fails by itself, and more clearly.
 */
export function isReplaySafe(request: BridgeRequest, catalog: Catalog): boolean {
  if (SAFE.has(request.method)) return true;
  if (request.method !== "callValue" && request.method !== "call") return false;
  const entry = toolOf(request, catalog);
  return entry === undefined || (entry.source === "openclaw" && entry.tool.replaySafe === true);
}
