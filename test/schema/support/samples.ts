import fc from "fast-check";

/** Random JSON Schemas that the type writer has something to say about, references and unions included. */
export function schemas(): fc.Arbitrary<Record<string, unknown>> {
  const name = fc.constantFrom("a", "b", "c", "x-y", "x-z", "class", "é", "0", "");
  const literal = fc.constantFrom<unknown>("a", "b", "", "*/", 'q"', 0, 1, -1.5, true, false, null);
  const leaf: fc.Arbitrary<unknown> = fc.oneof(
    fc.constantFrom<unknown>(
      {},
      { type: "string" },
      { type: "string", nullable: true },
      { type: "number", minimum: 0 },
      { type: "integer" },
      { type: "boolean" },
      { type: "null" },
      { type: ["string", "null"] },
      { type: ["integer", "boolean"] },
      { type: "object" },
      { type: "array" },
      { $ref: "#/$defs/Node" },
      { $ref: "#/$defs/Pair", description: "d" },
      true,
      false,
    ),
    fc.array(literal, { minLength: 1, maxLength: 4 }).map((values) => ({ enum: values })),
    literal.map((value) => ({ const: value })),
    fc.constant({ enum: [{ a: 1 }, [1], "x"] }),
  );
  const { node } = fc.letrec<{ node: unknown }>((tie) => {
    const sub = fc.oneof({ maxDepth: 3, depthSize: "small" }, { arbitrary: leaf, weight: 2 }, tie("node"));
    const list = fc.array(sub, { minLength: 1, maxLength: 3 });
    const optional = { requiredKeys: [] as [] };
    const objectParts = fc.record(
      {
        properties: fc.dictionary(name, sub, { maxKeys: 4 }),
        required: fc.uniqueArray(name, { maxLength: 3 }),
        additionalProperties: fc.oneof(fc.constant(false), fc.constant(true), sub),
        patternProperties: fc.oneof(
          sub.map((schema) => ({ "^x-": schema })),
          sub.map((schema) => ({ "^.*$": schema })),
          sub.map((schema) => ({ "[a-c]$": schema })),
        ),
        minProperties: fc.constantFrom(0, 1),
        propertyNames: fc.constant({ maxLength: 3 }),
      },
      optional,
    );
    const arrayParts = fc.record(
      {
        items: fc.oneof(sub, list),
        additionalItems: sub,
        minItems: fc.constantFrom(0, 1, 2),
        maxItems: fc.constantFrom(1, 3),
        uniqueItems: fc.boolean(),
      },
      optional,
    );
    const tuple = fc.record(
      { prefixItems: list, items: sub, minItems: fc.constantFrom(0, 1, 2) },
      { requiredKeys: ["prefixItems"] },
    );
    const type = fc.constantFrom<unknown>("object", ["object", "null"], ["object", "array", "string"]);
    return {
      node: fc.oneof(
        objectParts.map((parts) => ({ type: "object", ...parts })),
        fc.tuple(type, objectParts).map(([type, parts]) => ({ type, ...parts })),
        objectParts,
        arrayParts.map((parts) => ({ type: "array", ...parts })),
        tuple.map((parts) => ({ type: "array", ...parts })),
        list.map((branches) => ({ anyOf: branches })),
        list.map((branches) => ({ oneOf: branches })),
        list.map((branches) => ({ allOf: branches })),
        fc.tuple(objectParts, list).map(([parts, anyOf]) => ({ type: "object", ...parts, anyOf })),
        fc
          .tuple(objectParts, list)
          .map(([parts, allOf]) => ({ ...parts, allOf, unevaluatedProperties: false })),
        fc
          .tuple(objectParts, sub, sub)
          .map(([parts, condition, then]) => ({ ...parts, if: condition, then })),
        fc.tuple(sub, sub).map(([a, b]) => ({ anyOf: [a, b], nullable: true })),
        fc.tuple(sub, leaf).map(([a, not]) => ({ allOf: [a], not })),
        leaf,
      ),
    };
  });
  return node.map((schema) => ({
    ...(typeof schema === "object" ? schema : { allOf: [schema] }),
    $defs: {
      Node: {
        type: "object",
        properties: { v: { type: "number" }, next: { $ref: "#/$defs/Node" } },
        required: ["v"],
      },
      Pair: { type: "array", items: [{ type: "string" }, { $ref: "#/$defs/Node" }], minItems: 1 },
    },
  }));
}

type Random = () => number;

/** A small generator with a fixed sequence for each seed. */
export function random(seed: number): Random {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A JSON value led by a schema: often valid, never certainly. */
export function valueFor(schema: unknown, root: unknown, next: Random, depth = 0): unknown {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  const anything = (): unknown =>
    pick<unknown>(["a", "b", "", 0, 1, 2.5, true, false, null, {}, [], { v: 1 }, { a: "a" }, ["a"]]);
  if (depth > 6 || typeof schema !== "object" || schema === null || next() < 0.04) return anything();
  const node = schema as Record<string, any>;
  const sub = (inner: unknown): unknown => valueFor(inner, root, next, depth + 1);
  if (typeof node.$ref === "string") {
    const target = node.$ref
      .split("/")
      .slice(1)
      .reduce((at: any, key: string) => at?.[key], root);
    return sub(target);
  }
  if (node.nullable === true && next() < 0.3) return null;
  if (Object.hasOwn(node, "const")) return node.const;
  if (Array.isArray(node.enum)) return pick(node.enum);
  const parts = [
    ...(node.allOf ?? []),
    ...(node.anyOf ? [pick(node.anyOf)] : []),
    ...(node.oneOf ? [pick(node.oneOf)] : []),
  ];
  const own = [
    "type",
    "properties",
    "items",
    "prefixItems",
    "additionalProperties",
    "patternProperties",
    "required",
  ];
  const values = parts.map(sub);
  if (own.some((keyword) => Object.hasOwn(node, keyword))) values.push(plain(node, sub, pick, next));
  if (values.length === 0) return anything();
  const objects = values.filter(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  );
  return objects.length > 1 ? Object.assign({}, ...objects) : pick(values);
}

function plain(
  node: Record<string, any>,
  sub: (schema: unknown) => unknown,
  pick: <T>(from: readonly T[]) => T,
  next: Random,
): unknown {
  const guess = (node.items ?? node.prefixItems) ? "array" : "object";
  switch (pick([node.type ?? guess].flat())) {
    case "string":
      return pick(["", "a", "b", "*/", "abc"]);
    case "integer":
      return pick([0, 1, 7]);
    case "number":
      return pick([0, 1.5, -1]);
    case "boolean":
      return next() < 0.5;
    case "null":
      return null;
    case "array": {
      const positions: unknown[] = node.prefixItems ?? (Array.isArray(node.items) ? node.items : []);
      const rest = Array.isArray(node.items) ? node.additionalItems : node.items;
      const length = Math.max(node.minItems ?? 0, Math.floor(next() * 4));
      return Array.from({ length }, (_, i) => sub(i < positions.length ? positions[i] : (rest ?? {})));
    }
    default: {
      const value: Record<string, unknown> = {};
      for (const [key, schema] of Object.entries(node.properties ?? {})) {
        if (node.required?.includes(key) || next() < 0.6) value[key] = sub(schema);
      }
      for (const key of node.required ?? []) {
        if (!Object.hasOwn(value, key))
          value[key] = sub(Object.values(node.patternProperties ?? {})[0] ?? node.additionalProperties ?? {});
      }
      if (node.additionalProperties !== false && next() < 0.5)
        value.extra = sub(node.additionalProperties ?? {});
      for (const [pattern, schema] of Object.entries(node.patternProperties ?? {})) {
        if (next() < 0.6) value[pattern === "^x-" ? "x-new" : "zc"] = sub(schema);
      }
      return value;
    }
  }
}
