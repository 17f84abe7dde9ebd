import { type AnyAgentTool, getToolPluginMetadata } from "openclaw/plugin-sdk/tool-plugin";
import { expect, test } from "vitest";
import plugin from "./index.js";

/** The tools as a host gets them. */
function registeredTools(): Map<string, AnyAgentTool> {
  const tools = new Map<string, AnyAgentTool>();
  const api = { registerTool: (tool: AnyAgentTool) => tools.set(tool.name, tool) };
  plugin.register(api as never);
  return tools;
}

test("declares its tools", () => {
  expect(getToolPluginMetadata(plugin)?.tools.map((tool) => tool.name)).toEqual(["echo"]);
});

test("echo returns its input", async () => {
  const result = await registeredTools().get("echo")?.execute("call-1", { input: "hi" });
  expect(result?.details).toEqual({ input: "hi" });
});
