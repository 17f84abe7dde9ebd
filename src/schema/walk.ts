import { children, isObject, type SchemaObject } from "./keywords.js";
import { below, type Place } from "./pointer.js";

export interface Visit {
  /** An object schema; booleans and malformed members are not visited. */
  node: SchemaObject;
  place: Place | undefined;
  /** The keyword of its parent that holds it; undefined at the root and behind references. */
  keyword?: string;
  /** Levels below the root, which is 0. */
  depth: number;
}

export interface WalkOptions {
  /** `deep` (default) visits in document order; `broad` visits every node at its smallest depth. */
  order?: "deep" | "broad";
  /** Further nodes reached from a node at its own depth, such as the target of a reference. */
  follow?: (node: SchemaObject) => SchemaObject | undefined;
  /** Whether to enter `$defs` and `definitions` (default); what is only defined there applies to nothing. */
  definitions?: boolean;
  /** Most nodes visited. */
  limit?: number;
}

/** Keywords that only hold schemas for others to refer to. */
export const DEFINITIONS: ReadonlySet<string> = new Set(["$defs", "definitions"]);

/**
 * The one walk over the subschemas of a snapshot: iterative, so no depth can overflow it, and each
 * object is visited once, so neither cycles through references nor shared parts can make it run long.
 * When `visit` returns `false`, what is below the node is left out. Returns the number of nodes visited, or
 * `Infinity` when the limit ended the walk.
 */
export function walk(root: unknown, visit: (at: Visit) => unknown, options: WalkOptions = {}): number {
  const { order = "deep", follow, definitions = true, limit = Number.POSITIVE_INFINITY } = options;
  if (!isObject(root)) return 0;
  const seen = new Set<SchemaObject>();
  const queue: Visit[] = [{ node: root, place: undefined, depth: 0 }];
  let next = 0;
  while (next < queue.length) {
    const at = order === "broad" ? queue[next++]! : queue.pop()!;
    if (seen.has(at.node)) continue;
    if (seen.size >= limit) return Number.POSITIVE_INFINITY;
    seen.add(at.node);
    if (visit(at) === false) continue;
    const found: Visit[] = [];
    for (const { segments, schema } of children(at.node)) {
      if (!isObject(schema) || seen.has(schema)) continue;
      if (!definitions && DEFINITIONS.has(segments[0])) continue;
      const place = below(at.place, ...segments);
      found.push({ node: schema, place, keyword: segments[0], depth: at.depth + 1 });
    }
    const target = follow?.(at.node);
    if (target !== undefined && !seen.has(target)) {
      found.push({ node: target, place: below(at.place, "$ref"), depth: at.depth });
    }
    if (order === "deep") found.reverse();
    for (const visit of found) queue.push(visit);
  }
  return seen.size;
}
