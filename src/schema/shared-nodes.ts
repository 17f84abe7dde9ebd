import { children, isObject, type SchemaObject } from "./keywords.js";
import type { References } from "./refs.js";
import { SchemaProblem } from "./schema-problem.js";
import { DEFINITIONS, walk } from "./walk.js";

/** Deepest nesting and largest number of subschemas that are handed to the validator. */
export const MOST_LEVELS = 256;
export const MOST_SUBSCHEMAS = 3_000;

/**
 * Nodes that more than one place uses: they become definitions, so that nothing is copied twice. Throws
 * `SchemaProblem` for a schema too deep or too large for the validator.
 */
export function sharedNodes(root: SchemaObject, refs: References): Set<SchemaObject> {
  const shared = new Set<SchemaObject>();
  const met = new Set<SchemaObject>([root]);
  const visited = walk(
    root,
    ({ node, place, depth }) => {
      if (depth > MOST_LEVELS) throw new SchemaProblem(place, `nested deeper than ${MOST_LEVELS} levels`);
      for (const { segments, schema } of children(node)) {
        if (!isObject(schema) || DEFINITIONS.has(segments[0])) continue;
        if (met.has(schema)) shared.add(schema);
        else met.add(schema);
      }
    },
    {
      definitions: false,
      limit: MOST_SUBSCHEMAS,
      follow: (node) => {
        const target = refs.target(node);
        if (target !== undefined) shared.add(target);
        return target;
      },
    },
  );
  if (visited > MOST_SUBSCHEMAS)
    throw new SchemaProblem(undefined, `more than ${MOST_SUBSCHEMAS} subschemas`);
  return shared;
}
