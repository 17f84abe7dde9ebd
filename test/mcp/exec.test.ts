import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import type { McpServerConfig } from "../../src/config/config.js";
import { binFile, runCli } from "../support/cli.js";
import { goneWithin, journal, testServer } from "../support/mcp.js";
import { tempDir } from "../support/temp.js";

function home(servers: Record<string, McpServerConfig>) {
  const dir = tempDir({ "openclaw.json": JSON.stringify({ mcp: { servers } }) });
  const env = { OPENCLAW_STATE_DIR: dir };
  return {
    dir,
    env,
    run: (args: string[], more = {}) => runCli(["exec", ...args], { env: { ...env, ...more } }),
  };
}

describe("openclaw exec with MCP servers", () => {
  it("mcp-05: stops waiting at the leg's limit, cancels, and ends the server", async () => {
    const log = journal();
    const { run } = home({ batch: testServer("batch", { JOURNAL: log.file }) });
    const started = Date.now();
    const { code, json } = await run([
      "-c",
      "return await MCP.batch.crunch({ ms: 60000 })",
      "--no-wait",
      "--limit",
      "timeoutMs=500",
      "--json",
    ]);
    expect(Date.now() - started).toBeLessThan(15_000);
    expect(code).toBe(3);
    expect(json()).toMatchObject({ status: "waiting", reason: "pending_tools" });
    expect(log.lines().filter((line) => line.startsWith("cancelled"))).toHaveLength(1);
    expect(await goneWithin(log.pids(), 500)).toEqual([]);
  });

  it("mcp-05: goes on over several legs to a result, and ends at the deadline", async () => {
    const log = journal();
    const { run } = home({ batch: testServer("batch", { JOURNAL: log.file }) });
    const done = await run([
      "-c",
      "return (await MCP.batch.crunch({ ms: 1500 })).content[0].text",
      "--limit",
      "timeoutMs=400",
    ]);
    expect(done).toMatchObject({ code: 0, stdout: "crunched\n", stderr: "" });
    const late = await run([
      "-c",
      "return await MCP.batch.crunch({ ms: 60000 })",
      "--deadline",
      "1500",
      "--json",
    ]);
    expect(late.code).toBe(1);
    expect(late.json()).toMatchObject({ status: "failed", code: "timeout" });
    expect(log.lines().filter((line) => line.startsWith("cancelled"))).toHaveLength(1);
    expect(await goneWithin(log.pids(), 500)).toEqual([]);
  });

  it("mcp-06: completes with one line for each server that is out, and leaves no child", async () => {
    const log = journal();
    const env = { JOURNAL: log.file };
    const { run } = home({
      ok: testServer("plain", env),
      dead: { command: "no-such-binary-xyz" },
      slow: testServer("slow", env),
      crash: testServer("crash", env),
      weird: testServer("weird", env),
    });
    const code = `return { files: (await API.list("mcp")).files.map((f) => f.path), ok: (await MCP.ok.ping({})).content[0].text, good: (await MCP.weird.good({})).content[0].text, dead: await MCP.dead.x().catch((e) => e.message) };`;
    const result = await run(["-c", code, "--json", "--limit", "mcpStartMs=2000"]);
    expect(result.code).toBe(0);
    expect(result.json()).toMatchObject({
      status: "completed",
      value: {
        files: ["mcp/index.d.ts", "mcp/ok.d.ts", "mcp/weird.d.ts"],
        ok: "pong",
        good: "pong",
        dead: 'server "dead" is unavailable: there is no command "no-such-binary-xyz" (ENOENT)',
      },
    });
    expect(result.stderr.trimEnd().split("\n")).toEqual([
      'warning: MCP server "dead" is left out: there is no command "no-such-binary-xyz" (ENOENT)',
      'warning: MCP server "slow" is left out: start-up timed out after 2 s (limit mcpStartMs)',
      'warning: MCP server "crash" is left out: it exited with code 1: token missing',
    ]);
    expect(await goneWithin(log.pids(), 500)).toEqual([]);
  });

  it("ends within two seconds of Ctrl-C, the call cancelled and the servers gone", async () => {
    const log = journal();
    const { env } = home({
      batch: testServer("batch", { JOURNAL: log.file }),
      stubborn: testServer("stubborn", { JOURNAL: log.file }),
    });
    const child = spawn(
      process.execPath,
      [binFile, "exec", "-c", "return await MCP.batch.crunch({ ms: 60000 })"],
      {
        env: { ...process.env, ...env },
        stdio: "ignore",
      },
    );
    await log.until(/^call crunch/);
    const at = Date.now();
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    expect(code).toBe(130);
    expect(Date.now() - at).toBeLessThan(2_500);
    expect(log.lines().some((line) => line.startsWith("cancelled"))).toBe(true);
    expect(await goneWithin(log.pids(), 1_500)).toEqual([]);
  });

  it("is silent about servers unless asked, and then hides what is secret", async () => {
    const secret = "canary-0123456789";
    const { run } = home({
      noisy: testServer("noise", { TOKEN: secret }),
      crash: testServer("crash", { TOKEN: secret }),
    });
    const code = ["-c", "return (await MCP.noisy.ping()).content[0].text"];
    const quiet = await run(code);
    expect(quiet).toMatchObject({ code: 0, stdout: "pong\n" });
    expect(quiet.stderr).toBe(
      'warning: MCP server "crash" is left out: it exited with code 1: token missing | ***\n',
    );
    const debug = await run(code, { OPENCLAW_DEBUG_CODE_MODE: "1" });
    expect(debug.stderr).toContain('server name=crash line="token missing"');
    expect(debug.stderr + debug.stdout).not.toContain(secret);
  });
});
