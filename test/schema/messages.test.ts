import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type CheckResult, schemaCompiler } from "../../src/schema/compile.js";
import { formatIssues } from "../../src/schema/issues.js";
import {
  describeInputIssues,
  describeInvalidContract,
  describeOutputIssues,
} from "../../src/schema/messages.js";
import { conformanceFile, readJsonl } from "../support/conformance.js";

const compiler = await schemaCompiler();

function result(schema: unknown, value: unknown): CheckResult {
  const compiled = compiler.compile(schema, { purpose: "output" });
  if (!compiled.ok) throw new Error(compiled.problem);
  return compiled.check(value);
}
const issues = (schema: unknown, value: unknown): string[] => formatIssues(result(schema, value));

const strict = {
  type: "object",
  properties: {
    mode: { enum: ["fast", "safe"] },
    count: { type: "integer", minimum: 1 },
    label: { type: "string" },
  },
  required: ["mode", "count"],
  additionalProperties: false,
};

describe("golden fixtures", () => {
  it("name every place that the golden cells of schemas name", () => {
    const { schemaCases } = JSON.parse(readFileSync(conformanceFile("fixtures.json"), "utf8"));
    let compared = 0;
    for (const { id, code, result: golden } of readJsonl("cells.jsonl")) {
      const direction = /^schema\.(in|out)-(.*)$/.exec(id);
      const fragments: string[] | undefined = golden?.value?.[1]?.$message;
      if (direction === null || fragments === undefined) continue;
      const { schema, value } = schemaCases[direction[2]!];
      const given = direction[1] === "out" ? value : JSON.parse(/_\w+\((\{.*?\})\)\.catch/.exec(code)![1]!);
      const found = issues(schema, given).join("; ");
      expect([id, found]).not.toEqual([id, ""]);
      const places = fragments.filter((fragment) => fragment !== `in_${direction[2]}`);
      for (const fragment of places) expect([id, found]).toEqual([id, expect.stringContaining(fragment)]);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(45);
  });
});

describe("issues", () => {
  it("puts unions of plain values into one sentence", () => {
    expect(issues({ anyOf: [{ type: "string" }, { type: "null" }, { const: 4 }] }, true)).toEqual([
      "<root>: must be string, null or 4",
    ]);
    expect(issues({ type: ["string", "null"] }, 1)).toEqual(["<root>: must be string or null"]);
  });

  it("keeps to the branch whose tag the value has", () => {
    const branch = (kind: string, field: string): object => ({
      type: "object",
      properties: { kind: { const: kind }, [field]: { type: "number" } },
      required: ["kind", field],
    });
    const union = { anyOf: [branch("a", "x"), branch("b", "y"), { type: "null" }] };
    expect(issues(union, { kind: "b", y: "no" })).toEqual(["y: must be number"]);
    expect(issues(union, { kind: "c" }).at(-1)).toBe("<root>: must match one of 3 alternatives");
    expect(issues({ oneOf: [{ type: "number" }, { type: "integer" }] }, 1)).toEqual([
      "<root>: must match exactly one alternative, but matches 1 and 2",
    ]);
  });

  it("lists eight and counts the rest exactly", () => {
    const many = { items: { type: "string" } };
    const checked = result(
      many,
      Array.from({ length: 30 }, () => 1),
    );
    expect(checked.issues).toHaveLength(8);
    expect(checked.omitted).toBe(22);
    expect(describeOutputIssues("t", checked)).toMatch(/7: must be string; and 22 more\.$/);
  });

  it("cuts an issue to 256 bytes, between characters", () => {
    for (const filler of ["x", "é", "😀"]) {
      const [issue] = issues({ required: [filler.repeat(200)] }, {});
      if (filler === "x") expect(issue).toHaveLength(200 + ": is required".length);
      else {
        expect(issue).toMatch(/^(é|😀)+ \[truncated\]$/u);
        expect(Buffer.byteLength(issue!)).toBeLessThanOrEqual(256 + " [truncated]".length);
      }
    }
  });

  it("keeps keys on their line and shows no value", () => {
    expect(issues({ additionalProperties: { type: "string" } }, { "a\nb": { secret: "hunter2" } })).toEqual([
      "a\\u000ab: must be string",
    ]);
    expect(issues({ additionalProperties: false }, { "a\nb": 1 })).toEqual([
      '<root>: must not have the property "a\\nb"',
    ]);
  });

  it("lists at most twelve allowed values", () => {
    const [issue] = issues({ enum: Array.from({ length: 30 }, (_, i) => i) }, "x");
    expect(issue).toBe("<root>: must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 … (18 more)");
  });
});

describe("messages", () => {
  it("say what was meant and what is expected", () => {
    const message = describeInputIssues(
      "strict",
      result(strict, { mode: "fast", lable: "a", cuont: 1 }),
      "{ count: number }",
    );
    expect(message).toBe(
      'Input of strict is not valid: count: is required; <root>: must not have the properties "lable", "cuont". ' +
        "Did you mean: label, count? Expected input: { count: number }.",
    );
    expect(describeInputIssues("strict", result(strict, 4))).toBe(
      "Input of strict is not valid: <root>: must be object.",
    );
    expect(describeInvalidContract("t", "outputSchema", "#/type: no")).toContain("#/type: no");
  });

  it("stay quick whatever names a caller sends", () => {
    const value = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`${i}-${"n".repeat(50)}`, 1]));
    const wide = {
      properties: Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`property${i}`, {}])),
      additionalProperties: false,
    };
    const before = process.cpuUsage().user;
    for (const given of [value, { ["n".repeat(2_000_000)]: 1 }]) {
      expect(describeInputIssues("wide", result(wide, given)).length).toBeLessThan(2_000);
    }
    expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(2_000);
  });
});
