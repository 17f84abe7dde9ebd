import type ts from "typescript";
import { isObject } from "../schema/keywords.js";
import { nearest } from "../text/nearest.js";
import { type JsonKind, kindsOf } from "./kinds.js";
import { bare } from "./nodes.js";
import type { CellProgram } from "./program.js";
import { propertyName, staticValue } from "./static-value.js";

/** A part of an argument that its schema refuses whatever the unknown parts turn out to be. */
export interface Contradiction {
  node: ts.Node;
  path: string;
  text: string;
  meant?: string[];
  /** Whether it is a property the schema does not know. */
  extra?: true;
}

const DEEPEST = 24;

/**
 * Holds an argument that is known only in part against its schema. Only keywords that refuse a value by
 * themselves are read; what other parts of the schema might allow or refuse stays open.
 */
export function contradictions(
  program: CellProgram,
  expression: ts.Expression,
  schema: unknown,
  filled: readonly string[] = [],
  path: readonly string[] = [],
): Contradiction[] {
  const { ts } = program;
  if (path.length > DEEPEST) return [];
  const node = bare(ts, expression);
  const fault = (text: string): Contradiction[] => [{ node, path: path.join(".") || "<root>", text }];
  if (schema === false) return fault("is not allowed here");
  if (!isObject(schema) || "$ref" in schema) return [];
  const known = staticValue(ts, node);
  const value = known.known && "value" in known ? known.value : undefined;
  const kinds = kindsOf(program, node);
  if (kinds?.has("absent")) return [];
  const types = typesOf(schema);
  if (types !== undefined && kinds !== undefined && ![...kinds].some((kind) => types.has(kind))) {
    return fault(`must be ${typeText(schema, types)}`);
  }
  if (value !== undefined && typeof value !== "object" && "const" in schema && schema.const !== value) {
    return fault(`must be ${JSON.stringify(schema.const)}`);
  }
  if (
    value !== undefined &&
    typeof value !== "object" &&
    Array.isArray(schema.enum) &&
    !schema.enum.includes(value)
  ) {
    const allowed = schema.enum.slice(0, 8).map((item) => JSON.stringify(item));
    const meant =
      typeof value === "string"
        ? nearest(
            value,
            schema.enum.filter((item) => typeof item === "string"),
          )
        : [];
    return [{ ...fault(`must be one of ${allowed.join(", ")}`)[0]!, meant }];
  }
  if (
    value !== undefined &&
    types?.has("number") &&
    onlyInteger(schema) &&
    typeof value === "number" &&
    !Number.isInteger(value)
  ) {
    return fault("must be integer");
  }
  const inside = ts.isObjectLiteralExpression(node)
    ? ofObject(program, node, schema, filled, path)
    : ts.isArrayLiteralExpression(node)
      ? ofArray(program, node, schema, path)
      : [];
  return [...inside, ...ofAlternatives(program, node, schema, filled, path)];
}

function typesOf(schema: Record<string, unknown>): Set<JsonKind> | undefined {
  const listed = typeof schema.type === "string" ? [schema.type] : schema.type;
  if (!Array.isArray(listed) || listed.length === 0) return undefined;
  const types = new Set<JsonKind>(listed.map((type) => (type === "integer" ? "number" : type)));
  if (schema.nullable === true) types.add("null");
  return types;
}

function typeText(schema: Record<string, unknown>, types: ReadonlySet<JsonKind>): string {
  const names = [...types].map((type) => (type === "number" && onlyInteger(schema) ? "integer" : type));
  return names.join(" or ");
}

function onlyInteger(schema: Record<string, unknown>): boolean {
  return schema.type === "integer" || (Array.isArray(schema.type) && !schema.type.includes("number"));
}

function ofObject(
  program: CellProgram,
  node: ts.ObjectLiteralExpression,
  schema: Record<string, unknown>,
  filled: readonly string[],
  path: readonly string[],
): Contradiction[] {
  const { ts } = program;
  const found: Contradiction[] = [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  const names = new Set<string>();
  let open = false;
  for (const property of node.properties) {
    const name = property.name === undefined ? undefined : propertyName(ts, property.name);
    if (name === undefined || name === "__proto__" || name === "toJSON") {
      open = true;
      continue;
    }
    const value = ts.isPropertyAssignment(property)
      ? property.initializer
      : ts.isShorthandPropertyAssignment(property)
        ? property.name
        : undefined;
    if (value === undefined) {
      open = true;
      continue;
    }
    if (kindsOf(program, value)?.size === 1 && kindsOf(program, value)?.has("absent")) continue;
    names.add(name);
    if (Object.hasOwn(properties, name)) {
      found.push(...contradictions(program, value, properties[name], [], [...path, name]));
    } else if (schema.additionalProperties === false && schema.patternProperties === undefined) {
      const meant = nearest(name, Object.keys(properties));
      const text = `must not have the property ${JSON.stringify(name)}`;
      found.push({ node: property.name!, path: path.join(".") || "<root>", text, meant, extra: true });
    }
  }
  if (open || !Array.isArray(schema.required)) return found;
  for (const name of schema.required) {
    if (typeof name !== "string" || names.has(name) || filled.includes(name)) continue;
    const text = "is required";
    found.push({ node, path: [...path, name].join("."), text });
  }
  return found;
}

function ofArray(
  program: CellProgram,
  node: ts.ArrayLiteralExpression,
  schema: Record<string, unknown>,
  path: readonly string[],
): Contradiction[] {
  const { ts } = program;
  const items = schema.items;
  if (!isObject(items) || Array.isArray(schema.prefixItems)) return [];
  return node.elements.flatMap((element, index) =>
    ts.isSpreadElement(element) || ts.isOmittedExpression(element)
      ? []
      : contradictions(program, element, items, [], [...path, String(index)]),
  );
}

/** `allOf` refuses what any part refuses, `anyOf` and `oneOf` what every branch refuses. */
function ofAlternatives(
  program: CellProgram,
  node: ts.Expression,
  schema: Record<string, unknown>,
  filled: readonly string[],
  path: readonly string[],
): Contradiction[] {
  const of = (part: unknown): Contradiction[] => contradictions(program, node, part, filled, path);
  const all = Array.isArray(schema.allOf) ? schema.allOf.flatMap(of) : [];
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = schema[keyword];
    if (!Array.isArray(branches) || branches.length === 0) continue;
    const each = branches.map(of);
    if (each.some((one) => one.length === 0)) continue;
    const [only] = each;
    if (each.length === 1 && only !== undefined) all.push(...only);
    else
      all.push({
        node,
        path: path.join(".") || "<root>",
        text: `must match one of ${each.length} alternatives`,
      });
  }
  return all;
}
