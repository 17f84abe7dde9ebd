import { expect, test } from "vitest";
import { buildCatalog } from "../../src/catalog/build.js";
import { readJsonl } from "../support/conformance.js";
import { catalogOf, LIMITS, mcpTool, toolsOfVector, type VectorTools } from "./support.js";

interface Vector {
  id: string;
  input: VectorTools;
  expected: { order: string[]; namespaces: Record<string, string> };
}

const vectors = readJsonl<Vector>("hints/mcp.jsonl");

/** Namespaces and functions of a declaration file in order, `$api` apart. */
function declaredNames(text: string): string[] {
  return [...text.matchAll(/^ *(?:declare )?(namespace|function) ([\w.$]+)/gm)]
    .filter(([, , name]) => name !== "$api")
    .map(([, kind, name]) => `${kind} ${name}`);
}

test("vectors: files, namespaces and functions in order", () => {
  const wrong = vectors.filter(({ input, expected }) => {
    const catalog = buildCatalog(toolsOfVector(input), LIMITS);
    const files = catalog.listFiles("mcp").map(({ path }) => path);
    const names = Object.entries(expected.namespaces).map(([path, text]) => [
      declaredNames(catalog.readFile(path).content),
      declaredNames(text),
    ]);
    return (
      JSON.stringify(files) !== JSON.stringify(expected.order) ||
      names.some(([ours, theirs]) => JSON.stringify(ours) !== JSON.stringify(theirs))
    );
  });
  console.log(`mcp files and names: ${vectors.length - wrong.length} of ${vectors.length}`);
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

test("a tool's documentation: description, a blank line, then the parameters worth a word", () => {
  const { content } = catalogOf(
    mcpTool("srv", "create_issue", {
      description: "Create an issue.\n\n  Second line.\r\nThird.",
      parameters: {
        type: "object",
        properties: {
          title: { type: "string", description: " The\n title " },
          body: { type: "string" },
          state: { enum: ["open", "closed"], default: "open", description: "State" },
          labels: { type: "array", items: { type: "string" }, default: ["a"] },
        },
        required: ["title", "state"],
        additionalProperties: false,
      },
    }),
  ).readFile("mcp/srv.d.ts");
  expect(content.slice(content.indexOf("  /**\n   * Create"))).toBe(
    [
      "  /**",
      "   * Create an issue.",
      "   * Second line.",
      "   * Third.",
      "   *",
      "   * @param title The title",
      '   * @param state? State Default: "open".',
      '   * @param labels? Default: ["a"].',
      "   */",
      "  function createIssue(",
      '    input: { title: string; state?: "open" | "closed"; body?: string; labels?: Array<string> }',
      "  ): Promise<McpToolResult>;",
      "}",
    ].join("\n"),
  );
});

test("nothing to say, no comment", () => {
  const { content } = catalogOf(
    mcpTool("srv", "ping", { parameters: { type: "object", properties: { a: { type: "string" } } } }),
  ).readFile("mcp/srv.d.ts");
  expect(content).toMatch(/const \$serverName: string;\n\n {2}function ping\(/);
  expect(content).not.toMatch(/\/\*\*\s*\*\//);
});

test("the index refers to every server's file", () => {
  const catalog = catalogOf(mcpTool("b-c", "x"), mcpTool("a", "x"));
  expect(catalog.readFile("mcp/index.d.ts").content.split("\n").slice(0, 3)).toEqual([
    '/// <reference path="./a.d.ts" />',
    '/// <reference path="./bC.d.ts" />',
    "",
  ]);
});
