import { appendFileSync, cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { McpServerConfig } from "../../src/config/config.js";
import { connect, journal, testServer } from "../support/mcp.js";
import { tempDir } from "../support/temp.js";

const fixture = fileURLToPath(new URL("../fixtures/mcp/server.mjs", import.meta.url));

function setup(behaviour = "plain", more: Record<string, string> = {}) {
  const log = journal();
  const cacheDir = join(tempDir(), "mcp-cache");
  const server = testServer(behaviour, { JOURNAL: log.file, ...more });
  const run = async (servers: Record<string, McpServerConfig> = { a: server }) =>
    connect(servers, { cacheDir });
  const starts = () => log.lines().filter((line) => line.startsWith("start")).length;
  return { log, cacheDir, server, run, starts };
}

const names = ({ tools }: { tools: readonly { name: string }[] }) => tools.map(({ name }) => name);

describe("the list cache", () => {
  it("answers without starting a server, and starts it at the first call", async () => {
    const { run, starts, cacheDir } = setup();
    const cold = await run();
    await cold.close();
    expect(starts()).toBe(1);
    const warm = await run();
    expect(names(warm)).toEqual(names(cold));
    expect(starts()).toBe(1);
    expect(warm.servers[0]).toMatchObject({ status: "cached", server: { version: "1.0.0" } });
    const both = await Promise.all([warm.call("a__ping"), warm.call("a__pid")]);
    expect(both[0]).toMatchObject({ content: [{ text: "pong" }] });
    expect(starts()).toBe(2);
    const [file] = readdirSync(cacheDir);
    expect(statSync(join(cacheDir, file as string)).mode & 0o777).toBe(0o600);
  });

  it("with ten servers starts the one that is called", async () => {
    const { log, cacheDir } = setup();
    const servers = Object.fromEntries(
      Array.from({ length: 10 }, (_, n) => [
        `s${n}`,
        { ...testServer("plain", { JOURNAL: log.file }), args: [fixture, "plain", `--n=${n}`] },
      ]),
    );
    await (await connect(servers, { cacheDir })).close();
    expect(log.pids()).toHaveLength(10);
    const warm = await connect(servers, { cacheDir });
    await warm.call("s7__ping");
    await warm.close();
    expect(log.pids()).toHaveLength(11);
  });

  it("keeps no value of the environment and tells servers apart by command, arguments, folder and names", async () => {
    const { run, cacheDir, server, starts } = setup("plain", { TOKEN: "canary-0123456789" });
    await (await run()).close();
    const text = readdirSync(cacheDir).map((file) => readFileSync(join(cacheDir, file), "utf8"));
    expect(text.join()).not.toContain("canary");
    await (await run({ a: { ...server, env: { ...server.env, TOKEN: "another-0123456789" } } })).close();
    expect(starts()).toBe(1);
    await (await run({ a: { ...server, env: { ...server.env, MORE: "1" } } })).close();
    await (await run({ a: { ...server, args: [...(server.args ?? []), "x"] } })).close();
    await (await run({ a: { ...server, cwd: tempDir() } })).close();
    expect(starts()).toBe(4);
  });

  it("is replaced when a connection shows another version", async () => {
    const log = journal();
    const cacheDir = join(tempDir(), "c");
    const versioned = (version: string) => ({
      a: testServer("version", { JOURNAL: log.file, VERSION: version }),
    });
    await (await connect(versioned("1"), { cacheDir })).close();
    const old = await connect(versioned("2"), { cacheDir });
    expect(names(old)).toEqual(["a__ping", "a__tool_1"]);
    await old.call("a__ping");
    await log.until(/^list$/);
    await expect
      .poll(async () => {
        const next = await connect(versioned("2"), { cacheDir });
        return names(next);
      })
      .toEqual(["a__ping", "a__tool_2"]);
  });

  it("is refreshed when the server says that its list changed", async () => {
    const { cacheDir, server } = setup("changing");
    const changed: string[] = [];
    const cold = await connect({ a: server }, { cacheDir, onToolsChanged: (name) => changed.push(name) });
    expect(names(cold)).toEqual(["a__ping"]);
    await expect.poll(() => changed).toEqual(["a"]);
    await expect
      .poll(async () => names(await connect({ a: server }, { cacheDir })))
      .toEqual(["a__ping", "a__late"]);
  });

  it("is not trusted when a file of the command line changed", async () => {
    const { log, cacheDir } = setup();
    const file = join(tempDir(), "mine.mjs");
    cpSync(fixture, file);
    const server = { command: process.execPath, args: [file], env: { JOURNAL: log.file } };
    await (await connect({ a: server }, { cacheDir })).close();
    await (await connect({ a: server }, { cacheDir })).close();
    expect(log.pids()).toHaveLength(1);
    appendFileSync(file, "\n// changed\n");
    await (await connect({ a: server }, { cacheDir })).close();
    expect(log.pids()).toHaveLength(2);
  });

  it("ignores what it cannot read, and asks again", async () => {
    const { run, cacheDir, starts } = setup();
    await (await run()).close();
    for (const text of ["", "{", "null", '{"format":1}', '{"format":1,"savedAt":0,"listing":{}}']) {
      for (const file of readdirSync(cacheDir)) writeFileSync(join(cacheDir, file), text);
      const again = await run();
      expect(names(again)).toContain("a__ping");
      await again.close();
    }
    expect(starts()).toBe(6);
  });

  it("says at the call that a server from the cache is gone", async () => {
    const { log, cacheDir } = setup();
    const file = join(tempDir(), "mine.mjs");
    cpSync(fixture, file);
    const server = {
      command: process.execPath,
      args: ["--import", `file://${file}`, "-e", ""],
      env: { JOURNAL: log.file },
    };
    const first = await connect({ a: server }, { cacheDir });
    await first.close();
    writeFileSync(file, "process.stderr.write('licence expired\\n'); process.exit(9)");
    const warm = await connect({ a: server }, { cacheDir });
    await expect(warm.call("a__ping")).rejects.toThrow(
      'server "a" is unavailable: it exited with code 9: licence expired',
    );
  });
});
