import { isRecord } from "./manifest.js";

/** Default exports inside default exports: bundlers and CommonJS interop each may add one. */
const MOST_NESTED = 4;

function unwrap(value: unknown): unknown {
  let at = value;
  for (let depth = 0; depth < MOST_NESTED && isRecord(at); depth += 1) {
    const inner = at.default;
    if (inner === undefined || "register" in at || "activate" in at) break;
    at = inner;
  }
  return at;
}

/**
 * The plugin an entry exports: its default export (however deep an interop layer put it), else `createEntry`,
 * else `entry`, else the module itself. Nothing is called.
 * @param namespace what `importEntry` gave
 */
export function entryDefinition(namespace: Record<string, unknown>): unknown {
  const own = unwrap(namespace);
  if (own !== namespace) return own;
  // CommonJS without a default: Node lists the exports both beside and inside `default`.
  return unwrap(namespace.createEntry ?? namespace.entry ?? namespace);
}

/** The names an entry exports, for messages: `default`, or those of an object in `default`. */
export function exportedNames(namespace: Record<string, unknown>): string[] {
  const definition = namespace.default ?? namespace["module.exports"];
  const names = Object.keys(namespace).filter((name) => name !== "module.exports" && name !== "default");
  const inner = isRecord(definition) ? Object.keys(definition).map((name) => `default.${name}`) : [];
  return [...names, ...inner];
}
