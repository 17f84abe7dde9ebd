import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundInputSchema } from "../../src/schema/bound.js";
import { schemaCompiler } from "../../src/schema/compile.js";
import { renderMcpParams } from "../../src/schema/declare-mcp.js";
import { declareNative } from "../../src/schema/declare-native.js";
import { inputHint, outputHint } from "../../src/schema/hints.js";
import { readJsonl } from "../support/conformance.js";
import { full } from "../support/full.js";
import { diagnose } from "./support/typescript.js";

const compiler = await schemaCompiler();
const native = (schema: unknown): string =>
  declareNative({ callableName: "f", source: "openclaw", parameters: schema, outputSchema: schema });

const LIMIT_MS = 100;

function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** A fixed piece of work that takes 40 ms of processor on the machine the limit was set on. */
function calibration(): unknown {
  const rows = Array.from({ length: 20_000 }, (_, i) => [`k${i}`, { a: [i, `x${i}`], b: null }]);
  return JSON.parse(JSON.stringify(Object.fromEntries(rows)));
}

/**
 * Milliseconds over the limit, or 0. A first miss is measured again, against what a busy or slow machine
 * makes of the calibration at the same moment.
 */
function overLimit(make: () => unknown, work: (schema: unknown) => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 5; tries += 1) {
    const schema = make();
    const taken = processorMs(() => work(schema));
    if (taken <= LIMIT_MS) return 0;
    least = Math.min(least, taken / Math.max(1, processorMs(calibration) / 40));
    if (least <= LIMIT_MS) return 0;
  }
  return Math.round(least);
}

const renderers: Record<string, (schema: unknown) => unknown> = {
  inputHint,
  outputHint,
  nativeInput: (parameters) => declareNative({ callableName: "f", source: "openclaw", parameters }),
  nativeOutput: (outputSchema) => declareNative({ callableName: "f", source: "openclaw", outputSchema }),
  mcp: renderMcpParams,
  bound: boundInputSchema,
};

const properties = (count: number, schema: (i: number) => unknown): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, schema(i)]));
const tree = (depth: number, width: number): unknown =>
  depth === 0
    ? { type: "string" }
    : {
        type: "object",
        properties: properties(width, () => tree(depth - 1, width)),
        additionalProperties: false,
      };
const deep = (levels: number): object => {
  let schema: object = { type: "string" };
  for (let i = 0; i < levels; i += 1) {
    schema = { type: "object", properties: { k: schema }, required: ["k"], additionalProperties: false };
  }
  return schema;
};
const chained = (levels: number, width: number): object => ({
  $ref: "#/$defs/p0",
  $defs: properties(levels, (i) =>
    i === levels - 1
      ? { type: "string" }
      : { type: "object", properties: properties(width, () => ({ $ref: `#/$defs/p${i + 1}` })) },
  ),
});
const doubled = (levels: number): object => {
  let schema: object = { type: "string" };
  for (let i = 0; i < levels; i += 1) schema = { type: "object", properties: { a: schema, b: schema } };
  return schema;
};
const unions = (depth: number): unknown =>
  depth === 0 ? { type: "object" } : { anyOf: Array.from({ length: 8 }, () => unions(depth - 1)) };
const itself = (): unknown => {
  const schema: Record<string, unknown> = { type: "object" };
  schema.properties = { self: schema };
  return schema;
};

const hostile: Record<string, () => unknown> = {
  "many properties": () => ({ type: "object", properties: properties(20_000, () => ({ type: "string" })) }),
  "a bushy tree": () => tree(4, 8),
  "5,000 levels": () => deep(5_000),
  "128 levels": () => deep(127),
  "references that multiply": () => chained(18, 2),
  "references that multiply widely": () => chained(6, 8),
  "many long references": () => chained(60, 20),
  "shared parts that multiply": () => doubled(200),
  "unions of unions": () => unions(4),
  "twelve unions at once": () => ({
    type: "object",
    allOf: Array.from({ length: 12 }, (_, i) => ({
      anyOf: [{ required: [`a${i}`] }, { required: [`b${i}`] }],
    })),
  }),
  "a long enum": () => ({ enum: Array.from({ length: 40_000 }, (_, i) => `v${i}`) }),
  "long literals": () => ({
    anyOf: Array.from({ length: 200 }, (_, i) => ({ const: `${i}`.repeat(5_000) })),
  }),
  "a long allOf": () => ({
    allOf: Array.from({ length: 5_000 }, (_, i) => ({ properties: { [`k${i}`]: {} } })),
  }),
  "unions of itself": () => ({
    $defs: { a: { anyOf: Array.from({ length: 30 }, () => ({ properties: { n: { $ref: "#/$defs/a" } } })) } },
    $ref: "#/$defs/a",
  }),
  "references in a circle": () => ({
    $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } },
    $ref: "#/$defs/a",
  }),
  itself: itself,
  "a sparse array": () => {
    const items: unknown[] = [];
    items.length = 4_000_000_000;
    return { prefixItems: items };
  },
  "a proxy that throws": () =>
    new Proxy(
      {},
      {
        ownKeys() {
          throw new Error("no");
        },
      },
    ),
};

describe("no schema crashes, hangs or passes its bound", () => {
  it.each(Object.keys(hostile))("%s", (name) => {
    const make = hostile[name]!;
    const slow = Object.entries(renderers)
      .map(([renderer, work]) => [renderer, overLimit(make, work)] as const)
      .filter(([, milliseconds]) => milliseconds > 0);
    expect(slow).toEqual([]);
    const schema = make();
    expect(inputHint(schema).length).toBeLessThanOrEqual(300);
    expect((outputHint(schema) ?? "").length).toBeLessThanOrEqual(800);
    expect(native(schema).length).toBeLessThan(2 * 33_000);
    const { typeText, aliases } = renderMcpParams(schema);
    expect(typeText.length + JSON.stringify(aliases).length).toBeLessThan(36_000);
    for (const purpose of ["input", "output"] as const) {
      const before = process.cpuUsage().user;
      const compiled = compiler.compile(schema, { purpose });
      if (compiled.ok) compiled.check({ k: {} });
      else expect(compiled.problem).toMatch(/^#.*: ./);
      expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(1_500);
    }
  });

  it("holds for any JSON at all in the place of a schema", () => {
    const keyword = fc.constantFrom(
      "type",
      "properties",
      "items",
      "anyOf",
      "allOf",
      "$ref",
      "enum",
      "const",
      "required",
      "additionalProperties",
      "patternProperties",
      "nullable",
      "not",
      "if",
      "prefixItems",
      "$id",
      "minimum",
      "pattern",
      "x-openclaw-input-discriminator",
      "__proto__",
      "dependencies",
      "$defs",
      "default",
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(
          "object",
          "array",
          "#",
          "#/properties/type",
          "(",
          null,
          true,
          false,
          0,
          -1,
          1e308,
          "",
        ),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(keyword, tie("value"), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(value, (schema) => {
        for (const work of [inputHint, outputHint, renderMcpParams, boundInputSchema]) work(schema);
        try {
          native(schema);
        } catch (error) {
          expect((error as Error).name).toBe("MalformedDiscriminator");
        }
        const compiled = compiler.compile(schema, { purpose: "input" });
        if (compiled.ok) compiled.check({ type: "object" });
      }),
      { seed: 20261130, numRuns: full ? 3_000 : 300 },
    );
  });
});

describe("schemas.jsonl: schemas of published tools", () => {
  const rows = readJsonl<{ kind: "input" | "output" | "config"; tool: string; schema: unknown }>(
    "schemas.jsonl",
  );

  it("compile, hint and declare, each within 100 ms", () => {
    const wrong: unknown[] = [];
    for (const { kind, tool, schema } of rows) {
      const compiled = compiler.compile(schema, { purpose: kind });
      if (!compiled.ok) wrong.push([tool, compiled.problem]);
      const copy = (): unknown => structuredClone(schema);
      for (const [name, work] of Object.entries({
        ...renderers,
        compile: (s: unknown) => compiler.compile(s, { purpose: kind }),
      })) {
        const milliseconds = overLimit(copy, work);
        if (milliseconds > 0) wrong.push([tool, name, milliseconds]);
      }
    }
    console.log(`schemas.jsonl: ${rows.length - wrong.length} of ${rows.length}`);
    expect(wrong).toEqual([]);
  });

  it("give declarations that compile under strict, hostile keys and references included", () => {
    const odd = [
      "*/",
      "a\nb",
      "\u2028",
      "`${x}`",
      '"',
      "\\",
      "__proto__",
      "constructor",
      "",
      "0",
      "é",
      "then",
      "\ud800",
    ];
    const extra = [
      {
        type: "object",
        properties: Object.fromEntries(odd.map((key) => [key, { const: key }])),
        required: odd,
      },
      {
        type: "object",
        properties: { $ref: {}, type: { type: "object" } },
        additionalProperties: { type: "string" },
      },
      { enum: odd },
      ...Object.values(hostile).map((make) => make()),
    ];
    const files = new Map<string, string>();
    for (const [i, schema] of [...rows.map((row) => row.schema), ...extra].entries()) {
      const { aliases, typeText, optionalInput } = renderMcpParams(schema);
      files.set(`/native${i}.d.ts`, `${native(schema)}\nexport {};`);
      files.set(
        `/mcp${i}.d.ts`,
        [
          ...aliases.map(({ name, text }) => `type ${name} = ${text};`),
          `declare function f(input${optionalInput ? "?" : ""}: ${typeText}): void;`,
          "export {};",
        ].join("\n"),
      );
    }
    expect(diagnose(files).slice(0, 5)).toEqual([]);
  });
});
