import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Catalog } from "../../src/catalog/types.js";
import { diagnose } from "../schema/support/typescript.js";
import { conformanceFile, readJsonl } from "../support/conformance.js";
import { catalogOf, mcpTool, nativeTool, toolsOfVector, type VectorTools } from "./support.js";

/** Compile errors of every file of a catalog. Read as sources: declaration files are not checked inside. */
function errorsOf(catalog: Catalog): string[] {
  const files = catalog
    .listFiles()
    .map(({ path }): [string, string] => [
      `/${path.replace(/\.d\.ts$/, ".ts")}`,
      catalog.readFile(path).content.replace(/^\/\/\/ <reference .*$/gm, ""),
    ]);
  return diagnose(new Map(files)).map(({ file, line, message }) => `${file}:${line} ${message}`);
}

test("every MCP vector, each as a server of its own", () => {
  const vectors = readJsonl<{ id: string; input: VectorTools }>("hints/mcp.jsonl").filter(
    ({ input }) => input.servers!.length === 1,
  );
  const tools = vectors.flatMap(({ input }, index) => {
    const server = { ...input.servers![0]!, serverName: `srv${index}` };
    return toolsOfVector({ servers: [server] });
  });
  const catalog = catalogOf(...tools);
  console.log(
    `mcp files that compile: ${vectors.length} of ${vectors.length} vectors as ${catalog.namespaces.length} servers`,
  );
  expect(errorsOf(catalog)).toEqual([]);
});

test("what real servers list", () => {
  const folder = conformanceFile("mcp");
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const tools = names.flatMap((name) => {
    const list = JSON.parse(readFileSync(join(folder, name), "utf8"));
    return list.tools.map((tool: any) =>
      mcpTool(name.replace(/\.json$/, ""), tool.name, {
        description: tool.description,
        parameters: tool.inputSchema,
      }),
    );
  });
  const catalog = catalogOf(...tools);
  expect(catalog.namespaces).toHaveLength(names.length);
  expect(catalog.mcpEntries).toHaveLength(tools.length);
  console.log(`real servers: ${names.length} servers with ${tools.length} tools compile`);
  expect(errorsOf(catalog)).toEqual([]);
});

const HOSTILE = [
  "",
  "*/",
  "a\nb",
  "`${x}`",
  '"quote\'s"',
  "back\\slash",
  "\u202erl",
  "\u2028",
  "\ud800",
  "__proto__",
  "constructor",
  "class",
  "then",
  "$api",
  "tool",
  "type",
  "declare",
  "await",
  "yield",
  "static",
  "let",
  "天気",
  "🚀",
  "Promise",
  "Record",
  "McpToolResult",
  "index",
  "resources",
  "undefined",
  "any",
  "string",
];

test("hostile names of tools, servers, fields and texts", () => {
  const parameters = {
    type: "object",
    properties: Object.fromEntries(
      HOSTILE.map((name) => [name, { enum: HOSTILE, description: `${name} */ @param x`, default: name }]),
    ),
    required: HOSTILE.slice(3),
  };
  const schemas = { parameters, outputSchema: parameters, description: HOSTILE.join("\n") };
  const catalog = catalogOf(
    ...HOSTILE.flatMap((name) => [
      nativeTool(name, schemas),
      mcpTool("srv", name, schemas),
      mcpTool(name, "tool", { owner: name || "empty", ...schemas }),
    ]),
    mcpTool("srv", "resources_list", schemas, "resources_list"),
    mcpTool("srv", "prompts_get", schemas, "prompts_get"),
  );
  expect(errorsOf(catalog)).toEqual([]);
});

test("recursive and shared definitions become types beside the functions, apart for every tool", () => {
  const node = {
    $defs: {
      node: { type: "object", properties: { next: { $ref: "#/$defs/node" }, name: { type: "string" } } },
    },
    type: "object",
    properties: { root: { $ref: "#/$defs/node" } },
    required: ["root"],
  };
  const catalog = catalogOf(
    ...["a", "b"].flatMap((name) => [
      mcpTool("srv", name, { parameters: node }),
      nativeTool(name, { parameters: node, outputSchema: node }),
    ]),
    mcpTool("srv", "resources_read", { parameters: node }, "resources_read"),
  );
  const { content } = catalog.readFile("mcp/srv.d.ts");
  expect(content.match(/^ *type \w+ = /gm)).toHaveLength(3);
  expect(errorsOf(catalog)).toEqual([]);
});

test("a server with too much to say is declared in part, by name alone from there on", () => {
  const wide = {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 900 }, (_, n) => [`field_number_${n}`, { type: "string" }]),
    ),
  };
  const tools = Array.from({ length: 60 }, (_, n) => mcpTool("srv", `tool_${n}`, { parameters: wide }));
  const catalog = catalogOf(...tools);
  const { content, bytes } = catalog.readFile("mcp/srv.d.ts");
  expect(bytes).toBeLessThan(320_000);
  expect(content.match(/^ {2}function tool\d+\(/gm)).toHaveLength(60);
  expect(content).toContain('$api("tool9") does');
  expect(String(catalog.mcpApi("srv", "tool9").header)).toContain("field_number_899");
  expect(errorsOf(catalog)).toEqual([]);
});
