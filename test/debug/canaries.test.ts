import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/cli.js";
import { full } from "../support/full.js";
import { testServer } from "../support/mcp.js";
import { writePlugin } from "../support/plugin-project.js";
import { serveHttpForTest, writeConfig } from "../support/serve.js";
import { tempDir } from "../support/temp.js";

/** One secret for each place a secret can be in. */
const CANARIES = {
  environmentKey: "canary-environment-key-01",
  environmentUrl: "canary-environment-url-02",
  placeholder: "canary-placeholder-03",
  serverEnvironment: 'canary-server-"quoted"-04',
  serverHeader: "canary-server-header-05",
  serverArgument: "canary-server-argument-06",
  serverUrl: "canary-server-url-07",
  mcpFile: "canary-mcp-file-08",
  pluginConfig: "canary-plugin-config-09",
  serveToken: "canary-serve-token-10",
} as const;

/** Hands out whatever it is asked for: tools that leak are what debugging output meets in practice. */
const LEAKY = `export default { id: "leaky", name: "Leaky", register(api) {
  const secrets = () => ({ config: api.pluginConfig, key: process.env.VENDOR_API_KEY, url: process.env.DATABASE_URL,
    plain: process.env.PLAIN_NAME, all: Object.values(api.config?.mcp?.servers ?? {}) });
  const tool = (name, execute) => api.registerTool({ name, description: "Leaks.", parameters: { type: "object" }, execute });
  tool("leaky_tell", async (id, input, signal, onUpdate) => { onUpdate?.({ content: [], details: secrets() }); return { content: [], details: secrets() }; });
  tool("leaky_throw", async () => { throw new Error("refused: " + JSON.stringify(secrets())); });
} };
`;
const BROKEN = `export default { id: "broken", register(api) {
  throw new Error("cannot start with " + JSON.stringify([api.pluginConfig, process.env.VENDOR_API_KEY, process.env.DATABASE_URL]));
} };
`;
const CELL = `
text("told");
const told = await leaky_tell({});
const env = await MCP.shop.env({}).catch((error) => error.message);
const file = await MCP.extra.env({}).catch((error) => error.message);
await leaky_throw({}).catch((error) => text(error.message));
json({ told, env, file });
throw new Error("failed with " + JSON.stringify({ told, env, file }));`;

const ALL = {
  OPENCLAW_DEBUG: "1",
  OPENCLAW_DEBUG_CODE_MODE: "1",
  OPENCLAW_DEBUG_MODEL_TRANSPORT: "1",
  OPENCLAW_PLUGIN_LIFECYCLE_TRACE: "1",
  OPENCLAW_PLUGIN_LOAD_DEBUG: "1",
};

function plant(): { dir: string; env: Record<string, string>; args: string[] } {
  const dir = tempDir();
  const schema = { type: "object", properties: { handle: { type: "string" } } };
  writePlugin(join(dir, "leaky"), {
    id: "leaky",
    entry: LEAKY,
    tools: ["leaky_tell", "leaky_throw"],
    manifest: { configSchema: schema },
  });
  writePlugin(join(dir, "broken"), {
    id: "broken",
    entry: BROKEN,
    tools: [],
    manifest: { configSchema: schema },
  });
  const server = testServer("plain", { FREE_NAME: CANARIES.serverEnvironment });
  writeConfig(dir, {
    mcp: {
      servers: {
        shop: { ...server, args: [...(server.args ?? []), "--api-key", CANARIES.serverArgument] },
        far: {
          url: `http://user:${CANARIES.serverUrl}@127.0.0.1:9/mcp?token=${CANARIES.serverUrl}`,
          headers: { "X-Any": CANARIES.serverHeader, "X-Other": "${PLAIN_NAME}" },
        },
      },
    },
    plugins: {
      entries: {
        leaky: { config: { handle: CANARIES.pluginConfig } },
        broken: { config: { handle: CANARIES.pluginConfig } },
      },
    },
  });
  const extra = testServer("plain", { OWN: CANARIES.mcpFile });
  writeFileSync(join(dir, "mcp.json"), JSON.stringify({ mcpServers: { extra } }));
  return {
    dir,
    env: {
      OPENCLAW_STATE_DIR: dir,
      VENDOR_API_KEY: CANARIES.environmentKey,
      DATABASE_URL: `postgres://app:${CANARIES.environmentUrl}@db/main`,
      PLAIN_NAME: CANARIES.placeholder,
      OPENCLAW_SERVE_TOKEN: CANARIES.serveToken,
    },
    args: ["--plugin", "./leaky", "--plugin", "./broken", "--mcp", "./mcp.json"],
  };
}

/** Everything on stderr, warnings too: what plugins and servers say of their failures quotes what they were given. */
function expectClean(stderr: string, where: string): void {
  const debugging = stderr.split("\n").filter((line) => /^\[(code-mode|model-|sse|plugin-)/.test(line));
  expect(debugging.length, `${where}: nothing was written`).toBeGreaterThan(5);
  for (const [place, secret] of Object.entries(CANARIES)) {
    // However deep in JSON within JSON, and in addresses; no half of one either.
    const plain = stderr.replace(/\\+/g, "");
    for (const form of [secret, encodeURIComponent(secret), secret.slice(0, -4)]) {
      const at = plain.indexOf(form);
      expect(at < 0 ? "" : plain.slice(Math.max(0, at - 100), at + 60), `${where}: ${place}`).toBe("");
    }
  }
  expect(debugging.join("\n")).toContain("***");
}

test.each(full ? ["summary", "tools", "full-redacted"] : ["full-redacted"])(
  "no canary in what exec writes: payload %s",
  async (payload) => {
    const { dir, env, args } = plant();
    const trajectory = ["--trajectory", "t.jsonl"];
    const { stderr, stdout } = await runCli(["exec", "--json", ...args, ...trajectory, "-c", CELL], {
      cwd: dir,
      env: { ...env, ...ALL, OPENCLAW_DEBUG_MODEL_PAYLOAD: payload },
    });
    // The canaries were really there to be found.
    expect(stdout).toContain(CANARIES.environmentKey);
    expectClean(stderr, "exec");
    const lines = readFileSync(join(dir, "t.jsonl"), "utf8");
    expect(lines).toContain("leaky_tell");
    for (const secret of Object.values(CANARIES)) expect(lines.replace(/\\+/g, "")).not.toContain(secret);
  },
);

test.each(full ? ["events", "peek"] : ["peek"])(
  "no canary in what serve over HTTP writes: sse %s",
  async (sse) => {
    const { dir, env, args } = plant();
    const server = await serveHttpForTest({
      cwd: dir,
      stateDir: dir,
      args,
      env: { ...env, ...ALL, OPENCLAW_DEBUG_MODEL_PAYLOAD: "full-redacted", OPENCLAW_DEBUG_SSE: sse },
    });
    const model = await server.connect();
    await model.tools();
    expect(JSON.stringify(await model.exec(CELL, { onprogress: () => {} }))).toContain(
      CANARIES.environmentKey,
    );
    await server.stop();
    const stderr = server.stderr();
    expectClean(stderr, "serve");
    expect(stderr).toMatch(/^\[model-transport\] request .*rpc=tools\/call/m);
    expect(stderr).toMatch(/^\[model-transport\] response .*status=200/m);
    expect(stderr).toMatch(/^\[sse\] event .*n=1/m);
    if (sse === "peek") {
      expect(stderr).toMatch(/^\[sse\] event .*data=/m);
      const most = Math.max(
        ...[...stderr.matchAll(/^\[sse\] event .*\bn=(\d+)/gm)].map(([, n]) => Number(n)),
      );
      expect(most).toBeLessThanOrEqual(5);
    } else expect(stderr).not.toMatch(/^\[sse\].* data=/m);
  },
);
