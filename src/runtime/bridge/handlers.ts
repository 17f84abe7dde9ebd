import { findLegacy, legacyDescription, legacyEntry } from "../../catalog/legacy.js";
import type { McpOperation } from "../../catalog/tool.js";
import type { CatalogEntry } from "../../catalog/types.js";
import type { Ticket } from "./call-order.js";
import { BridgeFailure } from "./failure.js";
import { mcpInput } from "./mcp-arguments.js";
import type { BridgeMethod, SearchHit } from "./methods.js";
import { type CallNodes, NODES } from "./nodes.js";
import type { SharedBridge } from "./session-bridge.js";
import type { CellStore } from "./session-store.js";
import { listSkills, readSkill } from "./skills.js";
import { type FinishedCall, performCall } from "./tool-call.js";
import { toJson } from "./tool-result.js";
import type { BridgeRequest } from "./types.js";

/** One request being served, with everything a handler may use. */
export interface Served {
  args: unknown[];
  request: BridgeRequest;
  cell: { runId: string; toolCallId?: string };
  shared: SharedBridge;
  store: CellStore;
  signal: AbortSignal;
  parent: Ticket | undefined;
  /** Hears that the tool of the request begins. */
  onBegin: (() => void) | undefined;
  /** The tool that was called, so that an error names it as the cell does. */
  rename: CatalogEntry | undefined;
}

/** Returns the reply's JSON text; whatever is thrown becomes an error reply. */
type Handler = (served: Served) => Promise<string> | string;

export const HANDLERS: Readonly<Record<BridgeMethod, Handler>> = {
  callValue: async (served) => (await callNative(served)).json,

  async call(served) {
    const { result } = await callNative(served);
    const entry = served.rename!;
    // Content beside the value is what this form is for; a bare result has none.
    const enveloped =
      typeof result === "object" && result !== null ? result : { content: [], details: result };
    return toJson({ tool: legacyEntry(entry), result: enveloped }, `the result of ${entry.callableName}`);
  },

  async mcp(served) {
    const [id, given] = served.args;
    const target = typeof id === "string" ? served.shared.members.get(id) : undefined;
    if (target === undefined) throw new BridgeFailure("no such MCP tool in this catalog", "invalid_input");
    const { entry, member } = target;
    const input = mcpInput(entry.callableName, member, Array.isArray(given) ? given : []);
    return (await run(served, entry, input, member.operation)).json;
  },

  "mcp.api": ({ args: [server, selector, options], shared }) =>
    toJson(
      shared.options.catalog.mcpApi(
        typeof server === "string" ? server : undefined,
        selector ?? undefined,
        options ?? undefined,
      ),
      "the API header",
    ),

  search({ args: [query, options, view], shared }) {
    shared.counters.search++;
    const limit = (options as { limit?: unknown } | null | undefined)?.limit ?? undefined;
    const older = view === "entries";
    const found = shared.options.catalog.search(query, { limit }, older ? "entries" : "handles");
    return JSON.stringify(older ? found.map(legacyEntry) : found.map(searchHit));
  },

  describe({ args: [target, view], shared }) {
    const { catalog } = shared.options;
    const entry = findLegacy(catalog, target);
    shared.counters.describe++;
    return toJson(
      view === "entry" ? legacyDescription(entry) : catalog.describe(entry),
      `the description of ${entry.callableName}`,
    );
  },

  "api.list": ({ args: [prefix], shared }) =>
    JSON.stringify(shared.options.catalog.listFiles(prefix ?? undefined)),

  "api.read"({ args: [path], shared }) {
    const file = shared.options.catalog.readFile(path);
    if (file.path.startsWith("tools/")) shared.counters.describe++;
    const { path: name, content, description, bytes } = file;
    return JSON.stringify(
      description === undefined
        ? { path: name, bytes, content }
        : { path: name, content, description, bytes },
    );
  },

  "results.save"({ request, args, shared }) {
    if (args.length !== 1) throw new BridgeFailure("results.save takes one value", "invalid_input");
    return JSON.stringify(shared.results.save(request.args.trim().slice(1, -1)));
  },
  "results.load": ({ args: [id], shared }) => shared.results.load(id),
  "results.delete"({ args: [id], shared }) {
    shared.results.remove(id);
    return "true";
  },

  async "store.set"({ args: [key, value = null], store }) {
    await store.set(key, JSON.stringify(value));
    return "null";
  },
  async "store.delete"({ args: [key], store }) {
    await store.delete(key);
    return "null";
  },
  async "store.get"({ args: [key], store }) {
    const json = await store.get(key);
    return json === undefined ? "[]" : `[${json}]`;
  },

  "skills.list": ({ shared }) => JSON.stringify(listSkills(shared.options.skills ?? [])),
  "skills.read": async ({ args: [name], shared }) =>
    toJson(await readSkill(shared.options.skills ?? [], name), "the skill"),

  "nodes.list": async (served) => JSON.stringify(await NODES.list(callNodes(served))),
  "nodes.get": async (served) => JSON.stringify(await NODES.get(callNodes(served), served.args[0])),
  "nodes.invoke": async (served) => {
    const [id, command, params] = served.args;
    return JSON.stringify(await NODES.invoke(callNodes(served), id, command, params));
  },
  "nodes.listDir": async (served) => {
    const [id, path] = served.args;
    return JSON.stringify(await NODES.listDir(callNodes(served), id, path));
  },
};

/** A result with everything the guest needs to make a handle of it. */
function searchHit(entry: CatalogEntry): SearchHit {
  if (entry.member === undefined) return { id: entry.id };
  return {
    id: entry.id,
    callableName: entry.callableName,
    toolName: entry.toolName,
    ...(entry.label === undefined ? {} : { label: entry.label }),
    description: entry.description,
    source: "mcp",
    apiPath: entry.apiPath,
    ...entry.member,
  };
}

function callNative(served: Served): Promise<FinishedCall> {
  const entry = findLegacy(served.shared.options.catalog, served.args[0]);
  return run(served, entry, served.args[1] ?? {});
}

function callNodes(served: Served): CallNodes {
  return async (input) => {
    const entry = served.shared.options.catalog.entries.find(
      ({ toolName, source }) => toolName === "nodes" && source === "openclaw",
    );
    if (entry === undefined) {
      throw new BridgeFailure(
        "there is no nodes tool in this catalog, so no node can be reached",
        "invalid_input",
      );
    }
    return JSON.parse((await run(served, entry, input)).json) as unknown;
  };
}

function run(
  served: Served,
  entry: CatalogEntry,
  input: unknown,
  operation?: McpOperation,
): Promise<FinishedCall> {
  const { cell, shared } = served;
  served.rename = entry;
  shared.counters.call++;
  return performCall(
    {
      entry,
      input,
      ...(operation === undefined ? {} : { operation }),
      runId: cell.runId,
      toolCallId: `${cell.runId}/${served.request.id}`,
      parentToolCallId: cell.toolCallId ?? cell.runId,
      signal: served.signal,
      parent: served.parent,
      onBegin: served.onBegin,
    },
    shared.environment,
  );
}
