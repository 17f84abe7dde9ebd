import { describe, expect, it } from "vitest";
import { schemaCompiler } from "../../src/schema/compile.js";
import { declareNative, MalformedDiscriminator, type NativeTool } from "../../src/schema/declare-native.js";
import { exceptions, readJsonl } from "../support/conformance.js";
import { type Pair, relate } from "./support/relations.js";

interface Vector {
  id: string;
  input: {
    tools: (Omit<NativeTool, "callableName" | "source"> & { name: string; client?: boolean })[];
    read: string;
  };
  expected: { declaration?: string; error?: boolean };
}

const vectors = readJsonl<Vector>("hints/declarations.jsonl");
const allowed = exceptions();

function toolOf({ input }: Vector): NativeTool {
  const callableName = /^tools\/(.*)\.d\.ts$/.exec(input.read)![1]!;
  const tool = input.tools.find(({ name }) => name === callableName) ?? input.tools[0]!;
  return { ...tool, callableName, source: tool.client ? "client" : "openclaw" };
}

/** Calls with each literal that selects a result, whose type must be as narrow as the expected one. */
function selections(tool: NativeTool, name: string): string[] {
  const annotation = (tool.outputSchema as any)?.["x-openclaw-input-discriminator"];
  const actions: unknown[] = (tool.parameters as any)?.properties?.action?.enum ?? [];
  if (annotation === undefined) return [];
  return actions
    .filter((action) => Object.hasOwn(annotation.mapping, action as string))
    .flatMap((action, i) => [
      `const e${i} = E.${name}({ action: ${JSON.stringify(action)} }); const o${i} = O.${name}({ action: ${JSON.stringify(action)} });`,
      `export const s${i}: typeof e${i} = o${i};`,
    ]);
}

describe("hints/declarations.jsonl", () => {
  it("is matched: type-equivalent or more precise, by the compiler", async () => {
    const pairs: Pair[] = [];
    const wrong: unknown[] = [];
    let errors = 0;
    for (const vector of vectors) {
      const tool = toolOf(vector);
      if (vector.expected.declaration === undefined) {
        expect(() => declareNative(tool), vector.id).toThrow(MalformedDiscriminator);
        errors += 1;
        continue;
      }
      const ours = declareNative(tool);
      pairs.push({
        id: vector.id,
        name: tool.callableName,
        expected: vector.expected.declaration,
        ours: ours.replace(/^\/\/.*$/gm, ""),
        extra: selections(tool, tool.callableName),
      });
      // Whether the input may be left out is a fact, not a matter of precision.
      const optional = /\(input\?: /;
      if (optional.test(ours) !== optional.test(vector.expected.declaration))
        wrong.push([vector.id, "optional input"]);
    }
    const relations = relate(pairs);
    const matched = relations.filter(({ relation }) => relation !== "other").length + errors;
    const equal = relations.filter(({ relation }) => relation === "equal").length;
    console.log(`hints/declarations.jsonl: ${matched} of ${vectors.length} (${equal} type-equal)`);
    wrong.push(...relations.filter(({ id, relation }) => relation === "other" && allowed[id] === undefined));
    expect(wrong).toEqual([]);
  });
});

describe("declareNative", () => {
  it("leaves the input out exactly when the validator accepts {}", async () => {
    const compiler = await schemaCompiler();
    const schemas = [
      ...vectors.map((vector) => toolOf(vector).parameters),
      ...readJsonl("schemas.jsonl").map(({ schema }) => schema),
      { required: [] },
      { allOf: [{ minProperties: 1 }] },
      { oneOf: [{}, {}] },
      { oneOf: [{ required: ["a"] }, {}] },
      { not: { maxProperties: 0 } },
      { not: { required: ["a"] } },
      { if: { maxProperties: 0 }, then: { required: ["a"] } },
      { if: { required: ["a"] }, then: {}, else: { type: "array" } },
      { enum: [1, {}] },
      { const: { a: 1 } },
      { $ref: "#/$defs/a", $defs: { a: { type: ["null", "object"] } } },
      { dependentRequired: { a: ["b"] } },
      { propertyNames: false, contains: {}, additionalProperties: false },
      { type: "object", properties: { a: { default: 1 } }, required: ["a"] },
    ];
    for (const parameters of schemas) {
      if (parameters === undefined) continue;
      const compiled = compiler.compile(parameters, { purpose: "input" });
      const accepted = compiled.ok && compiled.check({}).issues.length === 0;
      const declared = declareNative({ callableName: "f", source: "openclaw", parameters });
      expect([JSON.stringify(parameters), /\(input\?: /.test(declared)]).toEqual([
        JSON.stringify(parameters),
        accepted,
      ]);
    }
  });

  it("says nothing of client schemas and treats a false output as absent", () => {
    const tool = { callableName: "f", parameters: { type: "object" }, outputSchema: { type: "string" } };
    expect(declareNative({ ...tool, source: "client" })).toBe(
      "declare function f(input: unknown): Promise<unknown>;",
    );
    expect(declareNative({ callableName: "f", source: "openclaw", outputSchema: false })).toBe(
      "declare function f(input?: unknown): Promise<unknown>;",
    );
  });
});
