import type { EffectiveTool, ToolCall } from "../../src/catalog/tool.js";

/** A plugin tool that accepts any object and resolves to what `run` gives as its `details`. */
export function tool(
  name: string,
  run: (input: any, call: ToolCall) => unknown,
  more: Partial<EffectiveTool> = {},
): EffectiveTool {
  return {
    name,
    source: "openclaw",
    owner: "test",
    description: `Test tool ${name}.`,
    parameters: { type: "object", additionalProperties: true },
    execute: async (call) => ({ content: [], details: await run(call.input, call) }),
    ...more,
  };
}
