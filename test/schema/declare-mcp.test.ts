import { describe, expect, it } from "vitest";
import { renderMcpParams, topLevelDefaults, topLevelRequired } from "../../src/schema/declare-mcp.js";
import { exceptions, readJsonl } from "../support/conformance.js";
import { type Pair, relate } from "./support/relations.js";

interface Vector {
  id: string;
  input: { servers?: { tools: { inputSchema?: unknown }[] }[] };
  expected: { namespaces?: Record<string, string> };
}

/** The argument of the one tool of a vector; vectors of several tools are about names and files. */
function single({ input, expected }: Vector): { schema: unknown; argument: string } | undefined {
  const tools = (input.servers ?? []).flatMap((server) => server.tools);
  const [namespace] = Object.values(expected.namespaces ?? {});
  const argument = /\n\s+(input\??: [^\n]*)\n/.exec(namespace ?? "")?.[1];
  return tools.length === 1 && argument !== undefined
    ? { schema: tools[0]!.inputSchema, argument }
    : undefined;
}

const vectors = readJsonl<Vector>("hints/mcp.jsonl");
const allowed = exceptions();

describe("hints/mcp.jsonl", () => {
  it("arguments are type-equivalent or more precise, by the compiler", () => {
    const pairs: Pair[] = [];
    const looser: string[] = [];
    for (const vector of vectors) {
      const found = single(vector);
      if (found === undefined) continue;
      const ours = renderMcpParams(found.schema);
      pairs.push({
        id: vector.id,
        name: "f",
        expected: `function f(${found.argument}): void;`,
        ours: [
          ...ours.aliases.map(({ name, text }) => `type ${name} = ${text};`),
          `function f(input${ours.optionalInput ? "?" : ""}: ${ours.typeText}): void;`,
        ].join("\n"),
      });
      if (ours.optionalInput && !found.argument.startsWith("input?")) looser.push(vector.id);
    }
    const relations = relate(pairs);
    const matched = relations.filter(({ relation }) => relation !== "other").length;
    const equal = relations.filter(({ relation }) => relation === "equal").length;
    console.log(`hints/mcp.jsonl, arguments: ${matched} of ${pairs.length} (${equal} type-equal)`);
    expect(pairs.length).toBeGreaterThan(290);
    expect(looser).toEqual([]);
    expect(relations.filter(({ id, relation }) => relation === "other" && allowed[id] === undefined)).toEqual(
      [],
    );
  });
});

describe("renderMcpParams", () => {
  it("lists required parameters first, with descriptions and defaults", () => {
    const schema = {
      type: "object",
      properties: {
        a: { type: "string", description: "The a." },
        b: { type: "number", default: null },
        c: { type: "boolean", description: 5 },
      },
      required: ["c", "b"],
    };
    expect(renderMcpParams(schema)).toEqual({
      optionalInput: false,
      typeText: "{ c: boolean; b?: number; a?: string; [key: string]: unknown }",
      aliases: [],
      params: [
        { name: "c", optional: false },
        { name: "a", optional: true, description: "The a." },
        { name: "b", optional: true, default: null },
      ],
    });
    expect({ ...topLevelDefaults(schema) }).toEqual({ b: null });
    expect(topLevelRequired(schema)).toEqual(["c"]);
  });

  it("sees through root references and allOf, and keeps odd names data", () => {
    const schema = {
      $ref: "#/$defs/args",
      $defs: { args: JSON.parse('{"properties":{"__proto__":{"default":1}},"required":["__proto__","x"]}') },
      allOf: [{ properties: { x: { type: "string" } } }],
    };
    expect(Object.entries(topLevelDefaults(schema))).toEqual([["__proto__", 1]]);
    expect(topLevelRequired(schema)).toEqual(["x"]);
  });

  it.each([undefined, null, true, false, "x", 7, [], {}, { type: "string" }])(
    "describes an object for %j, since a call always passes one",
    (schema) => {
      expect(renderMcpParams(schema)).toMatchObject({
        optionalInput: true,
        typeText: "{ [key: string]: unknown }",
        params: [],
      });
    },
  );

  it("names recursive parts", () => {
    const schema = {
      type: "object",
      properties: { tree: { $ref: "#/$defs/Node" } },
      $defs: {
        Node: { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/Node" } } } },
      },
      additionalProperties: false,
    };
    expect(renderMcpParams(schema, "grow_")).toEqual({
      optionalInput: true,
      typeText: "{ tree?: grow_Node }",
      aliases: [{ name: "grow_Node", text: "{ kids?: Array<grow_Node>; [key: string]: unknown }" }],
      params: [{ name: "tree", optional: true }],
    });
  });
});
