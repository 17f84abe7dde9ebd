import { isObject, type SchemaObject, setOwn } from "./keywords.js";
import { pointer } from "./pointer.js";
import { references } from "./refs.js";
import { snapshot } from "./snapshot.js";
import { walk } from "./walk.js";

/** Most nested levels of an input schema, the root included. */
export const MOST_INPUT_LEVELS = 128;
const MOST_PATHS = 20;

export interface BoundedSchema {
  /** The given schema itself when nothing was cut. */
  schema: unknown;
  /** JSON Pointers of the subschemas that now accept anything, at most 20. */
  cutPaths: string[];
  /** How many were cut in all. */
  cut: number;
}

/**
 * An input schema with at most 128 levels: a subschema whose shallowest use, through local references
 * too, lies deeper becomes `{}`, so that the tool stays callable. References that lead back into
 * themselves are no depth of their own.
 */
export function boundInputSchema(schema: unknown): BoundedSchema {
  const root = snapshot(schema).value;
  if (!isObject(root)) return { schema, cutPaths: [], cut: 0 };
  const cut = new Set<SchemaObject>();
  const cutPaths: string[] = [];
  walk(
    root,
    ({ node, place, depth }) => {
      if (depth < MOST_INPUT_LEVELS) return true;
      cut.add(node);
      if (cutPaths.length < MOST_PATHS) cutPaths.push(pointer(place));
      return false;
    },
    {
      order: "broad",
      definitions: false,
      follow: (node) => references(root).target(node),
    },
  );
  if (cut.size === 0) return { schema, cutPaths, cut: 0 };
  return { schema: without(root, cut), cutPaths, cut: cut.size };
}

/** A copy of `root` in which each node of `cut` is `{}`; iterative, shared parts stay shared. */
function without(root: SchemaObject, cut: ReadonlySet<SchemaObject>): unknown {
  const copies = new Map<object, object>();
  const todo: object[] = [];
  const copyOf = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    let copy = copies.get(value);
    if (copy === undefined) {
      copy = Array.isArray(value) ? [] : {};
      copies.set(value, copy);
      if (!cut.has(value as SchemaObject)) todo.push(value);
    }
    return copy;
  };
  const result = copyOf(root);
  for (let source = todo.pop(); source !== undefined; source = todo.pop()) {
    const target = copies.get(source)!;
    for (const key of Object.keys(source)) setOwn(target, key, copyOf((source as SchemaObject)[key]));
  }
  return result;
}
