/** A schema object after it has been copied by `snapshot.ts`: plain JSON, own properties only. */
export type SchemaObject = { [keyword: string]: unknown };

/** Where a keyword keeps subschemas: as its value, in an array, or under names of their own. */
export type ChildShape = "one" | "list" | "map";

const SHAPES: Readonly<Record<string, ChildShape>> = {
  // Without a prototype, so that a keyword named `constructor` finds nothing.
  __proto__: null as never,
  additionalItems: "one",
  additionalProperties: "one",
  allOf: "list",
  anyOf: "list",
  contains: "one",
  $defs: "map",
  definitions: "map",
  dependencies: "map",
  dependentSchemas: "map",
  else: "one",
  if: "one",
  items: "one",
  not: "one",
  oneOf: "list",
  patternProperties: "map",
  prefixItems: "list",
  properties: "map",
  propertyNames: "one",
  then: "one",
  unevaluatedItems: "one",
  unevaluatedProperties: "one",
};

/** Whether `value` is an object that is not an array. */
export function isObject(value: unknown): value is SchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Own property, or undefined; names such as `__proto__` and `constructor` are ordinary here. */
export function own(object: SchemaObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own property whatever its name, `__proto__` included. */
export function setOwn(object: object, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    (object as SchemaObject)[key] = value;
  }
}

export interface Child {
  /** Path below the node, as JSON Pointer segments: `["properties", "a"]`. */
  segments: readonly [string] | readonly [string, string];
  schema: unknown;
}

/**
 * Every direct subschema of a node in written order. Members in schema positions come whatever they
 * are (a string under `properties` too); arrays under `dependencies` are name lists and are left out.
 */
export function children(node: SchemaObject): Child[] {
  const found: Child[] = [];
  for (const keyword of Object.keys(node)) {
    const shape = SHAPES[keyword];
    if (shape === undefined) continue;
    const value = node[keyword];
    if (shape === "one" && !Array.isArray(value)) found.push({ segments: [keyword], schema: value });
    else if (Array.isArray(value)) {
      if (shape === "map") continue;
      value.forEach((schema, index) => {
        found.push({ segments: [keyword, String(index)], schema });
      });
    } else if (shape === "map" && isObject(value)) {
      for (const name of Object.keys(value)) {
        if (keyword === "dependencies" && Array.isArray(value[name])) continue;
        found.push({ segments: [keyword, name], schema: value[name] });
      }
    }
  }
  return found;
}
