import { expect, test } from "vitest";
import { contractDiagnostics } from "../../src/catalog/contract-diagnostics.js";
import { catalogOf, clientTool, mcpTool, nativeTool } from "./support.js";

const BAD = { type: "strin" };

function deep(levels: number): unknown {
  let schema: unknown = { type: "string" };
  for (let level = 0; level < levels; level += 1) {
    schema = { type: "object", properties: { k: schema }, required: ["k"], additionalProperties: false };
  }
  return schema;
}

test("a schema that does not compile is an error of its own tool only", async () => {
  const catalog = catalogOf(
    nativeTool("bad_input", { owner: "p", parameters: BAD }),
    nativeTool("bad_output", { outputSchema: { type: "object", required: "a" } }),
    nativeTool("fine", { parameters: { type: "object" }, outputSchema: { type: "string" } }),
  );
  expect(await contractDiagnostics(catalog)).toEqual([
    {
      level: "error",
      owner: "p",
      tool: "bad_input",
      message: expect.stringMatching(/"bad_input".*input.*#\/type/),
    },
    {
      level: "error",
      owner: "core",
      tool: "bad_output",
      message: expect.stringMatching(/"bad_output".*output.*#\/required/),
    },
  ]);
  expect(catalog.entries.map(({ toolName, output }) => [toolName, output])).toEqual([
    ["bad_input", undefined],
    ["bad_output", undefined],
    ["fine", "string"],
  ]);
});

test("a remote schema is a warning, a client's is nobody's business", async () => {
  const catalog = catalogOf(
    mcpTool("srv", "odd", { parameters: BAD, outputSchema: BAD }),
    clientTool("pick", { parameters: BAD, outputSchema: BAD }),
  );
  expect(await contractDiagnostics(catalog)).toEqual([
    { level: "warning", owner: "srv", tool: "srv__odd", message: expect.stringContaining("MCP.srv.odd") },
  ]);
});

test("schema-17: levels beyond the bound are one warning that names the tool", async () => {
  const catalog = catalogOf(
    mcpTool("srv", "deep", { parameters: deep(5000) }),
    nativeTool("also_deep", { parameters: deep(200) }),
    nativeTool("shallow", { parameters: deep(100) }),
  );
  const found = await contractDiagnostics(catalog);
  expect(found.map(({ tool, level }) => [tool, level])).toEqual([
    ["also_deep", "warning"],
    ["srv__deep", "warning"],
  ]);
  for (const { message } of found) expect(message).toMatch(/128 levels/);
  for (const { path } of catalog.listFiles()) expect(catalog.readFile(path).bytes).toBeLessThan(40_000);
});
