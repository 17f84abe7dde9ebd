import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../support/cli.js";
import { goneWithin, journal, testServer } from "../support/mcp.js";
import { tempDir } from "../support/temp.js";

function home(servers: object, config?: string) {
  const dir = tempDir({
    "openclaw.json": config ?? JSON.stringify({ mcp: { servers } }),
    "mcp.json": JSON.stringify({ mcpServers: servers }),
  });
  return {
    dir,
    run: (args: string[], env: Record<string, string> = {}) =>
      runCli(args, { cwd: dir, env: { OPENCLAW_STATE_DIR: dir, ...env } }),
  };
}

describe("openclaw mcp", () => {
  it("list shows every server with its state, and ends them", async () => {
    const log = journal();
    const { run, dir } = home({
      good: testServer("plain", { JOURNAL: log.file, TOKEN: "canary-0123456789" }),
      dead: { command: "no-such-binary-xyz" },
      off: { ...testServer("plain"), enabled: false },
    });
    const { code, stdout, stderr } = await run(["mcp", "list"]);
    expect(code).toBe(0);
    const rows = stdout.split("\n").map((line) => line.split(/ {2,}/).slice(0, 5));
    expect(rows.slice(0, 4)).toEqual([
      ["Server", "Status", "Tools", "Offers", "Reports"],
      ["good", "ready", "3", "-", "test-plain 1.0.0"],
      ["dead", "unavailable", "-", "-", "-"],
      ["off", "disabled", "-", "-", "-"],
    ]);
    expect(stderr).toBe(
      'warning: MCP server "dead" is left out: there is no command "no-such-binary-xyz" (ENOENT)\n',
    );
    expect(stdout + stderr).not.toContain("canary");
    expect(await goneWithin(log.pids(), 500)).toEqual([]);
    expect(readdirSync(join(dir, "toolchain", "mcp-cache"))).toHaveLength(1);
    const json = (await run(["mcp", "list", "--json"])).json();
    expect(json.servers.map((server: any) => [server.serverName, server.status])).toEqual([
      ["good", "ready"],
      ["dead", "unavailable"],
      ["off", "disabled"],
    ]);
    expect(json.diagnostics).toHaveLength(1);
  });

  it("inspect shows tools, declarations and what policy leaves out", async () => {
    const { run } = home(
      {},
      JSON.stringify({ tools: { deny: ["a__pid"] }, mcp: { servers: { a: testServer("plain") } } }),
    );
    const human = await run(["mcp", "inspect", "a"]);
    expect(human.code).toBe(0);
    expect(human.stdout).toContain("a: test-plain 1.0.0, 3 tools");
    expect(human.stdout).toContain("declare namespace MCP.a {");
    expect(human.stderr).toContain("runs leave out pid: tools.deny lists `a__pid`");
    const json = (await run(["mcp", "inspect", "a", "--json"])).json();
    expect(json.tools[1]).toMatchObject({
      callableName: "MCP.a.pid",
      toolName: "pid",
      registeredName: "a__pid",
    });
    expect(json.leftOut).toEqual([{ toolName: "pid", reason: "tools.deny lists `a__pid`" }]);
  });

  it("inspect fails for a server that does not start or is not there", async () => {
    const { run } = home({ broken: testServer("exits") });
    const bad = await run(["mcp", "inspect", "broken", "--json"]);
    expect(bad.code).toBe(1);
    expect(bad.json().error).toMatchObject({
      code: "server_unavailable",
      message: 'MCP server "broken" is unavailable: it exited with code 3: bad flag: --x',
    });
    const none = await run(["mcp", "inspect", "brokn"]);
    expect(none).toMatchObject({ code: 1, stdout: "" });
    expect(none.stderr).toContain("Did you mean `broken`?");
  });

  it("shows what servers print with OPENCLAW_DEBUG_CODE_MODE=1, and only then", async () => {
    const { run } = home({ a: testServer("noise") });
    expect((await run(["mcp", "list"])).stderr).toBe("");
    const debug = await run(["mcp", "list"], { OPENCLAW_DEBUG_CODE_MODE: "1" });
    expect(debug.stderr).toContain("[mcp a] Server listening...");
  });

  it("reads other clients' files and says where one is wrong", async () => {
    const { run, dir } = home({ a: testServer("plain") }, "{}");
    expect((await run(["mcp", "list", "--mcp", "mcp.json", "--json"])).json().servers).toHaveLength(1);
    expect((await run(["mcp", "list"])).stdout).toContain("No MCP server is configured");
    const missing = await run(["mcp", "list", "--mcp", "none.json"]);
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.stderr).toContain(`there is no MCP server file ${join(dir, "none.json")}`);
    expect(existsSync(join(dir, "toolchain"))).toBe(true);
  });
});
