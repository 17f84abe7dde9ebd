import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { boundInputSchema } from "../../src/schema/bound.js";
import { schemaCompiler } from "../../src/schema/compile.js";
import { renderMcpParams, topLevelRequired } from "../../src/schema/declare-mcp.js";
import { declareNative } from "../../src/schema/declare-native.js";
import { outputHint } from "../../src/schema/hints.js";
import { describeInvalidContract } from "../../src/schema/messages.js";
import { diagnose, expression } from "./support/typescript.js";

const compiler = await schemaCompiler();

/** Whether the output schema compiles and accepts the value. */
function accepts(schema: unknown, value: unknown): boolean {
  const compiled = compiler.compile(schema, { purpose: "output" });
  if (!compiled.ok) throw new Error(compiled.problem);
  return compiled.check(value).issues.length === 0;
}

function outputType(outputSchema: unknown): string {
  const declared = declareNative({ callableName: "f", source: "openclaw", outputSchema });
  return /: Promise<(.*)>;$/.exec(declared)![1]!;
}

/** Errors of a file that assigns each value to the type. */
function assignable(type: string, values: readonly unknown[]): unknown[] {
  const lines = values.map((value, i) => `export const v${i}: ${type} = ${expression(value)};`);
  return diagnose(new Map([["/case.ts", lines.join("\n")]]));
}

describe("cases.jsonl, schema-rendering", () => {
  it("schema-04: a root union beside properties keeps what the root demands", () => {
    const schema = {
      type: "object",
      properties: { thread: { type: "string" }, title: { type: "string" }, id: { type: "integer" } },
      required: ["thread"],
      additionalProperties: false,
      anyOf: [{ required: ["title"] }, { properties: { id: { minimum: 1 } }, required: ["id"] }],
    };
    const { typeText, optionalInput, params } = renderMcpParams(schema);
    expect(optionalInput).toBe(false);
    expect(params.map(({ name, optional }) => [name, optional])).toEqual([
      ["thread", false],
      ["title", true],
      ["id", true],
    ]);
    expect(topLevelRequired(schema)).toEqual(["thread"]);
    expect(
      assignable(typeText, [
        { thread: "t1", id: 4 },
        { thread: "t1", title: "x" },
      ]),
    ).toEqual([]);
    expect(assignable(typeText, [{ id: 4 }])).not.toEqual([]);
    expect(accepts(schema, { thread: "t1", id: 4 })).toBe(true);
    expect(accepts(schema, { id: 4 })).toBe(false);
  });

  it("schema-05: tuples of both dialects and with open tails", () => {
    const point = Type.Tuple([Type.String(), Type.Number()]);
    const path = { type: "array", prefixItems: [{ type: "string" }], items: { type: "number" } };
    const least = {
      type: "array",
      items: [{ type: "string" }, { type: "number" }],
      minItems: 1,
      additionalItems: false,
    };
    expect(outputType(point)).toBe("[string, number]");
    expect(outputType(path)).toBe("[string?, ...Array<number>]");
    expect(outputType({ ...path, minItems: 1 })).toBe("[string, ...Array<number>]");
    expect(outputType(least)).toBe("[string, number?]");
    expect(accepts(point, ["here", 1.5])).toBe(true);
    expect(accepts(path, ["start", 1, 2, 3])).toBe(true);
    expect(accepts(least, ["only"])).toBe(true);
    expect(accepts(point, ["here"])).toBe(false);
  });

  it("schema-06: named properties beside patternProperties compile", () => {
    const schema = {
      type: "object",
      properties: { gid: { type: "string" }, dryRun: { type: "boolean" } },
      required: ["gid"],
      patternProperties: { "^x-": { type: "number" } },
      additionalProperties: false,
    };
    const { typeText } = renderMcpParams(schema);
    expect(typeText).toBe("{ gid: string; dryRun?: boolean; [key: `x-${string}`]: number }");
    expect(
      assignable(typeText, [
        { gid: "a", "x-n": 3 },
        { gid: "a", dryRun: true },
      ]),
    ).toEqual([]);
    // A named property of that pattern widens the index signature instead.
    const named = { ...schema, properties: { ...schema.properties, "x-a": { type: "number" } } };
    expect(assignable(renderMcpParams(named).typeText, [{ gid: "a", "x-n": 3, "x-a": 1 }])).toEqual([]);
  });

  it("schema-10: literals of every kind stay one-line TypeScript, and no member is dropped", () => {
    const members = [
      "",
      "won't",
      'say "hi"',
      "back\\slash",
      "two\nlines",
      "*/",
      "${x}",
      "0bar",
      1,
      -0.5,
      1e21,
      true,
      null,
    ];
    const schema = { enum: members };
    const type = outputType(schema);
    expect(type.split(/[\n\r\u2028\u2029]/)).toHaveLength(1);
    expect(assignable(type, members)).toEqual([]);
    expect(assignable(type, ["other"])).not.toEqual([]);
    // Thirteen members are more than a compact hint holds: no hint rather than a shorter union.
    expect(outputHint(schema)).toBeUndefined();
    expect(members.every((member) => accepts(schema, member))).toBe(true);
  });

  it("schema-15: conditions are left unsaid, intersections are merged and closed", () => {
    const conditional = {
      type: "object",
      properties: { host: { type: "string" }, tls: { type: "boolean" } },
      required: ["tls"],
      additionalProperties: false,
      allOf: [{ if: { properties: { tls: { const: true } } }, then: { required: ["host"] }, else: {} }],
    };
    expect(outputType(conditional)).toBe("{ host?: string; tls: boolean }");
    expect(accepts(conditional, { tls: true })).toBe(false);
    expect(accepts(conditional, { tls: false })).toBe(true);
    const both = Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Number() })], {
      unevaluatedProperties: false,
    });
    expect(outputType({ type: "object", ...both })).toBe("{ a: string; b: number }");
    expect(outputType(both)).toBe("{ a: string; b: number }");
    expect(accepts(both, { a: "x", b: 1 })).toBe(true);
    expect(accepts(both, { a: "x", b: 1, c: 1 })).toBe(false);
  });

  it("schema-16: local references with escapes; a missing target is named, or unknown from a server", () => {
    const schema = {
      $defs: {
        "a/b~c": {
          type: "object",
          properties: { n: { type: "integer" } },
          required: ["n"],
          additionalProperties: false,
        },
        "sp ace": { type: "boolean" },
      },
      type: "object",
      properties: {
        x: { $ref: "#/$defs/a~1b~0c", description: "kept beside the ref" },
        y: { $ref: "#/$defs/sp%20ace" },
        z: { $ref: "#/$defs/absent" },
      },
      required: ["x", "y"],
      additionalProperties: false,
    };
    const compiled = compiler.compile(schema, { purpose: "output" });
    const problem = compiled.ok ? "" : compiled.problem;
    expect(describeInvalidContract("t", "outputSchema", problem)).toContain("#/$defs/absent");
    const { typeText, params } = renderMcpParams(schema);
    expect(typeText).toBe("{ x: { n: number /* integer */ }; y: boolean; z?: unknown }");
    expect(params[0]).toEqual({ name: "x", optional: false, description: "kept beside the ref" });
  });

  it("schema-17: depth beyond 128 levels becomes permissive", () => {
    const deep = (levels: number): object => {
      let schema: object = { type: "string" };
      for (let i = 0; i < levels; i += 1) {
        schema = { type: "object", properties: { k: schema }, required: ["k"], additionalProperties: false };
      }
      return schema;
    };
    for (const levels of [200, 5_000]) {
      const schema = deep(levels);
      const { cut, cutPaths } = boundInputSchema(schema);
      expect([cut, cutPaths.length]).toEqual([1, 1]);
      const compiled = compiler.compile(schema, { purpose: "input" });
      expect(compiled.ok).toBe(true);
      let value: unknown = "anything at all";
      for (let i = 0; i < 128; i += 1) value = { k: value };
      expect(compiled.ok && compiled.check(value).issues).toEqual([]);
      expect(compiled.ok && compiled.check({ k: 1 }).issues.length).toBe(1);
      expect(renderMcpParams(schema).typeText).toContain("unknown");
    }
    expect(boundInputSchema(deep(127)).cut).toBe(0);
    expect(boundInputSchema(deep(128)).cut).toBe(1);
  });

  it("schema-19: union members that share their keys are all kept", () => {
    const schema = Type.Union(
      [
        Type.String(),
        Type.Number(),
        Type.Boolean(),
        Type.Null(),
        Type.Array(Type.String()),
        Type.Array(Type.Number()),
        Type.Integer(),
      ].map((v) => Type.Object({ v }, { additionalProperties: false })),
    );
    const type = outputType(schema);
    const results = ["s", 0, true, null, ["a"], [1], 3].map((v) => ({ v }));
    expect(type.match(/\{ v: /g)!.length).toBeGreaterThanOrEqual(6);
    expect(assignable(type, results)).toEqual([]);
    expect(results.every((result) => accepts(schema, result))).toBe(true);
    // Seven branches are over the budget of a compact hint.
    expect(outputHint(schema)).toBeUndefined();
  });
});
