import { isObject, own, type SchemaObject } from "./keywords.js";
import { type References, referenceOf } from "./refs.js";
import { oneLine } from "./render-parts.js";
import { ANY_ARRAY, ANY_OBJECT } from "./type-members.js";

/** A schema read without its `nullable`, which `conjunction` has turned into an alternative. */
class Bare {
  constructor(readonly node: SchemaObject) {}
}

/** Several schemas that apply to one and the same value, taken apart. */
export interface Conjunction {
  /** Whether one of them accepts nothing. */
  never: boolean;
  /** Every object schema among them, references and `allOf` followed; each for its own keywords only. */
  facets: SchemaObject[];
  /** The value must also match one branch of each. */
  unions: unknown[][];
}

/**
 * Takes `schemas` apart. `base` holds facets that are already known to apply; they come first, and a
 * branch that leads back to one of them says nothing new. What cannot be read (a missing reference, a
 * string where a schema belongs) is left out, so the result accepts at least what the schemas accept.
 */
export function conjunction(
  schemas: readonly unknown[],
  refs: References | undefined,
  base: readonly SchemaObject[] = [],
): Conjunction {
  const found: Conjunction = { never: false, facets: [...base], unions: [] };
  const seen = new Set<unknown>(base);
  const todo = [...schemas].reverse();
  while (todo.length > 0) {
    const schema = todo.pop();
    if (schema === false) found.never = true;
    const bare = schema instanceof Bare;
    const node = bare ? schema.node : schema;
    if (!isObject(node) || seen.has(node)) continue;
    if (!bare && own(node, "nullable") === true && own(node, "type") === undefined) {
      found.unions.push([new Bare(node), { type: "null" }]);
      continue;
    }
    seen.add(node);
    found.facets.push(node);
    for (const keyword of ["anyOf", "oneOf"]) {
      const branches = own(node, keyword);
      if (Array.isArray(branches) && branches.length > 0) found.unions.push(branches);
    }
    const all = own(node, "allOf");
    if (Array.isArray(all)) todo.push(...[...all].reverse());
    const ref = referenceOf(node)?.ref;
    const target = ref === undefined ? undefined : refs?.resolve(ref, node);
    if (target?.ok) todo.push(target.target);
  }
  return found;
}

const JSON_TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"] as const;
export type JsonType = (typeof JSON_TYPES)[number];

/** The JSON types a node allows, in written order; undefined when it does not say or says nonsense. */
function typesOf(node: SchemaObject): JsonType[] | undefined {
  const written = own(node, "type");
  if (written === undefined) return undefined;
  const names = Array.isArray(written) ? written : [written];
  if (names.length === 0 || !names.every((name) => JSON_TYPES.includes(name))) return undefined;
  const types = [...new Set(names as JsonType[])];
  return own(node, "nullable") === true && !types.includes("null") ? [...types, "null"] : types;
}

/** The types that every facet allows; undefined when none says. */
export function commonTypes(facets: readonly SchemaObject[]): JsonType[] | undefined {
  let common: JsonType[] | undefined;
  for (const facet of facets) {
    const types = typesOf(facet);
    if (types === undefined) continue;
    common = common === undefined ? types : both(common, types);
  }
  return common;
}

function both(a: readonly JsonType[], b: readonly JsonType[]): JsonType[] {
  const shared = a.flatMap((type): JsonType[] => {
    if (b.includes(type)) return [type];
    // Every integer is a number.
    if (type === "integer" && b.includes("number")) return ["integer"];
    return type === "number" && b.includes("integer") ? ["integer"] : [];
  });
  return [...new Set(shared)];
}

const MOST_LITERALS = 256;
const MOST_LISTED = 2_000;
const MOST_LITERAL_TEXT = 8_192;

/** The values that `const` and `enum` of the facets leave, or undefined when there is neither. */
export function allowedValues(
  facets: readonly SchemaObject[],
  types: readonly JsonType[] | undefined,
): unknown[] | undefined {
  let values: unknown[] | undefined;
  for (const facet of facets) {
    for (const listed of [Object.hasOwn(facet, "const") ? [facet.const] : undefined, own(facet, "enum")]) {
      // Leaving a very long list out only widens the type.
      if (!Array.isArray(listed) || listed.length > MOST_LISTED) continue;
      const among = new Set<unknown>(listed);
      values = values === undefined ? listed : values.filter((value) => isOneOf(value, among));
    }
  }
  return values?.filter((value) => types === undefined || hasType(value, types));
}

// Objects and arrays are not compared: keeping one too many is harmless.
function isOneOf(value: unknown, listed: ReadonlySet<unknown>): boolean {
  return (typeof value === "object" && value !== null) || listed.has(value);
}

function hasType(value: unknown, types: readonly JsonType[]): boolean {
  const kind = jsonTypeOf(value);
  return types.includes(kind) || (kind === "number" && Number.isInteger(value) && types.includes("integer"));
}

function jsonTypeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as JsonType;
}

/** Union members for a list of values: literals, or just their types when there are too many. */
export function literalMembers(values: readonly unknown[]): string[] {
  const members = new Set<string>();
  let length = 0;
  for (const value of values) {
    const simple = typeof value !== "object" || value === null;
    const text = simple ? oneLine(JSON.stringify(value)) : plainType(value);
    if (members.has(text)) continue;
    members.add(text);
    length += text.length;
    if (members.size > MOST_LITERALS || length > MOST_LITERAL_TEXT)
      return [...new Set(values.map(plainType))];
  }
  return [...members];
}

function plainType(value: unknown): string {
  const kind = jsonTypeOf(value);
  return kind === "array" ? ANY_ARRAY : kind === "object" ? ANY_OBJECT : kind;
}
