import { describe, expect, it } from "vitest";
import { type CompileOptions, schemaCompiler } from "../../src/schema/compile.js";
import { formatIssues } from "../../src/schema/issues.js";

const compiler = await schemaCompiler();

/** Formatted issues of a value, or the problem of the schema. */
function check(schema: unknown, value: unknown, purpose: CompileOptions["purpose"] = "output"): string[] {
  const compiled = compiler.compile(schema, { purpose });
  if (!compiled.ok) return [`problem ${compiled.problem}`];
  const result = compiled.check(value);
  return result.omitted > 0 ? [...formatIssues(result), `+${result.omitted}`] : formatIssues(result);
}

describe("dialects", () => {
  it("reads tuples of both dialects alike", () => {
    const draft7 = {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "array",
      items: [{ type: "string" }, { type: "number" }],
      additionalItems: false,
      minItems: 2,
    };
    const draft2020 = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "array",
      prefixItems: [{ type: "string" }, { type: "number" }],
      items: false,
      minItems: 2,
    };
    for (const schema of [draft7, draft2020]) {
      expect(check(schema, ["a", 1])).toEqual([]);
      expect(check(schema, ["a"])).toEqual(["<root>: must have at least 2 items"]);
      expect(check(schema, ["a", 1, 2])).toEqual(["2: is one item too many: at most 2 items allowed"]);
    }
  });

  it("reads dependencies, exclusive bounds of draft 04 and nullable", () => {
    const schema = { dependencies: { a: ["b"], c: { required: ["d"] } } };
    expect(check(schema, { a: 1, c: 1 }).sort()).toEqual([
      'b: is required when "a" is present',
      "d: is required",
    ]);
    expect(check({ minimum: 1, exclusiveMinimum: true }, 1)).toEqual(["<root>: must be > 1"]);
    expect(check({ type: "string", nullable: true }, null)).toEqual([]);
    expect(check({ anyOf: [{ type: "string" }], nullable: true }, null)).toEqual([]);
    expect(check({ type: "string", enum: ["x"], nullable: true }, null)).not.toEqual([]);
  });

  it("follows pointers with escapes, anchors, bare and absolute ids, and recursion", () => {
    const schema = {
      $id: "https://example.test/root.json",
      $defs: {
        "a/b~c": { type: "integer" },
        "sp ace": { type: "boolean" },
        anchored: { $anchor: "here", type: "null" },
        Node: { $id: "Node", type: "object", properties: { next: { $ref: "Node" }, v: { type: "number" } } },
      },
      type: "object",
      properties: {
        a: { $ref: "#/$defs/a~1b~0c" },
        b: { $ref: "#/$defs/sp%20ace" },
        c: { $ref: "#here" },
        d: { $ref: "Node" },
        e: { $ref: "root.json#/$defs/Node" },
      },
    };
    expect(check(schema, { a: 1, b: true, c: null, d: { next: { v: 1 } }, e: {} })).toEqual([]);
    expect(check(schema, { a: "x", b: 1, c: 1, d: { next: { next: { v: "x" } } }, e: { v: "" } })).toEqual([
      "a: must be integer",
      "b: must be boolean",
      "c: must be null",
      "d.next.next.v: must be number",
      "e.v: must be number",
    ]);
  });

  it("tolerates formats, annotations and unknown keywords, and keeps schemas with one $id apart", () => {
    expect(check({ type: "string", format: "no-such", "x-any": [], units: "kg" }, "a")).toEqual([]);
    expect(check({ $id: "same", type: "string" }, "a")).toEqual([]);
    expect(check({ $id: "same", type: "number" }, 1)).toEqual([]);
  });

  it("coerces nothing and fills defaults only when asked", () => {
    const schema = { type: "object", properties: { n: { type: "integer", default: 1 } }, required: ["n"] };
    expect(check(schema, { n: "2" })).toEqual(["n: must be integer"]);
    expect(check(schema, {}, "input")).toEqual(["n: is required"]);
    const filled = {};
    const compiled = compiler.compile(schema, { purpose: "config", fillDefaults: true });
    expect(compiled.ok && compiled.check(filled)).toEqual({ issues: [], omitted: 0 });
    expect(filled).toEqual({ n: 1 });
  });
});

describe("problems", () => {
  const loop: Record<string, unknown> = { type: "object", properties: {} };
  (loop.properties as Record<string, unknown>).self = loop;
  const hostile = Object.defineProperty({}, "type", {
    enumerable: true,
    get() {
      throw new Error("boom");
    },
  });
  it.each([
    [{ type: "not-a-type" }, "#/type", "not-a-type"],
    [{ properties: { a: { type: "bigint" } } }, "#/properties/a/type", "bigint"],
    [{ properties: { a: { const: 1n } } }, "#/properties/a/const", "a bigint"],
    [{ properties: { a: () => true } }, "#/properties/a", "a function"],
    [{ default: Symbol("s") }, "#/default", "a symbol"],
    [{ pattern: /x/ }, "#/pattern", "its source"],
    [{ pattern: "(" }, "#/pattern", "regular expression"],
    [{ patternProperties: { "(": {} } }, "#/patternProperties", "regular expression"],
    [loop, "#/properties/self", "contains itself"],
    [hostile, "#", "cannot be read"],
    [{ items: { $ref: "https://example.test/x.json" } }, "#/items/$ref", "never fetched"],
    [{ items: { $ref: "#/$defs/absent" } }, "#/items/$ref", "#/$defs/absent"],
    [{ $ref: "#" }, "#", "refers back to itself"],
    [{ $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }] } }, $ref: "#/$defs/a" }, "#/$defs/a", "back to itself"],
    [{ properties: { a: "string" } }, "#/properties/a", "a string"],
    [{ required: true }, "#/required", "property names"],
    [{ anyOf: [] }, "#/anyOf", "empty"],
    [{ minLength: -1 }, "#/minLength", "whole number"],
    ["string", "#", "must be an object"],
    [null, "#", "must be an object"],
    [{ _def: {} }, "#", "Zod"],
  ])("names the place of what cannot be a schema: %#", (schema, place, text) => {
    const compiled = compiler.compile(schema, { purpose: "output" });
    expect(compiled.ok).toBe(false);
    if (compiled.ok) return;
    expect(compiled.problem.startsWith(`${place}: `) || compiled.problem.startsWith(`${place}/`)).toBe(true);
    expect(compiled.problem).toContain(text);
  });

  it("leaves unused definitions alone", () => {
    expect(check({ $defs: { broken: { $ref: "#/nowhere" } }, type: "string" }, "a")).toEqual([]);
  });

  it("refuses one $id for two different parts only when it is used", () => {
    const defs = { a: { $id: "X", type: "string" }, b: { $id: "X", type: "number" } };
    expect(check({ $defs: defs }, 1)).toEqual([]);
    expect(check({ $defs: defs, $ref: "X" }, 1)[0]).toContain("two different");
  });
});

describe("hostile values and schemas", () => {
  it("is safe with names of Object.prototype", () => {
    const schema = { type: "object", required: ["constructor", "__proto__"] };
    expect(check(schema, {})).toEqual(["constructor: is required", "__proto__: is required"]);
    const typed = {
      type: "object",
      properties: JSON.parse('{"__proto__":{"type":"number"},"toString":{"type":"number"}}'),
      additionalProperties: false,
    };
    expect(check(typed, JSON.parse('{"__proto__":1}'))).toEqual([]);
    expect(check(typed, JSON.parse('{"__proto__":"x"}'))).toEqual(["__proto__: must be number"]);
    expect(check(typed, {})).toEqual([]);
  });

  it("does not overlook a property with an empty name", () => {
    const schema = { type: "object", required: [""] };
    expect(check(schema, {})).toEqual([": is required"]);
    expect(check(schema, { "": 1 })).toEqual([]);
    expect(check({ not: schema }, {})).toEqual([]);
    expect(check({ dependentRequired: { a: [""] } }, { a: 1 })).not.toEqual([]);
  });

  it("ends catastrophic patterns", () => {
    const started = performance.now();
    expect(check({ pattern: "^(a+)+$" }, `${"a".repeat(60)}!`)[0]).toContain("could not be checked within");
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it("ends recursive alternatives that multiply", () => {
    const branch = (tag: string): object => ({
      type: "object",
      properties: { next: { $ref: "#/$defs/n" }, [tag]: {} },
      required: [tag],
    });
    const schema = { $defs: { n: { anyOf: [branch("a"), branch("b"), branch("c")] } }, $ref: "#/$defs/n" };
    let value: object = {};
    for (let i = 0; i < 60; i += 1) value = { next: value };
    const issues = check(schema, value);
    expect(issues.length).toBeGreaterThan(0);
  });

  it("checks uniqueItems of large arrays in linear time", () => {
    const many = Array.from({ length: 200_000 }, (_, i) => ({ i }));
    expect(check({ uniqueItems: true }, many)).toEqual([]);
    expect(check({ uniqueItems: true }, [{ a: 1, b: [2] }, "x", { b: [2], a: 1 }])).toEqual([
      "<root>: must not repeat an item (0 and 2 are equal)",
    ]);
    expect(check({ uniqueItems: true }, [1, "1", '{"a":1}', { a: 1 }, null, "null", true])).toEqual([]);
  });

  it("says so when a value has too many parts to list every issue", () => {
    const compiled = compiler.compile({ items: { type: "string" } }, { purpose: "output" });
    const result = compiled.ok && compiled.check(Array.from({ length: 100_000 }, () => 1));
    expect(result).toEqual({ issues: [{ path: "0", text: "must be string" }], omitted: 0, partial: true });
  });

  it("survives values nested deeper than the stack", () => {
    const schema = { $defs: { n: { items: { $ref: "#/$defs/n" } } }, $ref: "#/$defs/n" };
    let value: unknown[] = [];
    for (let i = 0; i < 200_000; i += 1) value = [value];
    expect(check(schema, value)[0]).toContain("nested too deeply");
  });
});
