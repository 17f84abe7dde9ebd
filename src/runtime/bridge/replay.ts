import { findLegacy } from "../../catalog/legacy.js";
import type { Catalog } from "../../catalog/types.js";
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

/**
 * Whether a cell that may be run again could make this request twice without harm. A tool qualifies only
 * by its plugin's own word; a server's or a client's tool never does. A tool that does not exist is no
 * harm: its call fails by itself, and more clearly.
 */
export function isReplaySafe(request: BridgeRequest, catalog: Catalog): boolean {
  if (SAFE.has(request.method)) return true;
  if (request.method !== "callValue" && request.method !== "call") return false;
  try {
    const [target] = JSON.parse(request.args) as unknown[];
    const { source, tool } = findLegacy(catalog, target);
    return source === "openclaw" && tool.replaySafe === true;
  } catch {
    return true;
  }
}
