import { describe, expect, it } from "vitest";
import { readDiscriminator } from "../../src/schema/discriminator.js";

const list = { type: "object", properties: { items: {} }, required: ["items"], additionalProperties: false };
const status = {
  type: "object",
  properties: { ready: {} },
  required: ["ready"],
  additionalProperties: false,
};
const annotated = (annotation: unknown, rest: object = { anyOf: [list, status] }): object => ({
  ...rest,
  "x-openclaw-input-discriminator": annotation,
});
const good = { version: 1, inputProperty: "action", mapping: { list: 0, status: 1 } };

describe("readDiscriminator", () => {
  it("selects branches and keeps root constraints", () => {
    const read = readDiscriminator(annotated(good, { anyOf: [list, status], type: "object" }));
    expect(read.kind).toBe("selector");
    if (read.kind !== "selector") return;
    expect(read.inputProperty).toBe("action");
    expect([...read.mapping]).toEqual([
      ["list", 0],
      ["status", 1],
    ]);
    expect(read.branchSchemaFor("status")).toEqual({ type: "object", anyOf: [status] });
    expect(read.branchSchemaFor("status")).toBe(read.branchSchemaFor("status"));
    for (const value of ["other", "constructor", 1, undefined, ["list"]]) {
      expect(read.branchSchemaFor(value)).toBeUndefined();
    }
  });

  it("is absent without the annotation", () => {
    for (const schema of [undefined, true, {}, { anyOf: [list] }]) {
      expect(readDiscriminator(schema)).toEqual({ kind: "none" });
    }
  });

  it.each([
    [annotated(true), "object"],
    [annotated({ ...good, version: 2 }), "version"],
    [annotated({ ...good, version: "1" }), "version"],
    [annotated({ ...good, inputProperty: "" }), "inputProperty"],
    [annotated({ ...good, mapping: [0, 1] }), "mapping"],
    [annotated({ ...good, mapping: {} }), "empty mapping"],
    [annotated({ ...good, mapping: { list: 2 } }), '"list"'],
    [annotated({ ...good, mapping: { list: -1 } }), '"list"'],
    [annotated({ ...good, mapping: { list: "0" } }), '"list"'],
    [annotated({ ...good, mapping: { list: 0.5 } }), '"list"'],
    [annotated(good, { anyOf: [] }), "anyOf"],
    [annotated(good, { oneOf: [list, status] }), "anyOf"],
  ])("names what is malformed: %#", (schema, fragment) => {
    const read = readDiscriminator(schema);
    expect(read.kind).toBe("malformed");
    expect(read.kind === "malformed" && read.message).toContain(fragment);
  });

  it("falls back on references and on depth", () => {
    expect(readDiscriminator(annotated(good, { anyOf: [{ $ref: "#/$defs/x" }, status] }))).toEqual({
      kind: "fallback",
      reason: "references",
    });
    const named = { type: "object", properties: { $ref: { type: "string" } } };
    expect(readDiscriminator(annotated(good, { anyOf: [named, status] })).kind).toBe("selector");
    const chain = (levels: number): object =>
      levels === 0 ? { type: "string" } : { type: "array", items: chain(levels - 1) };
    expect(readDiscriminator(annotated(good, { anyOf: [chain(62), status] })).kind).toBe("selector");
    expect(readDiscriminator(annotated(good, { anyOf: [chain(63), status] }))).toEqual({
      kind: "fallback",
      reason: "size",
    });
  });
});
