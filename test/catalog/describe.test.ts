import { describe, expect, test } from "vitest";
import {
  findLegacy,
  legacyCallables,
  legacyDescription,
  legacyEntries,
  legacyEntry,
} from "../../src/catalog/legacy.js";
import { CatalogInputError } from "../../src/catalog/types.js";
import { catalogOf, clientTool, mcpTool, nativeTool } from "./support.js";

const STRING = { type: "string" };
const catalog = catalogOf(
  nativeTool("strict", {
    owner: "fixtures",
    label: "Strict",
    description: "d",
    parameters: { type: "object" },
    outputSchema: STRING,
  }),
  nativeTool("exec"),
  nativeTool("class", { owner: "fixtures" }),
  nativeTool("a-b", { owner: "fixtures" }),
  nativeTool("a_b", { owner: "fixtures" }),
  nativeTool("2fast", { owner: "fixtures" }),
  nativeTool("search", { owner: "fixtures" }),
  nativeTool("größe", { owner: "fixtures" }),
  clientTool("select_file", { label: "Select file", outputSchema: STRING }),
  mcpTool("github", "create_issue", { parameters: { type: "object", required: ["title"] } }),
);
const entry = (id: string) => catalog.byId(id)!;

describe("describe()", () => {
  test("metadata, hints and whole schemas in a fixed order, without an id", () => {
    const described = catalog.describe(entry("openclaw:fixtures:strict"));
    expect(Object.keys(described).filter((key) => key !== "output")).toEqual([
      "source",
      "name",
      "label",
      "description",
      "input",
      "parameters",
      "outputSchema",
      "callableName",
    ]);
    expect(described).toMatchObject({ name: "strict", parameters: { type: "object" }, outputSchema: STRING });
  });

  test("a client's output claim is not passed on", () => {
    expect(catalog.describe(entry("client:client:select_file"))).toEqual({
      source: "client",
      name: "select_file",
      label: "Select file",
      description: "",
      input: "unknown",
      callableName: "select_file",
    });
  });

  test("an MCP tool describes itself as $api does, schema included", () => {
    const described = catalog.describe(entry("mcp:github:github__create_issue"));
    expect(Object.keys(described)).toEqual(["kind", "scope", "server", "header", "tools", "schemas", "note"]);
    expect(described).toMatchObject({
      kind: "mcp_api",
      scope: "tool",
      server: { identifier: "github", serverName: "github" },
      tools: [
        {
          method: "createIssue",
          path: ["createIssue"],
          mcpTool: "create_issue",
          operation: "tool",
          description: "",
        },
      ],
      schemas: { createIssue: { type: "object", required: ["title"] } },
    });
  });
});

describe("$api", () => {
  const big = catalogOf(
    ...["a_b", "aB", "a-b", "list"].map((name) => mcpTool("s", name, { description: `about ${name}` })),
    mcpTool("s", "resources_read", {}, "resources_read"),
  );
  const selected = (selector: unknown) =>
    (big.mcpApi("s", selector).tools as { mcpTool: string }[]).map(({ mcpTool }) => mcpTool);

  test("the root counts members and declares the namespaces", () => {
    expect(big.mcpApi()).toEqual({
      kind: "mcp_api",
      scope: "root",
      header: expect.stringContaining("declare namespace MCP"),
      servers: [{ identifier: "s", serverName: "s", toolCount: 5 }],
      note: expect.any(String),
    });
  });

  test("a method, a name on the server and a name with the same identifier select one tool, in that order", () => {
    expect(selected("aB")).toEqual(["a_b"]);
    expect(selected("a-b")).toEqual(["a-b"]);
    expect(selected(" list ")).toEqual(["list"]);
    expect(selected("LIST")).toEqual([]);
    expect(selected("a.b")).toEqual(["a_b"]);
    expect(selected("resources.read")).toEqual(["resources_read"]);
  });

  test.each([[undefined], [""], ["  "], [5], [null], [{}]])("%j selects the whole server", (selector) => {
    const api = big.mcpApi("s", selector);
    expect([api.scope, (api.tools as unknown[]).length]).toEqual(["server", 5]);
  });

  test("an unknown name selects nothing, and the note says what was meant", () => {
    const api = big.mcpApi("s", "lsit", { schema: true });
    expect([api.scope, api.tools, api.schemas]).toEqual(["server", [], {}]);
    expect(api.note).toMatch(/"lsit".*did you mean list/);
    expect(big.mcpApi("s", "🚀").tools).toEqual([]);
  });

  test("schemas come only when asked for with true", () => {
    expect(big.mcpApi("s", "list")).not.toHaveProperty("schemas");
    expect(big.mcpApi("s", "list", { schema: "yes" })).not.toHaveProperty("schemas");
    expect(big.mcpApi("s", "list", { schema: true }).schemas).toEqual({ list: {} });
  });

  test("an unknown server is refused", () => {
    expect(() => big.mcpApi("nope")).toThrow(CatalogInputError);
  });
});

describe("older forms", () => {
  test("ALL_TOOLS: by id, with the owner, without MCP", () => {
    expect(legacyEntries(catalog).map(({ id }) => id)).toEqual([
      "client:client:select_file",
      "openclaw:core:exec",
      "openclaw:fixtures:2fast",
      "openclaw:fixtures:a_b",
      "openclaw:fixtures:a-b",
      "openclaw:fixtures:class",
      "openclaw:fixtures:größe",
      "openclaw:fixtures:search",
      "openclaw:fixtures:strict",
    ]);
    expect(legacyEntry(entry("client:client:select_file"))).toEqual({
      id: "client:client:select_file",
      source: "client",
      sourceName: "client",
      name: "select_file",
      label: "Select file",
      description: "",
      input: "unknown",
    });
  });

  test("tools.<name>: exact names that can be written as a property, never a helper's", () => {
    expect(legacyCallables(catalog).map(({ toolName }) => toolName)).toEqual([
      "select_file",
      "exec",
      "a_b",
      "class",
      "größe",
      "strict",
    ]);
  });

  test("a description adds the schemas", () => {
    expect(legacyDescription(entry("openclaw:fixtures:strict"))).toMatchObject({
      id: "openclaw:fixtures:strict",
      parameters: { type: "object" },
      outputSchema: STRING,
    });
  });

  test("tools are found by id and by exact name", () => {
    expect(findLegacy(catalog, "openclaw:fixtures:a-b").toolName).toBe("a-b");
    expect(findLegacy(catalog, "a-b").toolName).toBe("a-b");
  });

  test.each([
    [5, /id or exact name/],
    ["", /id or exact name/],
    ["strct", /did you mean strict/],
    ["mcp:github:github__create_issue", /MCP\.github\.createIssue/],
    ["github__create_issue", /MCP\.github\.createIssue/],
    ["Strict", /no tool has/],
  ])("%j is refused", (reference, message) => {
    expect(() => findLegacy(catalog, reference)).toThrow(message);
  });

  test("tools.search ranks behind an exact name and never shows MCP tools", () => {
    const found = catalog.search("create issue", {}, "entries");
    expect(found).toEqual([]);
    const many = catalogOf(
      ...Array.from({ length: 20 }, (_, index) => mcpTool("s", `read_${index}`)),
      nativeTool("read"),
      nativeTool("read_more"),
    );
    expect(many.search("read", { limit: 3 }, "entries").map(({ toolName }) => toolName)).toEqual([
      "read",
      "read_more",
    ]);
  });
});
