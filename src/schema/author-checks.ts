import { isObject, own } from "./keywords.js";
import { pointer } from "./pointer.js";
import { referenceOf, references } from "./refs.js";
import { type ForeignPart, snapshot } from "./snapshot.js";
import { walk } from "./walk.js";

const MOST_PATHS = 12;
const MOST_PARTS = 50;

/** Places of dictionaries that some model providers would close, the first 12 and the number of the rest. */
export interface ClosedDictionaries {
  paths: string[];
  more: number;
}

/**
 * Nested `{ type: "object" }` subschemas that neither list properties nor say what unlisted ones may be.
 * They read as open dictionaries, but providers that close every object would refuse all keys.
 */
export function closedDictionaries(schema: unknown): ClosedDictionaries {
  const paths: string[] = [];
  let found = 0;
  walk(snapshot(schema).value, ({ node, place, depth }) => {
    if (depth === 0 || ![own(node, "type")].flat().includes("object")) return;
    if (Object.hasOwn(node, "additionalProperties")) return;
    if (hasEntries(own(node, "properties")) || hasEntries(own(node, "patternProperties"))) return;
    found += 1;
    if (paths.length < MOST_PATHS) paths.push(pointer(place));
  });
  return { paths, more: found - paths.length };
}

/** Nested levels of a schema, the root included; local references count with what they refer to, once. */
export function schemaDepth(schema: unknown): number {
  const root = snapshot(schema).value;
  if (!isObject(root)) return 0;
  let deepest = 0;
  walk(
    root,
    ({ depth }) => {
      deepest = Math.max(deepest, depth + 1);
    },
    { order: "broad", definitions: false, follow: (node) => references(root).target(node) },
  );
  return deepest;
}

/**
 * Parts of a schema that no JSON value can match or that JSON cannot carry: bigint, function and other
 * types of JavaScript, code hidden beside the schema, objects that contain themselves, references that
 * lead nowhere. At most 50, in document order.
 */
export function nonJsonSchemaParts(schema: unknown): ForeignPart[] {
  const { value, parts } = snapshot(schema);
  const found = [...parts];
  if (isObject(value)) {
    const refs = references(value);
    walk(value, ({ node, place }) => {
      for (const type of [own(node, "type")].flat()) {
        const instead = typeof type === "string" ? FOREIGN_TYPES.get(type) : undefined;
        if (instead !== undefined) {
          found.push({ path: pointer(place), what: `the type "${type}"`, instead, fatal: true });
        }
      }
      const ref = referenceOf(node)?.ref;
      if (ref === undefined) return;
      const target = refs.resolve(ref, node);
      if (target.ok) return;
      found.push({
        path: pointer(place),
        what: `a reference to ${JSON.stringify(ref)}, ${REASONS[target.reason]}`,
        instead: "a definition under $defs of the same schema",
        fatal: true,
      });
    });
  }
  return found.slice(0, MOST_PARTS);
}

const REASONS = {
  missing: "which leads nowhere",
  remote: "which is outside the schema",
  ambiguous: "which names two definitions",
};

/** Type names of TypeBox and its kin that are not JSON, with what to use. */
const FOREIGN_TYPES: ReadonlyMap<string, string> = new Map([
  ["bigint", "a number, or a string for large values"],
  ["BigInt", "a number, or a string for large values"],
  ["Date", "a string with format date-time"],
  ["function", "plain data"],
  ["Function", "plain data"],
  ["constructor", "plain data"],
  ["Constructor", "plain data"],
  ["Promise", "the awaited value"],
  ["symbol", "a string"],
  ["undefined", "null, or an optional property"],
  ["void", "null"],
  ["Uint8Array", "a base64 string"],
  ["RegExp", "a string with a pattern"],
  ["Iterator", "an array"],
  ["AsyncIterator", "an array"],
]);

function hasEntries(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length > 0;
}
