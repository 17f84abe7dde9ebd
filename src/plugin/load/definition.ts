import { isRecord } from "./manifest.js";

/** Bundlers and CommonJS interop wrap a default export in another one, never deeper than this. */
const MOST_WRAPPERS = 4;

/**
 * What an entry module offers as its plugin: the default export, else `createEntry`, else `entry`, else
 * the module itself; nested `default` objects are unwrapped. May be a function: see `register` and metadata.
 */
export function definitionOf(namespace: Record<string, unknown>): unknown {
  let at: unknown = namespace;
  for (let depth = 0; depth <= MOST_WRAPPERS; depth++) {
    if (!isRecord(at) || typeof at.register === "function") break;
    const inner: unknown = at.default ?? at.createEntry ?? at.entry;
    if (inner === undefined || inner === null) break;
    at = inner;
  }
  return at;
}

/** The names an entry exports, for messages: its own, and those of an object in `default`. */
export function exportedNames(namespace: Record<string, unknown>): string[] {
  const own = Object.keys(namespace).filter((name) => name !== "module.exports" && name !== "default");
  const inner = isRecord(namespace.default) ? Object.keys(namespace.default) : [];
  return [...own, ...inner.map((name) => `default.${name}`)];
}

/** A definition's `register`, `activate`, or the definition itself when it is a function. */
export function registerOf(definition: unknown): ((api: object) => unknown) | undefined {
  if (typeof definition === "function") return definition as (api: object) => unknown;
  if (!isRecord(definition)) return undefined;
  const register = definition.register ?? definition.activate;
  return typeof register === "function" ? (api) => register.call(definition, api) : undefined;
}
