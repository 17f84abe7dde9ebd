import { describe, expect, it } from "vitest";
import { desk, tool } from "./harness.js";

const object = (properties: Record<string, unknown>) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const list = object({ items: { type: "array", items: { type: "string" } } });
const status = object({ ready: { type: "boolean" } });
const union = (annotation: unknown, more: Record<string, unknown> = {}) => ({
  anyOf: [list, status],
  "x-openclaw-input-discriminator": annotation,
  ...more,
});
const good = { version: 1, inputProperty: "action", mapping: { list: 0, status: 1 } };
const give = { list: { items: ["a"] }, status: { ready: true } };

/** A tool that returns what `give` names, whatever `action` says. */
const switchable = (outputSchema: unknown, more = {}) =>
  tool("jobs", (input) => give[(input.give ?? input.action) as keyof typeof give] ?? give.status, {
    outputSchema,
    ...more,
  });

describe("input discriminator", () => {
  it("holds a result to the branch of its input", async () => {
    const { call, refused } = desk([switchable(union(good))]);
    expect(await call("jobs", { action: "list" })).toEqual(give.list);
    expect(await call("jobs", { action: "status" })).toEqual(give.status);
    const wrong = await refused("jobs", { action: "list", give: "status" });
    expect(wrong).toMatchObject({ code: "output_contract", effectStatus: "unknown" });
    expect(wrong.message).toContain("items");
  });

  it.each([{ action: "other" }, {}, { action: 5 }, { action: null }, { action: ["list"] }])(
    "leaves the whole union to %j",
    async (input) => {
      expect(await desk([switchable(union(good))]).call("jobs", { ...input, give: "list" })).toEqual(
        give.list,
      );
    },
  );

  it("keeps constraints of the root", async () => {
    const { refused } = desk([switchable(union(good, { not: { required: ["items"] } }))]);
    expect(await refused("jobs", { action: "list" })).toMatchObject({ code: "output_contract" });
  });

  it.each<[string, unknown]>([
    ["another version", { ...good, version: 2 }],
    ["a version as text", { ...good, version: "1" }],
    ["no property", { version: 1, mapping: good.mapping }],
    ["an empty property", { ...good, inputProperty: "" }],
    ["an empty mapping", { ...good, mapping: {} }],
    ["a branch out of range", { ...good, mapping: { status: 4 } }],
    ["a negative branch", { ...good, mapping: { status: -1 } }],
    ["a fractional branch", { ...good, mapping: { status: 0.5 } }],
    ["no object", "action"],
    ["null", null],
  ])("keeps a tool with %s from running", async (_name, annotation) => {
    let ran = 0;
    const { refused } = desk([tool("jobs", () => ++ran, { outputSchema: union(annotation) })]);
    const failure = await refused("jobs", { action: "status" });
    expect(failure).toMatchObject({ code: "invalid_contract", effectStatus: "unknown" });
    expect(failure.message).toContain("jobs");
    expect(ran).toBe(0);
  });

  it("is off for a schema with references", async () => {
    const outputSchema = {
      ...union(good),
      anyOf: [object({ items: { type: "array", items: { $ref: "#/$defs/s" } } }), status],
      $defs: { s: { type: "string" } },
    };
    expect(await desk([switchable(outputSchema)]).call("jobs", { action: "list", give: "status" })).toEqual(
      give.status,
    );
  });

  describe("when a hook or preparation changes the selector", () => {
    const rewrite = (params: unknown) => ({ before: [async () => ({ params })], after: [] });

    it("refuses a result that the cell's own input does not promise", async () => {
      const { refused } = desk([switchable(union(good))], { hooks: rewrite({ action: "status" }) });
      expect(await refused("jobs", { action: "list" })).toMatchObject({ code: "output_contract" });
    });

    it("refuses a result of the advertised branch that the executed one does not promise", async () => {
      const hooks = rewrite({ action: "status", give: "list" });
      const { refused } = desk([switchable(union(good))], { hooks });
      expect(await refused("jobs", { action: "list" })).toMatchObject({ code: "output_contract" });
    });

    it("accepts a compatible rewrite and one from an unmapped value", async () => {
      const same = desk([switchable(union(good))], { hooks: rewrite({ action: "list", page: 2 }) });
      expect(await same.call("jobs", { action: "list" })).toEqual(give.list);
      const unmapped = desk([switchable(union(good))], { hooks: rewrite({ action: "list" }) });
      expect(await unmapped.call("jobs", { action: "other" })).toEqual(give.list);
    });

    it("judges prepared arguments as the executed input", async () => {
      const prepareArguments = (args: any) => ({ action: args.verb ?? args.action });
      const { call, refused } = desk([switchable(union(good), { prepareArguments })]);
      expect(await call("jobs", { verb: "list" })).toEqual(give.list);
      expect(await refused("jobs", { action: "list", verb: "status" })).toMatchObject({
        code: "output_contract",
      });
    });
  });
});
