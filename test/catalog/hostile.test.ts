import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EffectiveTool } from "../../src/catalog/tool.js";
import { catalogOf, clientTool, mcpTool, nativeTool } from "./support.js";

const HOSTILE_NAMES = [
  "",
  " ",
  "__proto__",
  "constructor",
  "toString",
  "then",
  "$api",
  "$serverName",
  "a\nb",
  "*/",
  "`${x}`",
  "\u202egnp.exe",
  "\ud800",
  "天気",
  "🚀",
  "../../etc/passwd",
  "index",
  "x".repeat(100_000),
];

const everywhere = (name: string): EffectiveTool[] => [
  nativeTool(name),
  clientTool(`client ${name}`),
  mcpTool("srv", name),
  mcpTool(name, "tool", { owner: name || "empty" }),
];

describe("hostile names", () => {
  const catalog = catalogOf(...HOSTILE_NAMES.flatMap(everywhere));

  test("every bare global is an identifier, unique, and its file can be read", () => {
    const names = catalog.entries.map(({ callableName }) => callableName);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Za-z_$][\w$]*$/);
    for (const { apiPath } of catalog.entries) expect(catalog.readFile(apiPath).path).toBe(apiPath);
  });

  test("every MCP path is made of short identifiers, unique below its server", () => {
    for (const { identifier, members } of catalog.namespaces) {
      expect(identifier).toMatch(/^[A-Za-z][A-Za-z0-9]*$/);
      expect(identifier.length).toBeLessThan(140);
      const methods = members.map(({ path }) => path.join("."));
      expect(new Set(methods).size).toBe(methods.length);
      for (const method of methods) expect(method).toMatch(/^[A-Za-z][A-Za-z0-9]{0,139}$/);
    }
    expect(new Set(catalog.namespaces.map(({ identifier }) => identifier)).size).toBe(
      catalog.namespaces.length,
    );
  });

  test("a server called index shares the file of that name", () => {
    const { content } = catalog.readFile("mcp/index.d.ts");
    expect(content).toContain("declare namespace MCP {");
    expect(content).toContain("declare namespace MCP.index {");
    expect(catalog.byId("mcp:index:index__tool")!.apiPath).toBe("mcp/index.d.ts");
    expect(catalog.listFiles("mcp/index.d.ts")).toHaveLength(1);
  });

  test("names lead to their tools in a search", () => {
    for (const entry of catalog.entries) {
      if (entry.toolName.trim() === "") continue;
      expect(catalog.search(entry.callableName)[0]).toBe(entry);
    }
  });
});

describe("hostile descriptions", () => {
  const description = [
    "fine */ declare const evil: any; /*",
    "@param forged is not a parameter",
    "\u202ebackwards \u0007 \u2028 line",
    "y".repeat(5000),
    ...Array.from({ length: 30 }, (_, n) => `line ${n}`),
  ].join("\n");
  const catalog = catalogOf(
    mcpTool("srv", "loud", {
      description,
      parameters: {
        type: "object",
        properties: {
          "a\n*/ b": { type: "string", description },
          ok: { type: "string", description, default: "*/" },
        },
      },
    }),
  );
  const { content } = catalog.readFile("mcp/srv.d.ts");

  test("cannot leave the comment, forge a tag or hide text", () => {
    expect(content).not.toContain("*/ declare");
    expect(content).toContain("* / declare const evil");
    expect(content).toContain("* \\@param forged");
    expect(content).not.toMatch(/[\u202e\u0007\u2028]/);
    const comments = content.match(/\/\*\*[\s\S]*?\*\//g)!;
    expect(content.replace(/\/\*\*[\s\S]*?\*\//g, "")).not.toMatch(/evil|forged|backwards/);
    for (const comment of comments) expect(comment.split("\n").length).toBeLessThan(20);
  });

  test("are cut in handles, in lines of a comment and in the index", () => {
    expect(catalog.mcpEntries[0]!.description.length).toBeLessThanOrEqual(512);
    for (const line of content.split("\n")) expect(line.length).toBeLessThan(6000);
    expect(catalog.quickIndex()).toBe("");
  });
});

test("a schema that answers with exceptions takes nothing else with it", () => {
  const trap = new Proxy(
    {},
    {
      get() {
        throw new Error("no");
      },
      ownKeys() {
        throw new Error("no");
      },
    },
  );
  const cyclic: Record<string, unknown> = { type: "object" };
  cyclic.properties = { self: cyclic };
  const shared = { type: "object", properties: {} as Record<string, unknown> };
  let wide: unknown = shared;
  for (let level = 0; level < 6; level += 1) {
    wide = {
      type: "object",
      properties: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`p${n}`, wide])),
    };
  }
  const odd = { trap, cyclic, wide, list: [], text: "x", number: 5, none: null, big: { n: 10n } };
  const catalog = catalogOf(
    ...Object.entries(odd).map(([name, schema]) =>
      nativeTool(name, { parameters: schema, outputSchema: schema }),
    ),
    ...Object.entries(odd).map(([name, schema]) => mcpTool("srv", name, { parameters: schema })),
    nativeTool("fine", { outputSchema: { type: "string" } }),
  );
  const start = performance.now();
  for (const { path } of catalog.listFiles()) catalog.readFile(path);
  for (const entry of [...catalog.entries, ...catalog.mcpEntries]) JSON.stringify(catalog.describe(entry));
  catalog.search("fine tool");
  expect(performance.now() - start).toBeLessThan(10_000);
  expect(catalog.entries).toHaveLength(9);
  expect(catalog.entries.find(({ toolName }) => toolName === "fine")!.output).toBe("string");
});

test("whatever the tools are, a catalog can be built, listed, searched and indexed", () => {
  const text = fc.oneof(fc.string(), fc.constantFrom(...HOSTILE_NAMES.slice(0, -1)));
  const tool = fc.record({
    kind: fc.constantFrom("native", "client", "mcp"),
    name: text,
    owner: fc.constantFrom("core", "a", "b", "__proto__"),
    description: text,
    parameters: fc.jsonValue(),
    outputSchema: fc.jsonValue(),
  });
  fc.assert(
    fc.property(fc.array(tool, { maxLength: 12 }), text, (made, query) => {
      const tools = made.map(({ kind, name, owner, ...rest }) =>
        kind === "mcp"
          ? mcpTool(owner, name, rest)
          : kind === "client"
            ? clientTool(name, rest)
            : nativeTool(name, { owner, ...rest }),
      );
      const catalog = catalogOf(...tools);
      const names = [...catalog.entries, ...catalog.mcpEntries].map(({ callableName }) => callableName);
      expect(new Set(names).size).toBe(names.length);
      expect(catalog.search(query).length).toBeLessThanOrEqual(8);
      expect(catalog.quickIndex().length).toBeLessThanOrEqual(8000);
      for (const { path } of catalog.listFiles()) expect(catalog.readFile(path).bytes).toBeGreaterThan(0);
      const again = catalogOf(...[...tools]);
      expect(again.quickIndex()).toBe(catalog.quickIndex());
    }),
    { seed: 11, numRuns: 200 },
  );
});
