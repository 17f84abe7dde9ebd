import { own, type SchemaObject } from "./keywords.js";

/** Keywords that change the shape of a value in ways a compact hint does not show. */
export const SHAPE_KEYWORDS = [
  "$ref",
  "$dynamicRef",
  "$recursiveRef",
  "allOf",
  "patternProperties",
  "unevaluatedProperties",
  "dependentSchemas",
  "dependencies",
  "if",
  "then",
  "else",
  "prefixItems",
  "unevaluatedItems",
] as const;

/** Keywords beside `anyOf` or `oneOf` that a compact hint cannot combine with the union. */
export const UNION_SIBLINGS = [
  "const",
  "enum",
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
] as const;

/** A string, boolean, null or finite number as a TypeScript literal; undefined for anything else. */
export function jsonLiteral(value: unknown): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return JSON.stringify(value);
  return typeof value === "number" && Number.isFinite(value) ? JSON.stringify(value) : undefined;
}

/** JSON text on one line in every reader's eyes: the line separators that JSON leaves bare are escaped. */
export function oneLine(json: string): string {
  return json.replace(/\u2028/g, "\\u2028").replace(/\u2029/g, "\\u2029");
}

/** A property name as written in a type: bare when it is an ASCII identifier, else quoted. */
export function propertyKey(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : JSON.stringify(name);
}

const BOUNDS = [
  ["minimum", ">="],
  ["maximum", "<="],
  ["exclusiveMinimum", ">"],
  ["exclusiveMaximum", "<"],
] as const;

/** The comment after `number` (integer, bounds), empty when there is nothing to say; undefined for a bad bound. */
export function numberComment(node: SchemaObject, type: "number" | "integer"): string | undefined {
  const notes = type === "integer" ? ["integer"] : [];
  for (const [keyword, sign] of BOUNDS) {
    const bound = own(node, keyword);
    if (bound === undefined) continue;
    if (typeof bound !== "number" || !Number.isFinite(bound)) return undefined;
    notes.push(`${sign} ${bound}`);
  }
  return notes.length === 0 ? "" : ` /* ${notes.join(", ")} */`;
}
