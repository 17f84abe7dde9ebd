import { isObject, own, type SchemaObject } from "./keywords.js";
import { CATCH_ALL } from "./pattern.js";
import { oneLine, propertyKey } from "./render-parts.js";
import { conjunction } from "./type-facets.js";
import { ANY_OBJECT, join, type MemberWriter, union } from "./type-members.js";

const KEYWORDS = [
  "properties",
  "required",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
];
const MOST_FIELDS = 1_000;
const MOST_INDEX_MEMBERS = 8;
const MOST_INDEX_TEXT = 400;

/**
 * The object type that all facets together describe, or undefined when they say nothing of objects.
 * Fields that every facet knows are narrowed by each; unlisted properties become an index signature as
 * narrow as TypeScript lets it stand beside the fields. A `branch` of a union that no object fits is
 * `never`, which drops it.
 */
export function objectType(
  facets: readonly SchemaObject[],
  depth: number,
  writer: MemberWriter,
  branch: boolean,
): string | undefined {
  const speaking = facets.filter((facet) => KEYWORDS.some((keyword) => Object.hasOwn(facet, keyword)));
  if (speaking.length === 0) return undefined;
  const required = new Set(speaking.flatMap((facet) => requiredOf(facet)));
  if (speaking.some((facet) => writer.names(facet).length > MOST_FIELDS)) return ANY_OBJECT;
  const names = new Set([...required, ...speaking.flatMap((facet) => writer.names(facet))]);
  if (names.size > MOST_FIELDS) return ANY_OBJECT;

  const fields = ordered(names, required, speaking, writer).map((name) => {
    const schemas = speaking.flatMap((facet) => schemasFor(facet, name));
    const optional =
      !required.has(name) ||
      (depth === 0 &&
        writer.style.defaultsOptional &&
        schemas.some((s) => isObject(s) && Object.hasOwn(s, "default")));
    const members = schemas.length === 0 ? ["unknown"] : writer.child(schemas, depth + 1);
    return { name, optional, members };
  });
  if (branch && fields.some(({ optional, members }) => !optional && join(members) === "never"))
    return "never";
  const written = fields.map(
    ({ name, optional, members }) => `${oneLine(propertyKey(name))}${optional ? "?" : ""}: ${join(members)}`,
  );
  const template = prefixIndex(speaking, names, depth, writer);
  if (template !== undefined) return `{ ${[...written, ...template].join("; ")} }`;

  const extras = speaking.flatMap((facet) => extraSchemas(facet, writer));
  const extra = extras.length === 0 ? ["unknown"] : writer.child(extras, depth + 1);
  if (join(extra) === "never") {
    return written.length === 0 ? "Record<string, never>" : `{ ${written.join("; ")} }`;
  }
  // An index signature must hold for the named fields too.
  const index = union([
    ...extra,
    ...fields.flatMap(({ members, optional }) => (optional ? [...members, "undefined"] : members)),
  ]);
  const text = index.length > MOST_INDEX_MEMBERS ? "unknown" : join(index);
  written.push(`[key: string]: ${text.length > MOST_INDEX_TEXT && fields.length > 0 ? "unknown" : text}`);
  return `{ ${written.join("; ")} }`;
}

function ordered(
  names: ReadonlySet<string>,
  required: ReadonlySet<string>,
  facets: readonly SchemaObject[],
  writer: MemberWriter,
): string[] {
  if (writer.style.fieldOrder === "sorted") return [...names].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const written = new Set(facets.flatMap((facet) => writer.names(facet)));
  return [...new Set([...required, ...written])];
}

function requiredOf(facet: SchemaObject): string[] {
  const required = own(facet, "required");
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

function mapOf(facet: SchemaObject, keyword: string): SchemaObject {
  const value = own(facet, keyword);
  return isObject(value) ? value : {};
}

/** What a facet demands of the named property: its own schema, or that of unlisted ones. */
function schemasFor(facet: SchemaObject, name: string): unknown[] {
  const properties = mapOf(facet, "properties");
  if (Object.hasOwn(properties, name)) return [properties[name]];
  // Required and forbidden at once is a slip of the author; the name is shown nevertheless.
  if (own(facet, "additionalProperties") === false && requiredOf(facet).includes(name)) return [];
  return unlisted(facet);
}

/** What a facet demands of a property it does not list. */
function unlisted(facet: SchemaObject): unknown[] {
  const patterns = Object.entries(mapOf(facet, "patternProperties"));
  const rest = own(facet, "additionalProperties");
  const everything = patterns.filter(([pattern]) => CATCH_ALL.has(pattern)).map(([, schema]) => schema);
  if (everything.length > 0) return everything;
  if (patterns.length > 0) return [{ anyOf: [...patterns.map(([, schema]) => schema), rest ?? true] }];
  return rest === undefined ? [] : [rest];
}

function extraSchemas(facet: SchemaObject, writer: MemberWriter): unknown[] {
  const found = unlisted(facet);
  const unevaluated = own(facet, "unevaluatedProperties");
  if (unevaluated === undefined || unevaluated === true) return found;
  // Names that parts of the facet list are fields; anything beyond lists leaves the question open.
  const parts = conjunction([facet], writer.refs);
  const listsOnly =
    parts.unions.length === 0 &&
    parts.facets.every((part) => !OPENING.some((keyword) => Object.hasOwn(part, keyword)));
  return listsOnly ? [...found, unevaluated] : found;
}

const OPENING = [
  "additionalProperties",
  "patternProperties",
  "dependentSchemas",
  "dependencies",
  "if",
  "then",
  "else",
  "not",
];

/**
 * Index signatures for names with a fixed beginning (`^x-` → `[key: \`x-${string}\`]`), when these are
 * all the unlisted names there may be and no field has such a name.
 */
function prefixIndex(
  facets: readonly SchemaObject[],
  names: ReadonlySet<string>,
  depth: number,
  writer: MemberWriter,
): string[] | undefined {
  const [facet] = facets;
  if (facets.length !== 1 || facet === undefined || own(facet, "additionalProperties") !== false)
    return undefined;
  const patterns = Object.entries(mapOf(facet, "patternProperties"));
  if (patterns.length === 0) return undefined;
  const signatures: string[] = [];
  for (const [pattern, schema] of patterns) {
    const prefix = /^\^([A-Za-z0-9_:@/ -]+)(?:\.[*+]\$?)?$/.exec(pattern)?.[1];
    if (prefix === undefined || [...names].some((name) => name.startsWith(prefix))) return undefined;
    signatures.push(`[key: \`${prefix}\${string}\`]: ${join(writer.child([schema], depth + 1))}`);
  }
  return signatures;
}
