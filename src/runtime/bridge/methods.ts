import type { LegacyEntry } from "../../catalog/legacy.js";

/**
 * Every request a cell can make, with the arguments the guest sends (a JSON array) and the JSON the
 * reply carries. The guest converts arguments before they cross, so a value that JSON cannot carry
 * never gets here: the call itself throws.
 *
 * `sleep` and `yield` are settled by the session; all others by `CellBridge.handle`.
 */
export interface BridgeMethods {
  /**
   * A native or client tool. `target` is a catalog id, or (older API) an exact tool name that only one
   * native or client tool has. `input` is `{}` when the cell passed none. Replies with `details`.
   */
  callValue: { args: [target: unknown, input: unknown]; reply: unknown };
  /** As `callValue`, but replies with `{tool: ToolEntry, result: {content, details}}`. */
  call: { args: [target: unknown, input: unknown]; reply: { tool: ToolEntry; result: unknown } };
  /** A member of an MCP namespace; `args` are the call's own arguments, of which one object is allowed. */
  mcp: { args: [entryId: string, args: unknown[]]; reply: unknown };
  /** `MCP.$api(…)` and `MCP.<server>.$api(…)`; `server` is the namespace identifier, null at the root. */
  "mcp.api": {
    args: [server: string | null, selector: unknown, options: unknown];
    reply: Record<string, unknown>;
  };
  /** `view` `"handles"` may name MCP tools; `"entries"` (older API) never does. */
  search: { args: [query: unknown, options: unknown, view: "handles" | "entries"]; reply: SearchHit[] };
  /**
   * `view` `"handle"`: `Catalog.describe` of the tool with this id. `"entry"` (older API): the `ToolEntry`
   * of an id or unique name with `parameters` and `outputSchema`.
   */
  describe: { args: [target: unknown, view: "handle" | "entry"]; reply: Record<string, unknown> };
  "api.list": { args: [prefix: unknown]; reply: { path: string; description?: string; bytes?: number }[] };
  /** Keys in the order the guest shows them: `path, content, description, bytes`, or `path, bytes, content`. */
  "api.read": { args: [path: unknown]; reply: Record<string, unknown> };
  /** The value's JSON text is the argument text without its brackets. Replies with a `ResultReference`. */
  "results.save": { args: [value: unknown]; reply: Record<string, unknown> };
  "results.load": { args: [id: unknown]; reply: unknown };
  "results.delete": { args: [id: unknown]; reply: true };
  "store.set": { args: [key: unknown, value: unknown]; reply: null };
  "store.delete": { args: [key: unknown]; reply: null };
  /** Replies with `[value]`, or `[]` for a key nothing is stored under. */
  "store.get": { args: [key: unknown]; reply: [] | [unknown] };
  "skills.list": { args: []; reply: { name: string; description: string; location: string }[] };
  "skills.read": { args: [name: unknown]; reply: string };
  "nodes.list": { args: []; reply: Record<string, unknown>[] };
  /** `listDir` says whether the node advertises `fs.listDir`. */
  "nodes.get": { args: [idOrName: unknown]; reply: { id: string; name: string; listDir: boolean } };
  "nodes.invoke": { args: [id: string, command: unknown, params: unknown]; reply: unknown };
  "nodes.listDir": { args: [id: string, path: unknown]; reply: unknown };
}

export type BridgeMethod = keyof BridgeMethods;

/** Requests the session settles itself. */
export type SessionMethod = "sleep" | "yield";

/** What the older API shows of a tool: members of `ALL_TOOLS`, results of `tools.search`. */
export type ToolEntry = LegacyEntry;

/** One search result: a native tool by id, or an MCP tool with all its handle needs. */
export type SearchHit =
  | { id: string }
  | {
      id: string;
      callableName: string;
      toolName: string;
      label?: string;
      description: string;
      source: "mcp";
      apiPath: string;
      /** Identifier of the server's namespace, for `describe()`. */
      server: string;
      /** Member path below the server joined by `.`, as `$api` selects it. */
      method: string;
    };

/**
 * Requests that reveal or prepare but run nothing: they do not count as a started dispatch when a cell
 * fails afterwards.
 */
export const PASSIVE_METHODS: ReadonlySet<string> = new Set([
  "api.list",
  "api.read",
  "mcp.api",
  "skills.list",
  "skills.read",
  "sleep",
  "yield",
]);
