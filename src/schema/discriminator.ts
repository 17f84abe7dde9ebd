import { isObject, own, type SchemaObject } from "./keywords.js";
import { snapshot } from "./snapshot.js";
import { walk } from "./walk.js";

/** The annotation that ties branches of an output union to values of one input property. */
export const DISCRIMINATOR = "x-openclaw-input-discriminator";

const MOST_STEPS = 4_096;
const MOST_LEVELS = 63;

export type InputDiscriminator =
  | { kind: "none" }
  | {
      kind: "selector";
      /** The input property whose string value selects a branch. */
      inputProperty: string;
      /** Input value → index of its branch in `anyOf`, in written order. */
      mapping: ReadonlyMap<string, number>;
      /** Number of branches of the union, mapped or not. */
      branches: number;
      /**
       * The output schema with its union cut to the branch of `value`, root constraints kept; undefined
       * for a value without one. The same object each time, so it compiles once.
       */
      branchSchemaFor(value: unknown): unknown | undefined;
      /** The same by branch index. */
      branchSchema(index: number): unknown;
    }
  /** A sound annotation on a schema too entangled to be cut: the whole union applies. */
  | { kind: "fallback"; reason: "references" | "size" }
  /** `message` is one line; the tool must not run. */
  | { kind: "malformed"; message: string };

const cache = new WeakMap<SchemaObject, InputDiscriminator>();

/** Reads the input discriminator of an output schema. Never throws. */
export function readDiscriminator(outputSchema: unknown): InputDiscriminator {
  const root = snapshot(outputSchema).value;
  if (!isObject(root) || !Object.hasOwn(root, DISCRIMINATOR)) return { kind: "none" };
  let known = cache.get(root);
  if (known === undefined) {
    known = read(root, root[DISCRIMINATOR]);
    cache.set(root, known);
  }
  return known;
}

function read(root: SchemaObject, annotation: unknown): InputDiscriminator {
  const malformed = (text: string): InputDiscriminator => ({
    kind: "malformed",
    message: `${DISCRIMINATOR} ${text}`,
  });
  const branches = own(root, "anyOf");
  if (!isObject(annotation)) return malformed("must be an object { version, inputProperty, mapping }");
  if (own(annotation, "version") !== 1) return malformed("must have version 1, the only one there is");
  if (!Array.isArray(branches) || branches.length === 0)
    return malformed("needs a non-empty anyOf beside it");
  const inputProperty = own(annotation, "inputProperty");
  if (typeof inputProperty !== "string" || inputProperty === "") {
    return malformed("must name an input property in inputProperty");
  }
  const mapping = own(annotation, "mapping");
  if (!isObject(mapping)) return malformed("must have a mapping of input values to branch indexes");
  for (const [value, index] of Object.entries(mapping)) {
    if (Number.isInteger(index) && (index as number) >= 0 && (index as number) < branches.length) continue;
    return malformed(
      `maps ${JSON.stringify(value.slice(0, 80))} to a branch that anyOf does not have (0 to ${branches.length - 1})`,
    );
  }
  const entries = new Map(Object.entries(mapping) as [string, number][]);
  if (entries.size === 0) return malformed("has an empty mapping");
  const entangled = inspect(root);
  if (entangled !== undefined) return { kind: "fallback", reason: entangled };

  const cut = new Map<number, SchemaObject>();
  const branchSchema = (index: number): unknown => {
    let schema = cut.get(index);
    if (schema === undefined) {
      const { [DISCRIMINATOR]: _annotation, ...rest } = root;
      schema = { ...rest, anyOf: [branches[index]] };
      cut.set(index, schema);
    }
    return schema;
  };
  return {
    kind: "selector",
    inputProperty,
    mapping: entries,
    branches: branches.length,
    branchSchema,
    branchSchemaFor(value) {
      const index = typeof value === "string" ? entries.get(value) : undefined;
      return index === undefined ? undefined : branchSchema(index);
    },
  };
}

function inspect(root: SchemaObject): "references" | "size" | undefined {
  let found: "references" | "size" | undefined;
  const visited = walk(
    root,
    ({ node, depth }) => {
      if (["$ref", "$dynamicRef", "$recursiveRef"].some((keyword) => Object.hasOwn(node, keyword))) {
        found = "references";
      } else if (depth > MOST_LEVELS) found ??= "size";
      return found === undefined;
    },
    { limit: MOST_STEPS },
  );
  return found ?? (visited > MOST_STEPS ? "size" : undefined);
}
