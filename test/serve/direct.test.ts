import { expect, test } from "vitest";
import { resolveLimits } from "../../src/config/limits.js";
import { DirectTools } from "../../src/serve/direct.js";
import { tool } from "../runtime/bridge/harness.js";
import { writePlugin } from "../support/plugin-project.js";
import { serveStdio } from "../support/serve.js";
import { tempDir } from "../support/temp.js";

const call = (tools: DirectTools, name: string, input: unknown = {}) =>
  tools.call({ name, input, toolCallId: "call_1", signal: new AbortController().signal });

test("a direct call goes through contract, hooks and approval, and its answer is MCP's", async () => {
  const events: string[] = [];
  const asked: unknown[] = [];
  const tools = new DirectTools(
    [
      tool("look", ({ at }) => ({ at }), {
        catalogMode: "direct-only",
        parameters: { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
      }),
      tool("list", () => [1, 2]),
      { ...tool("bare", () => 0), execute: async () => ({ content: [], details: [1, 2] }) },
      tool("burst", () => {
        throw new Error("pipe is gone");
      }),
    ],
    {
      limits: resolveLimits(),
      hooks: {
        before: [
          async ({ toolName, toolKind }) => {
            events.push(`${toolName} ${toolKind ?? "plain"}`);
            return toolName === "list" ? { requireApproval: { title: "Really?" } } : undefined;
          },
        ],
        after: [],
      },
      approve: async (request) => {
        asked.push(request.title);
        return false;
      },
      onEvent: undefined,
    },
  );
  expect(await call(tools, "look", { at: "sea" })).toEqual({
    content: [{ type: "text", text: "ok" }],
    structuredContent: { at: "sea" },
  });
  expect(await call(tools, "bare")).toEqual({ content: [{ type: "text", text: "[1,2]" }] });
  const refused = await call(tools, "look", { at: 1 });
  expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("at") }] });
  expect(await call(tools, "burst")).toMatchObject({ isError: true, content: [{ text: "pipe is gone" }] });
  expect(await call(tools, "list")).toMatchObject({ isError: true });
  expect(asked).toEqual(["Really?"]);
  expect(events).toEqual(["look plain", "bare plain", "burst plain", "list plain"]);
});

test.each([
  ["never by default", [], "tool_error"],
  ["--approve always", ["--approve", "always"], "ran"],
] as const)("calls that want approval: %s", async (_, args, outcome) => {
  const dir = tempDir();
  const entry = `export default { id: "careful", register(api) {
  api.on("before_tool_call", async (event) => event.toolName === "careful_do" ? { requireApproval: true } : undefined);
  api.registerTool({ name: "careful_do", description: "Does.", parameters: { type: "object" }, execute: async () => ({ content: [], details: {} }) });
} };`;
  writePlugin(`${dir}/careful`, { id: "careful", entry, tools: ["careful_do"] });
  const serving = await serveStdio({ cwd: dir, stateDir: dir, args: ["--plugin", "./careful", ...args] });
  try {
    expect(await serving.value("return await careful_do({}).then(() => 'ran', (error) => error.code);")).toBe(
      outcome,
    );
  } finally {
    await serving.close();
  }
});
