import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { helloTool, writePlugin } from "../support/plugin-project.js";
import { type ModelClient, serveHttpForTest, until } from "../support/serve.js";
import { tempDir } from "../support/temp.js";

async function countChanges(model: ModelClient): Promise<() => number> {
  let changes = 0;
  model.client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    changes += 1;
  });
  return () => changes;
}

test("plugins that appear, in folders that were not there either, are offered; changed code is told of", async () => {
  const dir = tempDir();
  const stateDir = join(dir, "not", "yet");
  const server = await serveHttpForTest({ cwd: dir, stateDir });
  const model = await server.connect();
  const changes = await countChanges(model);
  expect(await model.value("return ALL_TOOLS.length;")).toBe(0);

  mkdirSync(join(stateDir, "extensions"), { recursive: true });
  const plugin = writePlugin(join(stateDir, "extensions", "late"), { id: "late" });
  await until("the new plugin is seen", () => changes() === 1);
  expect(await model.value(`return (await ${helloTool("late")}({})).answer;`)).toBe("hello");

  // Configuration in a folder that did not exist at the start.
  writeFileSync(join(stateDir, "openclaw.json"), "{ tools: { codeMode: { timeoutMs: 4321 } } }");
  await until("the limit is told to the model", async () =>
    ((await model.tools())[0]?.description ?? "").includes("4.3 s a leg"),
  );

  const before = changes();
  appendFileSync(join(plugin, "dist", "index.js"), "\n// changed\n");
  await until("the change is told", () => /plugin late changed on disk; restart/.test(server.stderr()));
  expect(await model.value(`return (await ${helloTool("late")}({})).answer;`)).toBe("hello");
  // The model's view is the same, so clients are left alone.
  expect(changes()).toBe(before);
});

test("a plugin that writes into its own folder does not make the server load again and again", async () => {
  const dir = tempDir();
  const entry = `import { appendFileSync } from "node:fs";
appendFileSync(new URL("../imports.log", import.meta.url), "import\\n");
export default { id: "busy", register(api) {
  appendFileSync(new URL("../registers.log", import.meta.url), "register\\n");
  api.registerTool({ name: "busy_write", description: "Writes.", parameters: { type: "object" },
    execute: async () => { appendFileSync(new URL("../registers.log", import.meta.url), "call\\n"); return { content: [], details: {} }; } });
} };`;
  writePlugin(join(dir, "busy"), { id: "busy", entry, tools: ["busy_write"] });
  const server = await serveHttpForTest({ cwd: dir, stateDir: dir, args: ["--plugin", "./busy"] });
  const model = await server.connect();
  for (let calls = 0; calls < 3; calls += 1) await model.value("return await busy_write({});");
  await new Promise((resolve) => setTimeout(resolve, 800));
  const { readFileSync } = await import("node:fs");
  const lines = readFileSync(join(dir, "busy", "registers.log"), "utf8")
    .trimEnd()
    .split("\n");
  expect(lines).toEqual(["register", "call", "call", "call"]);
  expect(server.stderr()).toBe("");
});
