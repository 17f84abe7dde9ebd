import { inputJson, optionJson } from "./arguments.js";
import { TextDecoder, TextEncoder } from "./encoding.js";
import { mcpMember, named, nativeHandle } from "./handles.js";
import type { GuestNames, McpServerNames, ToolNames } from "./install.js";
import { api, load, nodes, results, search, skills, store, yield_control } from "./library.js";
import { cellConsole, json, text } from "./output.js";
import { append, arrayOf, fix, freeze, type List, newList, theGlobal } from "./primordials.js";
import { request } from "./requests.js";
import { quote } from "./text.js";
import { clearTimeout, setTimeout } from "./timers.js";
import { unavailableServer } from "./unavailable.js";

/** Installs what every cell has, whatever its tools. */
export function installLibrary(): void {
  const constants: readonly [string, unknown][] = [
    ["text", text],
    ["json", json],
    ["console", cellConsole],
    ["setTimeout", setTimeout],
    ["clearTimeout", clearTimeout],
    ["TextEncoder", TextEncoder],
    ["TextDecoder", TextDecoder],
    ["results", results],
    ["store", store],
    ["load", load],
    ["API", api],
    ["nodes", nodes],
    ["skills", skills],
    ["yield_control", yield_control],
  ];
  for (let index = 0; index < constants.length; index++) {
    fix(theGlobal, constants[index]![0], constants[index]![1]);
  }
}

/** Installs the tools of this cell under both generations of the API. */
export function installTools(names: GuestNames): void {
  const all = newList<unknown>();
  for (let index = 0; index < names.tools.length; index++) {
    const tool = names.tools[index]!;
    const handle = nativeHandle(tool);
    append(all, handle);
    fix(theGlobal, tool.callableName, handle, true, true);
  }
  fix(
    theGlobal,
    "catalog",
    freeze({ search: named("search", search), all: named("all", () => freeze(arrayOf(all))) }),
  );
  installOlder(names.tools);
  const mcp = names.mcp.length === 0 ? undefined : mcpRoot(names.mcp);
  if (mcp !== undefined) fix(theGlobal, "MCP", mcp);
  fix(theGlobal, "namespaces", freeze(mcp === undefined ? {} : { MCP: mcp }));
}

/** `ALL_TOOLS` and `tools`: entries with ids, in id order. */
function installOlder(tools: readonly ToolNames[]): void {
  const sorted = byId(tools);
  const entries = newList<unknown>();
  const byName = { __proto__: null } as unknown as Record<string, ToolNames | null>;
  for (let index = 0; index < sorted.length; index++) {
    const tool = sorted[index]!;
    append(entries, entryOf(tool));
    byName[tool.toolName] = byName[tool.toolName] === undefined ? tool : null;
  }
  fix(theGlobal, "ALL_TOOLS", freeze(arrayOf(entries)));

  const holder = { __proto__: null } as unknown as object;
  fix(holder, "search", named("search", olderSearch(entries, sorted)));
  fix(
    holder,
    "describe",
    named("describe", (target?: unknown) => request("describe", `[${optionJson(target)},"entry"]`)),
  );
  fix(
    holder,
    "call",
    named("call", (target?: unknown, input?: unknown) => callBy("call", target, input)),
  );
  fix(
    holder,
    "callValue",
    named("callValue", (target?: unknown, input?: unknown) => callBy("callValue", target, input)),
  );
  for (let index = 0; index < sorted.length; index++) {
    const { toolName, id } = sorted[index]!;
    if (byName[toolName] === null || !isIdentifier(toolName) || HELPERS[toolName] === true) continue;
    const target = quote(id);
    fix(
      holder,
      toolName,
      named(toolName, (input?: unknown) => request("callValue", `[${target},${inputJson(input)}]`)),
    );
  }
  fix(theGlobal, "tools", freeze(holder));
}

const HELPERS = {
  __proto__: null,
  search: true,
  describe: true,
  call: true,
  callValue: true,
} as unknown as Record<string, boolean>;

function callBy(method: string, target: unknown, input: unknown): Promise<unknown> {
  return request(method, `[${optionJson(target)},${inputJson(input)}]`);
}

function olderSearch(
  entries: List<unknown>,
  sorted: List<ToolNames>,
): (query?: unknown, options?: unknown) => Promise<unknown> {
  const at = { __proto__: null } as unknown as Record<string, number>;
  for (let index = 0; index < sorted.length; index++) at[sorted[index]!.id] = index;
  return (query, options) =>
    request("search", `[${optionJson(query)},${optionJson(options)},"entries"]`, (data) => {
      const hits = data as { id: string }[];
      const found = newList<unknown>();
      for (let index = 0; index < hits.length; index++) append(found, entries[at[hits[index]!.id]!]);
      return arrayOf(found);
    });
}

function entryOf(tool: ToolNames): object {
  const entry: Record<string, unknown> = {
    id: tool.id,
    source: tool.source,
    sourceName: tool.owner,
    name: tool.toolName,
  };
  if (tool.label !== undefined) entry.label = tool.label;
  entry.description = tool.description;
  entry.input = tool.input;
  if (tool.output !== undefined) entry.output = tool.output;
  return entry;
}

function byId(tools: readonly ToolNames[]): List<ToolNames> {
  const sorted = newList<ToolNames>();
  const copy = newList<ToolNames>();
  for (let index = 0; index < tools.length; index++) append(copy, tools[index]!);
  mergeSort(copy, 0, copy.length, sorted);
  return copy;
}

/** In place, by id; `room` is scratch space. */
function mergeSort(list: List<ToolNames>, from: number, to: number, room: List<ToolNames>): void {
  if (to - from < 2) return;
  const middle = (from + to) >> 1;
  mergeSort(list, from, middle, room);
  mergeSort(list, middle, to, room);
  let left = from;
  let right = middle;
  for (let at = from; at < to; at++) {
    const takeLeft = left < middle && (right >= to || list[left]!.id <= list[right]!.id);
    room[at] = takeLeft ? list[left++]! : list[right++]!;
  }
  for (let at = from; at < to; at++) list[at] = room[at]!;
}

function isIdentifier(name: string): boolean {
  for (let index = 0; index < name.length; index++) {
    const c = name[index]!;
    const letter = (c >= "a" && c <= "z") || (c >= "A" && c <= "Z") || c === "_" || c === "$";
    if (!letter && (index === 0 || c < "0" || c > "9")) return false;
  }
  return name.length > 0;
}

function mcpRoot(servers: readonly McpServerNames[]): object {
  const root = { __proto__: null } as unknown as object;
  for (let index = 0; index < servers.length; index++) {
    const server = servers[index]!;
    fix(root, server.identifier, mcpServer(server));
  }
  fix(
    root,
    "$api",
    named("$api", () => request("mcp.api", "[null,null,null]")),
  );
  return freeze(root);
}

interface Branch {
  members: Record<string, unknown>;
  order: List<string>;
}

const newBranch = (): Branch =>
  ({ __proto__: null, members: { __proto__: null }, order: newList() }) as unknown as Branch;

function mcpServer(server: McpServerNames): object {
  const root = newBranch();
  for (let index = 0; index < server.members.length; index++) {
    const { path, id } = server.members[index]!;
    let branch = root;
    for (let step = 0; step < path.length - 1; step++) {
      const key = path[step]!;
      let next = branch.members[key] as Branch | undefined;
      if (next === undefined) {
        next = newBranch();
        branch.members[key] = next;
        append(branch.order, key);
      }
      branch = next;
    }
    const last = path[path.length - 1]!;
    branch.members[last] = named(last, mcpMember(id));
    append(branch.order, last);
  }
  const identifier = quote(server.identifier);
  const holder = { __proto__: null } as unknown as object;
  fix(holder, "$serverName", server.serverName);
  fill(holder, root);
  fix(
    holder,
    "$api",
    named("$api", (selector?: unknown, options?: unknown) =>
      request("mcp.api", `[${identifier},${optionJson(selector)},${optionJson(options)}]`),
    ),
  );
  freeze(holder);
  return server.unavailable === undefined
    ? holder
    : unavailableServer(holder, server.serverName, server.unavailable);
}

function fill(holder: object, branch: Branch): void {
  for (let index = 0; index < branch.order.length; index++) {
    const key = branch.order[index]!;
    const member = branch.members[key];
    if (typeof member === "function") {
      fix(holder, key, member);
      continue;
    }
    const inner = { __proto__: null } as unknown as object;
    fill(inner, member as Branch);
    fix(holder, key, freeze(inner));
  }
}
