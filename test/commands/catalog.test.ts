import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runCli } from "../support/cli.js";
import { testServer } from "../support/mcp.js";
import { writePlugin } from "../support/plugin-project.js";
import { tempDir } from "../support/temp.js";

const ENTRY = `import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";
const closed = (properties, required = Object.keys(properties)) =>
  ({ type: "object", properties, required, additionalProperties: false });
const text = { type: "string" };
const tools = [
  { name: "shipping_list", label: "Shipments", description: "List shipments.", parameters: closed({}),
    outputSchema: { type: "array", items: closed({ id: text, paid: { type: "boolean" } }) } },
  { name: "open-out", label: "O", description: "Open \\u202e evil \\u001b[31m.",
    parameters: closed({ q: { enum: ["\\u202ex", "y"] } }), outputSchema: { type: "object", properties: { a: text } } },
  { name: "broken", label: "B", description: "Broken.", parameters: { type: "object", properties: { a: { type: "strin" } } } },
];
export default definePluginEntry({ id: "ship", name: "Ship", description: "d", register(api) {
  for (const tool of tools) api.registerTool({ ...tool, execute: async () => ({ content: [], details: {} }) });
  api.registerTool({ ...tools[0], name: "shipping_screen", catalogMode: "direct-only", execute: async () => ({}) });
  api.registerTool({ ...tools[0], name: "shipping_secret", description: "Secret." , execute: async () => ({}) }, { optional: true });
} });
`;

const work = mkdtempSync(join(tmpdir(), "openclaw-catalog-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));
const state = join(work, "state");
const plugin = writePlugin(join(work, "ship"), {
  id: "ship",
  entry: ENTRY,
  tools: ["shipping_list", "open-out", "broken", "shipping_secret", "shipping_screen"],
});

const catalog = (...args: string[]) =>
  runCli(["catalog", ...args], { env: { OPENCLAW_STATE_DIR: state, OPENCLAW_HOME: state } });

describe("catalog --json", () => {
  test("lists tools in catalog order, with diagnostics for a schema that does not compile", async () => {
    const { json, code, stderr } = await catalog("--json", "--plugin", plugin);
    const { tools, diagnostics } = json();
    expect(code).toBe(0);
    expect(tools.map((tool: any) => tool.callableName)).toEqual(["broken", "open_out", "shipping_list"]);
    expect(tools[2]).toEqual({
      callableName: "shipping_list",
      toolName: "shipping_list",
      label: "Shipments",
      description: "List shipments.",
      source: "openclaw",
      owner: "ship",
      input: "{}",
      output: "Array<{ id: string; paid: boolean }>",
      apiPath: "tools/shipping_list.d.ts",
    });
    expect(tools[1].description).toBe("Open \u202e evil \u001b[31m.");
    expect(diagnostics).toContainEqual({
      level: "error",
      owner: "ship",
      tool: "broken",
      message: expect.stringMatching(/"broken".*#\/properties\/a\/type/),
    });
    expect(stderr).toMatch(/"broken"/);
  });

  test("an allowed optional tool is there and marked", async () => {
    const { json } = await catalog("--json", "--plugin", plugin, "--allow", "shipping_secret");
    expect(json().tools.find((tool: any) => tool.toolName === "shipping_secret").optional).toBe(true);
  });

  test("MCP tools follow, by id, with the path of their declarations", async () => {
    const servers = join(tempDir(), "mcp.json");
    writeFileSync(servers, JSON.stringify({ mcpServers: { "my-echo": testServer("echo") } }));
    const { json } = await catalog("--json", "--mcp", servers);
    const { tools } = json();
    expect(tools.length).toBeGreaterThan(0);
    expect(tools[0]).toMatchObject({
      callableName: expect.stringMatching(/^MCP\.myEcho\.\w+$/),
      source: "mcp",
      owner: "my-echo",
      input: "unknown",
      apiPath: "mcp/myEcho.d.ts",
    });
    const read = await catalog("read", "mcp/myEcho.d.ts", "--mcp", servers);
    expect(read.stdout).toContain("declare namespace MCP.myEcho {");
  });

  test("no tools is an answer, not a failure", async () => {
    const { json, code } = await catalog("--json");
    expect([code, json()]).toEqual([0, { tools: [], diagnostics: [] }]);
    expect((await catalog()).stdout).toMatch(/no tools/);
  });

  test("a plugin that does not exist is one JSON document and exit 1", async () => {
    const { json, code } = await catalog("--json", "--plugin", "nope");
    expect([code, json().ok, json().error.code]).toEqual([1, false, "plugin_not_found"]);
  });
});

describe("for people", () => {
  test("a table whose untrusted text is harmless", async () => {
    const { stdout, stderr, code } = await catalog("--plugin", plugin);
    expect(code).toBe(0);
    expect(stderr).toMatch(/Only the model itself can call shipping_screen/);
    expect(stdout.split("\n")[0]).toMatch(/^Call +From +Input +Output$/);
    expect(stdout).toContain('{ q: "\\u202ex" | "y" }');
    expect(stdout).not.toMatch(/[\u202e\u001b]/);
    expect(stdout).toMatch(/3 tools; quick index: \d+ of 8000 characters/);
  });

  test("--index is what a model gets; as JSON it is exact", async () => {
    const { stdout } = await catalog("--index", "--plugin", plugin);
    expect(stdout.split("\n").filter((line) => line.startsWith("- "))).toEqual([
      "- shipping_list {} -> Array<{ id: string; paid: boolean }>",
      "- broken { a?: unknown } -> ?",
      '- open_out { q: "\\u202ex" | "y" } -> ?',
    ]);
    const { json } = await catalog("--index", "--json", "--plugin", plugin);
    expect(json().index).toContain('- open_out { q: "\u202ex" | "y" } -> ?');
    expect(json()).toMatchObject({ budget: 8000, omitted: [], characters: json().index.length });
  });
});

describe("--budget", () => {
  test("says what falls out, what each tool costs and which edit would help", async () => {
    const { stdout, code } = await catalog("--budget", "300", "--plugin", plugin);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\d+ of 300 characters; \d of 3 tools are left out/);
    expect(stdout).toMatch(/shipping_list +ship +59 +no +declared/);
    expect(stdout).toMatch(/shipping_list: left out; its longest fields: paid/);
    expect(stdout).toMatch(
      /open_out: .*\n {2}at #: add "additionalProperties": false\n {2}then: -> \{ a\?: string \}/,
    );
    expect(stdout).toMatch(/broken: no outputSchema/);
  });

  test("as JSON: costs add up, the edit is stated, the index is within the budget", async () => {
    const { json } = await catalog("--budget", "9000", "--json", "--plugin", plugin);
    const { tools, index, whole, characters, budget } = json();
    expect([characters, whole, budget]).toEqual([index.length, index.length, 9000]);
    for (const tool of tools) {
      const line = index.split("\n").find((text: string) => text.startsWith(`- ${tool.callableName} `));
      expect(tool).toMatchObject({ listed: true, characters: line.length + 1 });
    }
    expect(tools.find((tool: any) => tool.callableName === "open_out").repair).toEqual({
      edits: [{ path: "#", edit: expect.stringContaining("additionalProperties") }],
      hint: "{ a?: string }",
      blockers: [],
    });
  });

  test("the index within a budget", async () => {
    const { stdout } = await catalog("--index", "--budget", "300", "--plugin", plugin);
    expect(stdout.trimEnd().length).toBeLessThanOrEqual(300);
    expect(stdout).toMatch(/2 more tools are not listed/);
  });

  test.each(["0", "many"])("--budget %j is refused", async (budget) => {
    const { code, stderr } = await catalog(`--budget=${budget}`);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/whole characters/)]);
  });
});

describe("search", () => {
  test("in rank order, in the form of the list", async () => {
    const { json } = await catalog("search", "--json", "--plugin", plugin, "--", "list the shipments");
    expect(json().results[0]).toMatchObject({
      callableName: "shipping_list",
      apiPath: "tools/shipping_list.d.ts",
    });
  });

  test("words need no quotes, nothing found is said", async () => {
    const [found, none] = await Promise.all([
      catalog("search", "open", "out", "--plugin", plugin),
      catalog("search", "zzzz", "--plugin", plugin),
    ]);
    expect(found.stdout).toContain("open_out");
    expect([none.code, none.stdout, none.stderr]).toEqual([0, "", expect.stringMatching(/No tool matches/)]);
  });

  test("--limit counts results and refuses what is no count", async () => {
    const { json } = await catalog(
      "search",
      "list open broken",
      "--limit",
      "1",
      "--json",
      "--plugin",
      plugin,
    );
    expect(json().results).toHaveLength(1);
    expect((await catalog("search", "x", "--limit", "0")).code).toBe(2);
  });

  test("a misspelt subcommand is named", async () => {
    const { code, stderr } = await catalog("serach", "x");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/catalog search/)]);
  });
});

describe("read", () => {
  test("a file as text and as JSON, escapes where the text is untrusted", async () => {
    const [{ stdout }, { json }] = await Promise.all([
      catalog("read", "tools/open_out.d.ts", "--plugin", plugin),
      catalog("read", "/tools/open_out.d.ts", "--json", "--plugin", plugin),
    ]);
    expect(stdout).toMatch(/^\/\/ .*\n\/\/ .*\n\/\/ .*\ndeclare function open_out\(/);
    expect(json()).toEqual({
      path: "tools/open_out.d.ts",
      content: stdout.trimEnd(),
      bytes: expect.any(Number),
    });
    expect(json().content).not.toContain("\u202e");
  });

  test("without a path, and for a folder, what there is", async () => {
    const { json } = await catalog("read", "--json", "--plugin", plugin);
    expect(json().files.map((file: any) => file.path)).toEqual([
      "results.d.ts",
      "tools/broken.d.ts",
      "tools/open_out.d.ts",
      "tools/shipping_list.d.ts",
    ]);
    expect((await catalog("read", "tools/", "--plugin", plugin)).stdout).toContain("tools/broken.d.ts");
  });

  test("an unknown path names the nearest", async () => {
    const { code, stderr } = await catalog("read", "tools/shipping_lst.d.ts", "--plugin", plugin);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/Did you mean `tools\/shipping_list\.d\.ts`/)]);
    const outside = await catalog("read", "../x", "--json", "--plugin", plugin);
    expect([outside.code, outside.json().error.code]).toEqual([1, "api_file_not_found"]);
  });
});

test("--model says whether Code Mode engages, why, and what the model is shown", async () => {
  const { json } = await catalog("--json", "--model", "anthropic/claude-opus-5", "--plugin", plugin);
  expect(json()).toMatchObject({
    engaged: true,
    reason: "preferred-model",
    visibleTools: ["exec", "wait", "shipping_screen"],
    catalogSize: 3,
  });
  const other = await catalog("--model", "ollama/tiny", "--plugin", plugin);
  expect(other.stdout).toMatch(
    /does not engage for ollama\/tiny[\s\S]*shown shipping_list, open-out, broken, shipping_screen/,
  );
  expect((await catalog("--model", "x/y", "--budget", "5")).code).toBe(2);
});
