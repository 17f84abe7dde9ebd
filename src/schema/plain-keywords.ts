import { isObject, own, type SchemaObject } from "./keywords.js";
import { compilePattern } from "./pattern.js";

/** Why a keyword's value has no meaning; `prepare.ts` adds the place. */
export class BadKeyword extends Error {}

const TYPES = new Set<unknown>(["array", "boolean", "integer", "null", "number", "object", "string"]);

/**
 * The value, checked, of a keyword that holds no subschema: `undefined` when the validator is not to see
 * it (annotations, formats, unknown keywords). Throws `BadKeyword`.
 */
export function plainKeyword(node: SchemaObject, keyword: string): unknown {
  return READERS[keyword]?.(node[keyword], node);
}

const READERS: Readonly<Record<string, (value: unknown, node: SchemaObject) => unknown>> = {
  // Without a prototype, so that a keyword named `constructor` finds nothing.
  __proto__: null as never,
  const: (value) => value,
  enum: (value) => (Array.isArray(value) ? value : refuse("an array", value)),
  exclusiveMaximum: (value, node) => exclusive(value, own(node, "maximum")),
  exclusiveMinimum: (value, node) => exclusive(value, own(node, "minimum")),
  maxContains: count,
  maxItems: count,
  maxLength: count,
  maxProperties: count,
  // Draft 04: a boolean beside the bound makes it exclusive.
  maximum: (value, node) => (own(node, "exclusiveMaximum") === true ? undefined : number(value)),
  minContains: count,
  minItems: count,
  minLength: count,
  minProperties: count,
  minimum: (value, node) => (own(node, "exclusiveMinimum") === true ? undefined : number(value)),
  multipleOf: (value) => (number(value) > 0 ? value : refuse("greater than 0", value)),
  pattern: (value) => (typeof value === "string" ? pattern(value) : refuse("a string", value)),
  required: (value) => (isNames(value) ? [...new Set(value)] : refuse("an array of property names", value)),
  type: types,
  uniqueItems: (value) => (typeof value === "boolean" ? value : refuse("a boolean", value)),
};

/** `source` when it is a regular expression; throws `BadKeyword`. */
export function pattern(source: string): string {
  try {
    compilePattern(source);
  } catch {
    throw new BadKeyword(`${JSON.stringify(source.slice(0, 80))} is not a regular expression`);
  }
  return source;
}

function types(value: unknown): unknown {
  const names = Array.isArray(value) ? value : [value];
  if (names.length === 0) throw new BadKeyword("must name at least one type");
  for (const name of names) {
    if (TYPES.has(name)) continue;
    throw new BadKeyword(
      `${typeof name === "string" ? JSON.stringify(name.slice(0, 40)) : kindOf(name)} is not a JSON type (string, number, integer, boolean, null, array, object)`,
    );
  }
  return names.length === 1 ? names[0] : [...new Set(names)];
}

function number(value: unknown): number {
  return typeof value === "number" ? value : refuse("a number", value);
}

function count(value: unknown): unknown {
  return Number.isInteger(value) && (value as number) >= 0
    ? value
    : refuse("a whole number of 0 or more", value);
}

function exclusive(value: unknown, bound: unknown): unknown {
  if (typeof value !== "boolean") return number(value);
  return value && typeof bound === "number" ? bound : undefined;
}

/** Whether `value` is a list of property names. */
export function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function refuse(wanted: string, value: unknown): never {
  throw new BadKeyword(`must be ${wanted}, not ${kindOf(value)}`);
}

/** `null`, `an array`, `a string`, ...: what a schema has where something else belongs. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return "an array";
  return isObject(value) ? "an object" : `a ${typeof value}`;
}
