import { describe, expect, it } from "vitest";
import type { OpenClawConfig } from "../../src/config/config.js";
import { applyToolPolicy, matches, type PolicyScope, type PolicyTool } from "../../src/config/policy.js";

const tools: PolicyTool[] = [
  { name: "shipping_list", owner: "shipping", source: "openclaw" },
  { name: "shipping_delete", owner: "shipping", source: "openclaw", optional: true },
  { name: "weather", owner: "weather-plugin", source: "openclaw" },
  { name: "github__create_issue", owner: "github", source: "mcp" },
  { name: "select_file", owner: "client", source: "client" },
  { name: "message", owner: "core", source: "openclaw" },
];

const left = (config: OpenClawConfig, scope: PolicyScope = {}): string[] =>
  applyToolPolicy(tools, config, scope).tools.map((tool) => tool.name);

const plain = ["shipping_list", "weather", "github__create_issue", "select_file", "message"];

describe("tool policy", () => {
  it.each<[string, OpenClawConfig, PolicyScope, string[]]>([
    ["nothing set: all but optional", {}, {}, plain],
    ["empty allow: none", { tools: { allow: [] } }, {}, []],
    ["empty allow and a name beside it", { tools: { allow: [], alsoAllow: ["weather"] } }, {}, ["weather"]],
    ["allow by name", { tools: { allow: ["weather"] } }, {}, ["weather"]],
    [
      "allow by plugin, optional included",
      { tools: { allow: ["shipping"] } },
      {},
      ["shipping_list", "shipping_delete"],
    ],
    ["letter case", { tools: { allow: ["WEATHER"] } }, {}, ["weather"]],
    ["pattern", { tools: { allow: ["shipping_*"] } }, {}, ["shipping_list", "shipping_delete"]],
    ["everything does not mean optional", { tools: { allow: ["*"] } }, {}, plain],
    ["MCP server pattern", { tools: { allow: ["github__*"] } }, {}, ["github__create_issue"]],
    ["all MCP servers", { tools: { allow: ["bundle-mcp"] } }, {}, ["github__create_issue"]],
    [
      "one MCP server",
      { tools: { deny: ["github"] } },
      {},
      plain.filter((name) => !name.startsWith("github")),
    ],
    ["all plugins", { tools: { deny: ["group:plugins"] } }, {}, ["select_file", "message"]],
    ["deny wins over allow", { tools: { allow: ["weather"], deny: ["weather"] } }, {}, []],
    [
      "deny wins over --allow",
      { tools: { deny: ["shipping_delete"] } },
      { allow: ["shipping_delete"] },
      plain,
    ],
    [
      "optional by alsoAllow",
      { tools: { alsoAllow: ["shipping_delete"] } },
      {},
      ["shipping_list", "shipping_delete", ...plain.slice(1)],
    ],
    [
      "optional by --allow",
      {},
      { allow: ["shipping_delete"] },
      ["shipping_list", "shipping_delete", ...plain.slice(1)],
    ],
    [
      "--allow over an allow list",
      { tools: { allow: ["weather"] } },
      { allow: ["shipping_delete"] },
      ["shipping_delete", "weather"],
    ],
    [
      "--allow of one opens nothing else",
      { tools: { allow: ["weather"] } },
      { allow: ["weather"] },
      ["weather"],
    ],
    ["a dot is no pattern", { tools: { allow: ["weathe."] } }, {}, []],
    [
      "agent narrows",
      {
        tools: { allow: ["weather", "message"] },
        agents: { list: [{ id: "ops", tools: { deny: ["message"] } }] },
      },
      { agentId: "ops" },
      ["weather"],
    ],
    [
      "agent cannot widen",
      {
        tools: { allow: ["weather"] },
        agents: { list: [{ id: "ops", tools: { allow: ["message", "weather"] } }] },
      },
      { agentId: "ops" },
      ["weather"],
    ],
    [
      "agent allows an optional tool",
      { agents: { list: [{ id: "ops", tools: { alsoAllow: ["shipping"] } }] } },
      { agentId: "ops" },
      ["shipping_list", "shipping_delete", ...plain.slice(1)],
    ],
    [
      "provider",
      { tools: { byProvider: { google: { allow: ["weather"] } } } },
      { model: "google/gemini" },
      ["weather"],
    ],
    [
      "one model",
      { tools: { byProvider: { "google/gemini": { deny: ["weather"] } } } },
      { model: "google/gemini" },
      plain.filter((name) => name !== "weather"),
    ],
    ["another provider", { tools: { byProvider: { google: { allow: [] } } } }, { model: "openai/x" }, plain],
  ])("%s", (_what, config, scope, expected) => {
    expect(left(config, scope)).toEqual(expected);
  });

  it("says why each tool is gone and what an optional one needs", () => {
    const { removed } = applyToolPolicy(tools, {
      tools: { allow: ["shipping", "weather"], deny: ["weath*"] },
    });
    expect(Object.fromEntries(removed.map(({ tool, reason }) => [tool.name, reason]))).toEqual({
      weather: "tools.deny lists `weath*`",
      github__create_issue: "tools.allow does not list it",
      select_file: "tools.allow does not list it",
      message: "tools.allow does not list it",
    });
    expect(applyToolPolicy(tools, {}).removed[0]?.reason).toContain("pass --allow shipping_delete");
    expect(applyToolPolicy(tools, { tools: { allow: [] } }).removed[0]?.reason).toBe("tools.allow is empty");
  });

  it("reports entries that fit no tool", () => {
    const { unmatched } = applyToolPolicy(
      tools,
      { tools: { allow: ["wether"], deny: ["weather", "group:fs"] } },
      { allow: ["nope"] },
    );
    expect(unmatched).toEqual([
      { entry: "wether", from: "tools.allow", close: "weather" },
      { entry: "group:fs", from: "tools.deny" },
      { entry: "nope", from: "--allow" },
    ]);
  });

  it("takes patterns literally but for the star", () => {
    const tool = (name: string): PolicyTool => ({ name, owner: "p", source: "openclaw" });
    expect(matches("a*c", tool("abc"))).toBe(true);
    expect(matches("a*c", tool("abcd"))).toBe(false);
    expect(matches("a+*", tool("aab"))).toBe(false);
    expect(matches(" a.b ", tool("A.B"))).toBe(true);
  });
});
