import { expect, test } from "vitest";
import { effectiveTools } from "../../src/catalog/effective.js";
import type { EffectiveTool } from "../../src/catalog/tool.js";
import { clientTool, mcpTool, nativeTool } from "./support.js";

test("order: core, bundled plugins, other plugins, MCP, client; registration order within each", () => {
  const { native, mcp } = effectiveTools([
    clientTool("c"),
    mcpTool("srv", "m"),
    nativeTool("p2", { owner: "zeta" }),
    nativeTool("p1", { owner: "alpha" }),
    nativeTool("b", { owner: "shipped", bundled: true }),
    nativeTool("k"),
  ]);
  expect(native.map(({ name }) => name)).toEqual(["k", "b", "p2", "p1", "c"]);
  expect(mcp.map(({ name }) => name)).toEqual(["srv__m"]);
});

test("of equal names the first stays, and a diagnostic names both owners", () => {
  const { native, diagnostics } = effectiveTools([
    nativeTool("same", { owner: "late", description: "2" }),
    nativeTool("same", { owner: "core", description: "1" }),
  ]);
  expect(native.map(({ description }) => description)).toEqual(["1"]);
  expect(diagnostics).toEqual([
    { level: "warning", owner: "late", tool: "same", message: expect.stringMatching(/"late".*"core"/) },
  ]);
});

test("a client's tool replaces a native one of its name, not another client's", () => {
  const { native } = effectiveTools([
    nativeTool("same", { outputSchema: { type: "string" } }),
    clientTool("same", { description: "first" }),
    clientTool("same", { description: "second" }),
  ]);
  expect(native.map(({ source, description }) => [source, description])).toEqual([["client", "first"]]);
});

test("an MCP tool never competes with a bare global", () => {
  const { native, mcp } = effectiveTools([nativeTool("srv__a", { owner: "x" }), mcpTool("srv", "a")]);
  expect([native.length, mcp.length]).toEqual([1, 1]);
});

test("controls and direct-only tools are left out; tools that share a control's name are not", () => {
  const { native, diagnostics } = effectiveTools([
    nativeTool("exec", { control: true }),
    nativeTool("wait", { control: true }),
    nativeTool("computer", { catalogMode: "direct-only" }),
    nativeTool("tool_search"),
    nativeTool("tool_search_code"),
    nativeTool("tool_describe"),
    nativeTool("tool_call", { owner: "mine" }),
    nativeTool("wait", { owner: "mine" }),
    nativeTool("exec"),
  ]);
  expect(native.map(({ name }) => name)).toEqual(["exec", "wait"]);
  expect(diagnostics.map(({ tool }) => tool)).toEqual([
    "tool_search",
    "tool_search_code",
    "tool_describe",
    "tool_call",
  ]);
});

test("a malformed tool is left out with its own diagnostic and takes nothing with it", () => {
  const malformed: unknown[] = [
    null,
    5,
    {},
    { name: 5 },
    nativeTool("no-source", { source: "web" as never }),
    nativeTool("no-owner", { owner: "" }),
    nativeTool("no-execute", { execute: undefined as never }),
    mcpTool("srv", "unbound", { mcp: undefined as never }),
    mcpTool("srv", "odd", { mcp: { toolName: 5 } as never }),
  ];
  const { native, mcp, diagnostics } = effectiveTools([
    ...(malformed as EffectiveTool[]),
    nativeTool("fine"),
  ]);
  expect(native.map(({ name }) => name)).toEqual(["fine"]);
  expect(mcp).toEqual([]);
  expect(diagnostics).toHaveLength(malformed.length);
  for (const { level } of diagnostics) expect(level).toBe("error");
});

test("tools whose ids would be one and the same: the first stays", () => {
  const { native, diagnostics } = effectiveTools([
    nativeTool("a:b", { owner: "c" }),
    nativeTool("b", { owner: "c:a" }),
  ]);
  expect(native.map(({ owner }) => owner)).toEqual(["c"]);
  expect(diagnostics.map(({ owner, tool }) => [owner, tool])).toEqual([["c:a", "b"]]);
});
