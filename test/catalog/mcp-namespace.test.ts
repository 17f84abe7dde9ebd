import { describe, expect, test } from "vitest";
import { catalogOf, mcpTool, nativeTool } from "./support.js";

function members(serverName: string, ...toolNames: string[]): Record<string, string> {
  const { namespaces, byId } = catalogOf(...toolNames.map((name) => mcpTool(serverName, name)));
  return Object.fromEntries(
    namespaces[0]!.members.map((member) => [byId(member.entryId)!.toolName, member.path.join(".")]),
  );
}

test("names become camel-case identifiers, whatever cannot be one is dropped", () => {
  expect(
    members(
      "srv",
      "create_issue",
      "API_key",
      "URLParse",
      "9lives",
      "größe",
      "issue.create",
      "  take snapshot ",
    ),
  ).toEqual({
    create_issue: "createIssue",
    API_key: "aPIKey",
    URLParse: "uRLParse",
    "9lives": "lives",
    größe: "grE",
    "issue.create": "issueCreate",
    "  take snapshot ": "takeSnapshot",
  });
});

test("schema-13: every tool has a member of its own, none of them hides a helper or makes a promise", () => {
  const names = [
    "list-events",
    "list_events",
    "delete",
    "2fa",
    "issue.create",
    "天气",
    "🚀",
    "constructor",
    "$api",
    "then",
  ];
  const found = members("my-srv.v2", ...names);
  expect(found).toEqual({
    "list-events": "listEvents2",
    list_events: "listEvents",
    delete: "delete2",
    "2fa": "fa",
    "issue.create": "issueCreate",
    天气: "tool2",
    "🚀": "tool",
    constructor: "constructor2",
    $api: "api",
    then: "then2",
  });
  expect(catalogOf(mcpTool("my-srv.v2", "x")).namespaces[0]!.identifier).toBe("mySrvV2");
});

test("tools called like the operation groups step aside", () => {
  expect(members("srv", "resources", "prompts")).toEqual({ resources: "resources2", prompts: "prompts2" });
});

test("servers: nothing left is `server`, collisions count up in the order of ids, reserved names step aside", () => {
  const identifiers = (...servers: string[]) =>
    Object.fromEntries(
      catalogOf(...servers.map((name) => mcpTool(name, "ping", { owner: name }))).namespaces.map(
        ({ serverName, identifier }) => [serverName, identifier],
      ),
    );
  expect(identifiers("日本", "then", "Map", "chrome-devtools", "9lives")).toEqual({
    日本: "server",
    then: "then2",
    Map: "map",
    "chrome-devtools": "chromeDevtools",
    "9lives": "lives",
  });
  expect(identifiers("a-b", "a_b", "a b", "aB", "a.b")).toEqual({
    "a b": "aB",
    a_b: "aB2",
    "a-b": "aB3",
    "a.b": "aB4",
    aB: "aB5",
  });
});

test("one server's tools never rename another's", () => {
  const alone = members("b", "list_events", "list-events");
  const catalog = catalogOf(
    mcpTool("a", "list-events"),
    mcpTool("b", "list_events"),
    mcpTool("b", "list-events"),
  );
  const b = catalog.namespaces.find(({ serverName }) => serverName === "b")!;
  expect(b.members.map(({ path }) => path[0])).toEqual(Object.values(alone).sort());
});

test("members come sorted, operations under their group, each once", () => {
  const catalog = catalogOf(
    mcpTool("docs", "resources_read", {}, "resources_read"),
    mcpTool("docs", "zeta"),
    mcpTool("docs", "prompts_get", {}, "prompts_get"),
    mcpTool("docs", "resources_list", {}, "resources_list"),
    mcpTool("docs", "list_again", {}, "resources_list"),
    mcpTool("docs", "prompts_list", {}, "prompts_list"),
  );
  expect(catalog.namespaces[0]!.members.map(({ path }) => path.join("."))).toEqual([
    "prompts.get",
    "prompts.list",
    "resources.list",
    "resources.read",
    "zeta",
  ]);
});

describe("arguments of a call", () => {
  const argumentsOf = (parameters: unknown) => {
    const { defaults, required } = catalogOf(mcpTool("s", "t", { parameters })).namespaces[0]!.members[0]!;
    return { defaults: { ...defaults }, required };
  };

  test("a top-level default makes a required field optional, null and false included", () => {
    expect(
      argumentsOf({
        type: "object",
        properties: {
          a: { type: "string", default: "x" },
          b: { default: null },
          c: { default: false },
          d: { type: "object", properties: { inner: { default: 1 } }, required: ["inner"] },
        },
        required: ["a", "b", "c", "d", "d", "e", 5],
      }),
    ).toEqual({ defaults: { a: "x", b: null, c: false }, required: ["d", "e"] });
  });

  test.each([[null], [[]], ["x"], [{ properties: [] }], [{ properties: null, required: "a" }]])(
    "a malformed schema %j asks for nothing",
    (parameters) => {
      expect(argumentsOf(parameters)).toEqual({ defaults: {}, required: [] });
    },
  );

  test("properties named like an object's own machinery are data", () => {
    const parameters = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"default":{"polluted":1}},"constructor":{}},"required":["constructor","toString"]}',
    );
    const { defaults, required } = catalogOf(mcpTool("s", "t", { parameters })).namespaces[0]!.members[0]!;
    expect(Object.entries(defaults)).toEqual([["__proto__", { polluted: 1 }]]);
    expect(required).toEqual(["constructor", "toString"]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

test("entries: sorted by id, full name, no label, no hints, description cut at 512 without half a character", () => {
  const catalog = catalogOf(
    mcpTool("srv", "b", {
      label: "B",
      description: `${"x".repeat(511)}😀`,
      outputSchema: { type: "string" },
    }),
    mcpTool("srv", "a", { parameters: { type: "object", properties: { q: { type: "string" } } } }),
    nativeTool("n"),
  );
  expect(catalog.mcpEntries.map(({ id }) => id)).toEqual(["mcp:srv:srv__a", "mcp:srv:srv__b"]);
  const entry = catalog.mcpEntries[1]!;
  expect({ ...entry, tool: undefined }).toEqual({
    id: "mcp:srv:srv__b",
    tool: undefined,
    callableName: "MCP.srv.b",
    toolName: "b",
    description: "x".repeat(511),
    source: "mcp",
    input: "unknown",
    apiPath: "mcp/srv.d.ts",
    member: { server: "srv", method: "b" },
  });
  expect(catalog.sources).toEqual({ openclaw: 1, mcp: 2, client: 0 });
  expect(catalog.entries.map(({ callableName }) => callableName)).toEqual(["n"]);
});
