import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/cli.js";
import { full } from "../support/full.js";
import { testServer } from "../support/mcp.js";
import { serveStdio, writeConfig } from "../support/serve.js";
import { writeDesk } from "../support/serve-plugin.js";
import { tempDir } from "../support/temp.js";

// Every way a cell could see or reach the denied tools: a plugin's and a server's.
const CELL = `
const refused = (call) => Promise.resolve().then(call).then(() => "ran", (error) => error.code ?? error.name);
const hits = await catalog.search("drawer secret pid", { limit: 50 });
const { files } = await API.list();
const contents = await Promise.all(files.map(({ path }) => API.read(path).then(({ content }) => content)));
const names = ["desk_secret", "openclaw:desk:desk_secret", "mcp:shop:pid", "shop__pid", "mcp:shop:shop__pid", "pid"];
const attempts = {};
for (const name of names) {
  attempts[name] = [
    await refused(() => tools.call(name, {})),
    await refused(() => tools.callValue(name, {})),
    await refused(() => tools.describe(name)),
    await refused(() => tools[name]({})),
    await refused(() => globalThis[name]({})),
  ];
}
return {
  globals: Object.getOwnPropertyNames(globalThis).filter((name) => /secret|pid/i.test(name)),
  all: catalog.all().map(({ toolName }) => toolName),
  ALL_TOOLS: ALL_TOOLS.map(({ name }) => name),
  older: (await tools.search("drawer secret pid", { limit: 50 })).map(({ name }) => name),
  hits: hits.map(({ toolName }) => toolName),
  inFiles: [...files.map(({ path }) => path), ...contents].filter((text) => /desk_secret|drawer|\\bpid\\b/.test(text)),
  members: Object.keys(MCP.shop),
  api: JSON.stringify(await MCP.shop.$api()).includes("pid"),
  mcp: await refused(() => MCP.shop.pid({})),
  attempts,
};`;

function expectAbsent(value: any): void {
  expect(value.globals).toEqual([]);
  for (const list of [value.all, value.ALL_TOOLS, value.older, value.hits]) {
    expect(list).not.toContain("desk_secret");
    expect(list).not.toContain("shop__pid");
    expect(list).not.toContain("pid");
  }
  expect(value.all).toContain("desk_add");
  expect(value.inFiles).toEqual([]);
  expect(value.members).not.toContain("pid");
  expect(value.api).toBe(false);
  expect(value.mcp).not.toBe("ran");
  for (const [name, outcomes] of Object.entries(value.attempts)) {
    expect(outcomes, name).not.toContain("ran");
    expect((outcomes as string[]).slice(0, 3), name).toEqual(Array(3).fill("invalid_input"));
  }
}

describe("a denied tool", () => {
  const journalLines = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
  const setUp = (policy: object) => {
    const dir = tempDir();
    writeDesk(join(dir, "desk"));
    const log = join(dir, "journal");
    const config = { tools: policy, mcp: { servers: { shop: testServer("plain", { JOURNAL: log }) } } };
    writeConfig(dir, config);
    writeFileSync(join(dir, "cell.js"), CELL);
    return { dir, log, config };
  };
  const policies = [
    ["tools.deny", { deny: ["desk_secret", "shop__pid"] }],
    ["tools.allow without it", { allow: ["desk_add", "desk_note", "shop__ping"] }],
  ] as const;

  test.each(full ? policies : policies.slice(0, 1))(
    "is absent and out of reach through exec and the catalog: %s",
    async (_, policy) => {
      const { dir, log } = setUp(policy);
      const env = { OPENCLAW_STATE_DIR: dir, DESK_JOURNAL: log };
      const { json } = await runCli(["exec", "cell.js", "--json", "--plugin", "./desk"], { cwd: dir, env });
      const result = json();
      expect(result.status, JSON.stringify(result)).toBe("completed");
      expectAbsent(result.value);
      const index = await runCli(["catalog", "--index", "--plugin", "./desk"], { cwd: dir, env });
      expect(index.stdout).toContain("desk_add");
      expect(index.stdout).not.toContain("desk_secret");
      expect(journalLines(log)).not.toMatch(/secret|call pid/);
    },
  );

  test("is absent and out of reach through serve, also as a tool of its own", async () => {
    const { dir, log } = setUp(policies[0][1]);
    const serving = await serveStdio({
      cwd: dir,
      stateDir: dir,
      env: { DESK_JOURNAL: log },
      args: ["--plugin", "./desk"],
    });
    try {
      expectAbsent(await serving.value(CELL));
      const tools = JSON.stringify(await serving.tools());
      expect(tools).toContain("desk_add");
      expect(tools).not.toMatch(/desk_secret|drawer|shop__pid/);
      for (const name of ["desk_secret", "shop__pid", "openclaw:desk:desk_secret"]) {
        await expect(serving.call(name, {})).rejects.toThrow(/unknown tool/);
      }
      expect(journalLines(log)).not.toMatch(/secret|call pid/);
    } finally {
      await serving.close();
    }
  });
});
