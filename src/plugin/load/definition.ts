import { isRecord } from "./manifest.js";

/** Bundlers and CommonJS interop wrap a default export in another one, never deeper than this. */
const MOST_WRAPPERS = 4;

function unwrap(value: unknown): unknown {
  let at = value;
  for (let depth = 0; depth < MOST_WRAPPERS; depth++) {
    if (!isRecord(at) || typeof at.register === "function" || at.default === undefined) break;
    at = at.default;
  }
  return at;
}

/**
 * What an entry module offers as its plugin: the default export, else `createEntry`, else `entry`, else
 * the module itself; nested `default` objects are unwrapped. May be a function: see `register` and metadata.
 */
export function definitionOf(namespace: Record<string, unknown>): unknown {
  if (namespace.default !== undefined) return unwrap(namespace.default);
  return unwrap(namespace.createEntry ?? namespace.entry ?? namespace);
}

/** A definition's `register`, `activate`, or the definition itself when it is a function. */
export function registerOf(definition: unknown): ((api: object) => unknown) | undefined {
  if (typeof definition === "function") return definition as (api: object) => unknown;
  if (!isRecord(definition)) return undefined;
  const register = definition.register ?? definition.activate;
  return typeof register === "function" ? (api) => register.call(definition, api) : undefined;
}
