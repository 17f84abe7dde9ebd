import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { npmCommand } from "../../../src/plugin/install/npm.js";
import { runCli } from "../../support/cli.js";
import { describeFull } from "../../support/full.js";

interface Published {
  spec: string;
  id: string;
  /** Every name `register` registers, as far as it is fixed; or how many. */
  registered: string[] | number;
  /** Whether the manifest declares them; undeclared ones are dropped. */
  declared: boolean;
  /** Why nothing is registered without a setting, or the install does not work, on some or all Nodes. */
  reason?: RegExp;
  installFails?: RegExp;
}

const numbered = (prefix: string, ...names: string[]): string[] => names.map((name) => prefix + name);

/** Real plugins at exact versions; what they register was read from their code. */
const PLUGINS: Published[] = [
  {
    spec: "@aiassesstech/grillo@0.1.43",
    id: "grillo",
    registered: 0,
    declared: true,
    installFails: /registry has no @aiassesstech\/fleet-alerting/,
  },
  { spec: "@askjo/camofox-browser@1.17.0", id: "camofox-browser", registered: 11, declared: true },
  { spec: "@calltelemetry/openclaw-linear@0.9.29", id: "openclaw-linear", registered: 15, declared: true },
  {
    spec: "context-mode@1.0.169",
    id: "context-mode",
    registered: 11,
    declared: true,
    reason: /bindings file|sqlite/,
  },
  { spec: "@gekkocompany/orchestra@0.3.22", id: "orchestra", registered: 0, declared: true },
  { spec: "@happycastle/oh-my-openclaw@0.21.3", id: "oh-my-openclaw", registered: 8, declared: false },
  { spec: "@jiggai/recipes@0.5.2", id: "recipes", registered: 0, declared: true },
  { spec: "@laurentenhoor/devclaw@1.6.10", id: "devclaw", registered: 23, declared: false },
  {
    spec: "@mem0/openclaw-mem0@1.0.16",
    id: "openclaw-mem0",
    registered: 0,
    declared: true,
    reason: /API key not configured/,
  },
  { spec: "nemo-relay-openclaw@0.9.2", id: "nemo-relay", registered: 0, declared: true },
  {
    spec: "@ollama/openclaw-web-search@0.2.2",
    id: "openclaw-web-search",
    registered: numbered("ollama_", "web_search", "web_fetch"),
    declared: false,
  },
  {
    spec: "@openclaw/feishu@2026.9.5",
    id: "feishu",
    registered: 14,
    declared: true,
    reason: /not registered|factory/,
  },
  {
    spec: "@projectavatar/openclaw-avatar@2.2.0",
    id: "openclaw-avatar",
    registered: numbered("avatar_", "signal", "commands"),
    declared: false,
  },
  {
    spec: "@robertogongora/graphiti@0.6.2",
    id: "graphiti",
    registered: numbered("graphiti_", "search", "ingest"),
    declared: false,
  },
  {
    spec: "@wecom/wecom-openclaw-plugin@2026.7.2",
    id: "wecom-openclaw-plugin",
    registered: ["wecom_mcp"],
    declared: true,
  },
];

describeFull("plugins published on npm", "it downloads them", () => {
  const root = mkdtempSync(join(tmpdir(), "openclaw-registry-"));
  const env = { OPENCLAW_STATE_DIR: join(root, "state"), HOME: root };
  let unreachable: string | undefined;
  beforeAll(() => {
    const npm = npmCommand();
    const ping = spawnSync(npm.file, [...npm.args, "ping", "--fetch-retries=0"], {
      encoding: "utf8",
      timeout: 20_000,
    });
    if (ping.status !== 0)
      unreachable = `the npm registry does not answer: ${ping.stderr.trim().split("\n").at(-1)}`;
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  for (const plugin of PLUGINS) {
    test(plugin.spec, { timeout: 600_000 }, async (context) => {
      if (unreachable !== undefined) {
        console.log(`skipped: ${unreachable}`);
        return context.skip(unreachable);
      }
      const installed = await runCli(["plugins", "install", `npm:${plugin.spec}`, "--force", "--json"], {
        cwd: root,
        env,
        timeoutMs: 500_000,
      });
      expect(readdirSync(join(env.OPENCLAW_STATE_DIR, "toolchain/stage"))).toEqual([]);
      const folder = join(env.OPENCLAW_STATE_DIR, "extensions", plugin.id);
      if (plugin.installFails !== undefined) {
        expect(installed.code).toBe(1);
        expect(installed.json().error.message).toMatch(plugin.installFails);
        expect(existsSync(folder)).toBe(false);
        return;
      }
      expect(installed.json()).toMatchObject({ ok: true, id: plugin.id, source: "npm" });
      const run = await runCli(["plugins", "inspect", plugin.id, "--runtime", "--json"], { cwd: root, env });
      const document = run.json();
      expect(document).toMatchObject({
        plugin: { id: plugin.id },
        install: { integrity: expect.stringMatching(/^sha512-/) },
      });
      const registered = document.tools.filter((tool: any) => tool.state !== "missing");
      const reasons = JSON.stringify([document.plugin.error ?? "", document.diagnostics]);
      console.log(
        `${plugin.spec}: ${document.plugin.status}, ${registered.length} registered, ${document.plugin.toolNames.length} usable`,
      );
      if (document.plugin.status === "error" || (registered.length === 0 && plugin.reason !== undefined)) {
        expect(plugin.reason).toBeDefined();
        expect(reasons).toMatch(plugin.reason!);
        return;
      }
      const names: string[] = registered.map((tool: any) => tool.names[0]);
      if (typeof plugin.registered === "number") expect(names).toHaveLength(plugin.registered);
      else expect(names).toEqual(plugin.registered);
      for (const tool of registered) {
        expect(tool.declared).toBe(plugin.declared);
        expect(tool.state === "undeclared").toBe(!plugin.declared);
      }
      if (!plugin.declared) expect(reasons).toContain(`dropped: ${names.join(", ")}`);
    });
  }
});
