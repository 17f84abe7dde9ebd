import { expect, test } from "vitest";
import { full } from "../support/full.js";
import { alive, goneWithin, journal, testServer } from "../support/mcp.js";
import { type ModelClient, serveHttpForTest, serveStdio, until } from "../support/serve.js";
import { writeDesk } from "../support/serve-plugin.js";
import { tempDir } from "../support/temp.js";

/** A server with a child process, a cell in the middle of a tool, one that loops and one that waits. */
async function busy(model: ModelClient, has: (line: string) => boolean): Promise<void> {
  await model.value("return (await MCP.shop.pid({})).content[0].text;");
  await model.exec("await yield_control(); return 1;");
  model.exec("return await desk_slow({ ms: 60000 });").catch(() => {});
  model.exec("for (;;) {}").catch(() => {});
  await until("the tool runs", () => has("slow"));
}

test.each(full ? (["SIGTERM", "SIGINT"] as const) : (["SIGTERM"] as const))(
  "%s in the middle of cells ends children and the process within 2 s",
  async (signal) => {
    const log = journal();
    const dir = tempDir();
    writeDesk(`${dir}/desk`);
    const server = await serveHttpForTest({
      cwd: dir,
      stateDir: dir,
      config: { mcp: { servers: { shop: testServer("plain", { JOURNAL: log.file }) } } },
      env: { DESK_JOURNAL: log.file },
      args: ["--plugin", "./desk", "--limit", "timeoutMs=60000"],
    });
    await busy(await server.connect(), (line) => log.lines().includes(line));
    const children = log.pids();
    expect(children.length).toBeGreaterThan(0);
    const before = performance.now();
    server.child.kill(signal);
    expect(await server.ended).toBe(signal === "SIGTERM" ? 143 : 130);
    expect(performance.now() - before).toBeLessThan(2_000);
    expect(await goneWithin(children, 0)).toEqual([]);
    expect(server.stderr()).not.toMatch(/unexpected|at .*\.js/);
  },
);

test("the end of stdin ends the server and its children; calls on their way are answered first", async () => {
  const log = journal();
  const dir = tempDir();
  const server = await serveStdio({
    cwd: dir,
    stateDir: dir,
    config: { mcp: { servers: { shop: testServer("plain", { JOURNAL: log.file }) } } },
  });
  await server.value("return (await MCP.shop.ping({})).content[0].text;");
  const children = log.pids();
  const before = performance.now();
  await server.close();
  expect(performance.now() - before).toBeLessThan(2_000);
  expect(await goneWithin([...children, server.pid], 500)).toEqual([]);
  expect(alive(process.pid)).toBe(true);
});

test("requests that were read before stdin ended are answered", async () => {
  const { runCli } = await import("../support/cli.js");
  const message = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  const input =
    message(1, "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "pipe", version: "1" },
    }) + message(2, "tools/call", { name: "exec", arguments: { code: "return 6 * 7;" } });
  const { code, stdout, stderr } = await runCli(["mcp", "serve"], {
    env: { OPENCLAW_STATE_DIR: tempDir() },
    input,
  });
  const answers = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(answers.map(({ id }) => id)).toEqual([1, 2]);
  expect(answers[1].result.structuredContent).toMatchObject({ status: "completed", value: 42 });
  expect([code, stderr]).toEqual([0, ""]);
});
