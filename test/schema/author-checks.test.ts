import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { closedDictionaries, nonJsonSchemaParts, schemaDepth } from "../../src/schema/author-checks.js";
import { cheapestHintEdits, hintCosts, openOutputLayers } from "../../src/schema/hint-edits.js";
import { outputHint } from "../../src/schema/hints.js";
import { readJsonl } from "../support/conformance.js";

describe("closedDictionaries", () => {
  it("finds nested objects that say nothing of their keys, and only these", () => {
    const schema = {
      type: "object",
      properties: {
        bare: { type: "object" },
        empty: Type.Object({}),
        list: { type: "array", items: { type: ["object", "null"], properties: {}, patternProperties: {} } },
        open: { type: "object", additionalProperties: true },
        closed: { type: "object", additionalProperties: false },
        record: Type.Record(Type.String(), Type.Number()),
        fixed: { type: "object", properties: { a: {} } },
      },
    };
    expect(closedDictionaries(schema)).toEqual({
      paths: ["#/properties/bare", "#/properties/empty", "#/properties/list/items"],
      more: 0,
    });
    expect(closedDictionaries({ type: "object" })).toEqual({ paths: [], more: 0 });
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`p${i}`, { type: "object" }]));
    const found = closedDictionaries({ type: "object", properties: many });
    expect(found.paths).toHaveLength(12);
    expect(found.more).toBe(8);
  });
});

describe("nonJsonSchemaParts", () => {
  it("names what JSON cannot hold and what to use", () => {
    const schema = {
      type: "object",
      properties: {
        big: Type.BigInt(),
        when: { type: "Date" },
        none: Type.Undefined(),
        code: Type.Codec(Type.String())
          .Decode((text) => text)
          .Encode((text) => text),
        lost: { $ref: "#/$defs/lost" },
        far: { $ref: "https://example.test/a.json" },
        fn: { default: () => 1 },
      },
    };
    const parts = nonJsonSchemaParts(schema);
    expect(parts.map(({ path, fatal }) => [path, fatal]).sort()).toEqual([
      ["#/properties/big", true],
      ["#/properties/code", false],
      ["#/properties/far", true],
      ["#/properties/fn/default", true],
      ["#/properties/lost", true],
      ["#/properties/none", true],
      ["#/properties/when", true],
    ]);
    for (const { what, instead } of parts) expect(what.length * instead.length).toBeGreaterThan(0);
    expect(parts.find(({ path }) => path === "#/properties/lost")?.what).toContain("#/$defs/lost");
  });

  it("says nothing of plain schemas", () => {
    for (const { schema } of readJsonl<{ schema: unknown }>("schemas.jsonl")) {
      expect(nonJsonSchemaParts(schema)).toEqual([]);
    }
  });
});

describe("schemaDepth", () => {
  it("counts levels, through references once", () => {
    expect(schemaDepth(true)).toBe(0);
    expect(schemaDepth({})).toBe(1);
    expect(schemaDepth({ items: { items: {} } })).toBe(3);
    expect(schemaDepth({ $defs: { n: { items: { $ref: "#/$defs/n" } } }, $ref: "#/$defs/n" })).toBe(2);
  });
});

describe("hint edits", () => {
  it("finds a layer exactly when the hint is missing", () => {
    for (const { id, kind, input, expected } of readJsonl("hints/compact.jsonl")) {
      if (kind !== "output-hint") continue;
      expect([id, openOutputLayers(input.schema).length === 0]).toEqual([id, expected !== null]);
    }
  });

  it("closes open layers, and the hint is back", () => {
    const schema = {
      type: "object",
      properties: {
        rows: { type: "array", items: { properties: { id: { type: "string" } } } },
        note: { type: "string", not: { type: "object" } },
      },
      required: ["rows"],
      additionalProperties: true,
    };
    const found = cheapestHintEdits(schema);
    expect(found).toEqual({
      edits: [
        { path: "#", edit: '"additionalProperties": false' },
        { path: "#/properties/rows/items", edit: 'add "type": "object"' },
      ],
      hint: "{ rows: Array<{ id?: string }>; note?: string }",
      blockers: [],
    });
    expect(outputHint(schema)).toBeUndefined();
  });

  it.each([
    [{ type: "object", additionalProperties: { type: "number" } }, "dictionary"],
    [{ $ref: "#/$defs/a", $defs: { a: { type: "string" } } }, "$ref"],
    [{ type: "array" }, "unknown items"],
    [{ description: "anything" }, "no type"],
    [{ type: "object", required: ["a"], properties: {}, additionalProperties: false }, "required"],
    [{ anyOf: [true, { type: "string" }] }, "branch"],
    [{ type: "array", prefixItems: [] }, "prefixItems"],
    [true, "not an object schema"],
  ])("says what stands in the way: %#", (schema, fragment) => {
    const { hint, blockers } = cheapestHintEdits(schema);
    expect(hint).toBeUndefined();
    expect(blockers.map(({ why }) => why).join()).toContain(fragment);
  });

  it("orders properties by what they cost", () => {
    const schema = { type: "object", properties: { a: { type: "string" }, bcd: { enum: ["x".repeat(50)] } } };
    expect(hintCosts(schema)).toEqual([
      { name: "bcd", characters: 57 },
      { name: "a", characters: 9 },
    ]);
  });
});
