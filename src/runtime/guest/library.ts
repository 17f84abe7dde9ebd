import type { SearchHit } from "../bridge/methods.js";
import { dataJson, inputJson, optionJson } from "./arguments.js";
import { cleanly } from "./errors.js";
import { handleOf, mcpHandle, named } from "./handles.js";
import { append, arrayOf, fix, freeze, newList, TypeErrorType } from "./primordials.js";
import { request } from "./requests.js";
import { quote } from "./text.js";

/** JSON text of data to keep: what JSON has no text for fails the call. */
function strict(value: unknown, what: string): string {
  const text = dataJson(value);
  if (text === undefined) {
    return cleanly(() => {
      throw new TypeErrorType(
        `${what} cannot hold ${value === undefined ? "undefined" : `a ${typeof value}`}`,
      );
    });
  }
  return text;
}

export const results = freeze({
  save: named("save", (value?: unknown) => request("results.save", `[${strict(value, "a saved result")}]`)),
  load: named("load", (id?: unknown) => request("results.load", `[${optionJson(id)}]`)),
  delete: named("delete", (id?: unknown) => request("results.delete", `[${optionJson(id)}]`)),
});

/** `store(key, undefined)` deletes; so does `store(key)`. */
export function store(key?: unknown, value?: unknown): Promise<unknown> {
  if (value === undefined) return request("store.delete", `[${optionJson(key)}]`, () => undefined);
  const text = strict(value, "the session store");
  return request("store.set", `[${optionJson(key)},${text}]`, () => undefined);
}

export function load(key?: unknown): Promise<unknown> {
  return request("store.get", `[${optionJson(key)}]`, (found) => {
    const list = found as unknown[];
    return list.length === 0 ? undefined : list[0];
  });
}

export const api = freeze({
  list: named("list", (prefix?: unknown) =>
    request("api.list", `[${optionJson(prefix)}]`, (data) => {
      const files = data as object[];
      for (let index = 0; index < files.length; index++) freeze(files[index]);
      return { files };
    }),
  ),
  read: named("read", (path?: unknown) => request("api.read", `[${optionJson(path)}]`, freeze)),
});

export const skills = freeze({
  list: named("list", () => request("skills.list", "[]")),
  read: named("read", (name?: unknown) => request("skills.read", `[${optionJson(name)}]`)),
});

export const nodes = freeze({
  list: named("list", () => request("nodes.list", "[]")),
  get: named("get", (idOrName?: unknown) => request("nodes.get", `[${optionJson(idOrName)}]`, nodeHandle)),
});

function nodeHandle(data: unknown): object {
  const { id, name, listDir } = data as { id: string; name: string; listDir: boolean };
  const node = { __proto__: null } as unknown as object;
  fix(node, "id", id);
  fix(node, "name", name);
  fix(
    node,
    "invoke",
    named("invoke", (command?: unknown, params?: unknown) =>
      request("nodes.invoke", `[${quote(id)},${optionJson(command)},${inputJson(params)}]`),
    ),
  );
  if (listDir) {
    fix(
      node,
      "listDir",
      named("listDir", (path?: unknown) => request("nodes.listDir", `[${quote(id)},${optionJson(path)}]`)),
    );
  }
  return freeze(node);
}

export function yield_control(reason?: unknown): Promise<unknown> {
  return request("yield", `[${optionJson(reason)}]`);
}

/** `catalog.search`: the same frozen handles every time. */
export function search(query?: unknown, options?: unknown): Promise<unknown> {
  return request("search", `[${optionJson(query)},${optionJson(options)},"handles"]`, (data) => {
    const hits = data as SearchHit[];
    const found = newList<unknown>();
    for (let index = 0; index < hits.length; index++) {
      const hit = hits[index]!;
      append(found, "callableName" in hit ? mcpHandle(hit) : handleOf(hit.id));
    }
    return freeze(arrayOf(found));
  });
}
