import { cpSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { linkModules, pluginProject, toolSource } from "../../support/author-project.js";
import { projectRoot, runCli } from "../../support/cli.js";
import { tempDir, writeFiles } from "../../support/temp.js";

// Several installs in one test, each with a look at its dependencies.
vi.setConfig({ testTimeout: 120_000 });

const BOM = "\ufeff";

describe("public cases: building and validating", () => {
  it("build-01: tool names at the manifest root instead of contracts.tools", async () => {
    const plugin = pluginProject();
    const manifest = JSON.stringify({
      id: "weather",
      name: "weather",
      description: "Fixture plugin.",
      version: "0.1.0",
      configSchema: { type: "object", additionalProperties: false, properties: {} },
      activation: { onStartup: true },
      tools: ["weather_today"],
    });
    plugin.write({ "openclaw.plugin.json": manifest });
    const validated = await plugin.cli("validate", "--entry", "./dist/index.js");
    expect(validated.code).toBe(1);
    expect(validated.stderr).toMatch(/contracts.*weather_today/);
    expect(validated.stderr).toContain("openclaw plugins build --entry ./dist/index.js");
    expect((await plugin.cli("build", "--check")).code).toBe(1);
    expect(plugin.read("openclaw.plugin.json")).toBe(manifest);
    await plugin.build();
    expect(plugin.json("openclaw.plugin.json")).toMatchObject({
      contracts: { tools: ["weather_today"] },
      tools: ["weather_today"],
    });
    expect((await plugin.cli("validate")).code).toBe(0);
  });

  it("build-05: a byte order mark in package.json and openclaw.plugin.json", async () => {
    const plugin = pluginProject();
    await plugin.build();
    plugin.write({
      "package.json": BOM + plugin.read("package.json"),
      "openclaw.plugin.json": BOM + plugin.read("openclaw.plugin.json"),
    });
    expect((await plugin.cli("validate")).stdout).toBe("Plugin weather is valid.\n");
    const check = await plugin.cli("build", "--check");
    expect([check.code, check.stdout]).toEqual([0, "Plugin metadata is up to date.\n"]);
    const env = { OPENCLAW_STATE_DIR: tempDir() };
    const installed = await runCli(["plugins", "install", "."], { cwd: plugin.dir, env });
    expect(installed.code, installed.stderr).toBe(0);
    const inspected = await runCli(["plugins", "inspect", "weather", "--json"], { env });
    expect(inspected.json().plugin.toolNames).toEqual(["weather_today"]);
  });

  it("build-06: required settings that carry a default", async () => {
    const plugin = pluginProject({
      id: "pager",
      fields: `configSchema: Type.Object({ pageSize: Type.Integer({ default: 25, minimum: 1 }),
        mode: Type.Union([Type.Literal("fast"), Type.Literal("safe")], { default: "safe" }) }, { additionalProperties: false }),`,
      tools: `tool({ name: "pager_page", description: "Page size in force.", parameters: Type.Object({}),
        execute: (_p, config) => ({ size: config.pageSize, mode: config.mode }) }),`,
    });
    await plugin.build();
    const env = { OPENCLAW_STATE_DIR: tempDir() };
    const installed = await runCli(["plugins", "install", "."], { cwd: plugin.dir, env });
    expect(installed.code, installed.stderr).toBe(0);
    const run = await runCli(["exec", "--json", "-c", "return await pager_page({})"], { env });
    expect(run.json().value).toEqual({ size: 25, mode: "safe" });
    const configFile = join(env.OPENCLAW_STATE_DIR, "openclaw.json");
    const config = '{"plugins": {"entries": {"pager": {"config": {"pageSize": 0}}}}}';
    writeFiles(env.OPENCLAW_STATE_DIR, { "openclaw.json": config });
    const refused = await runCli(["exec", "--plugin", plugin.dir, "-c", "return await pager_page({})"], {
      env,
    });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/pageSize.*1/);
    expect(readFileSync(configFile, "utf8")).toBe(config);
  });

  it("build-07: two tools with one name, and names that differ only in case or punctuation", async () => {
    const plugin = pluginProject({
      tools: ["a_run", "a_run", "A_Run", "a-run"].map((n) => toolSource(n)).join(""),
    });
    const run = await plugin.cli("build");
    expect(run.code).toBe(1);
    expect(run.stderr).toContain("tool a_run: name is used twice");
    expect(() => plugin.read("openclaw.plugin.json")).toThrow();
    // The rule: names that differ only so are accepted, with a warning, and stay apart.
    plugin.write({ "dist/index.js": plugin.read("dist/index.js").replace(toolSource("a_run"), "") });
    const built = await plugin.build();
    expect(plugin.json("openclaw.plugin.json").contracts.tools).toEqual(["a_run", "A_Run", "a-run"]);
    expect(built.stderr).toContain("a_run and A_Run differ only in case or punctuation");
  });

  it("build-08: a CRLF checkout, another indent and another key order are not stale", async () => {
    const plugin = pluginProject();
    await plugin.build();
    const manifest = plugin.json("openclaw.plugin.json");
    const reordered = JSON.stringify(Object.fromEntries(Object.entries(manifest).reverse()), null, "\t");
    plugin.write({
      "openclaw.plugin.json": reordered.replaceAll("\n", "\r\n"),
      "package.json": plugin.read("package.json").replaceAll("\n", "\r\n"),
    });
    const state = () =>
      ["openclaw.plugin.json", "package.json"].map((name) => [
        plugin.read(name),
        statSync(join(plugin.dir, name)).mtimeMs,
        statSync(join(plugin.dir, name)).ino,
      ]);
    const before = state();
    const check = await plugin.cli("build", "--check");
    expect([check.code, check.stdout]).toEqual([0, "Plugin metadata is up to date.\n"]);
    await plugin.build();
    expect(state()).toEqual(before);
  });

  it("build-09: schemas made of types JSON cannot hold", async () => {
    const plugin = pluginProject({
      id: "ledger",
      tools: `tool({ name: "ledger_sum", description: "Sum.",
        parameters: Type.Object({ since: Type.Unsafe({ type: "Date" }), by: Type.Optional(Type.Function([], Type.String())) }),
        outputSchema: Type.Object({ total: Type.BigInt() }, { additionalProperties: false }),
        execute: () => ({ total: 1n }) }),`,
    });
    const run = await plugin.cli("build");
    expect(run.code).toBe(1);
    for (const place of ["parameters.since", "parameters.by", "outputSchema.total"]) {
      expect(run.stderr).toContain(`tool ledger_sum: ${place} is not JSON Schema`);
    }
    expect(run.stderr).toMatch(/string with format date-time/);
    expect(() => plugin.read("openclaw.plugin.json")).toThrow();
  });

  it("build-10: schemas of @sinclair/typebox carry symbols", async () => {
    const source = (extra: string) => `import { Type } from "@sinclair/typebox";
import { defineToolPlugin } from "openclaw/plugin-sdk/tool-plugin";
export default defineToolPlugin({ id: "legacy", name: "Legacy", description: "Old typebox.",
  configSchema: Type.Object({ key: Type.Optional(Type.String()) }),
  tools: (tool) => [tool({ name: "legacy_echo", description: "Echo.",
    parameters: Type.Object({ s: Type.String(), ${extra} }), execute: ({ s }) => s })] });`;
    const plugin = pluginProject({
      packageJson: { dependencies: { "@sinclair/typebox": "^0.34.0" } },
      files: { "dist/index.js": source("") },
    });
    linkModules(plugin.dir, "@sinclair/typebox");
    await plugin.build();
    expect(plugin.json("openclaw.plugin.json").configSchema).toEqual({
      type: "object",
      properties: { key: { type: "string" } },
    });
    expect((await plugin.cli("build", "--check")).code).toBe(0);
    const validated = await plugin.cli("validate");
    expect(validated.code, validated.stderr).toBe(0);
    expect(validated.stderr).not.toContain("typebox");
    plugin.write({ "dist/index.js": source("when: Type.Optional(Type.Date())") });
    const dated = await plugin.cli("build");
    expect(dated.code).toBe(1);
    expect(dated.stderr).toContain("parameters.when is not JSON Schema");
  });

  it("build-11: an entry compiled to CommonJS, and definitions that are not the default export", async () => {
    const body = `defineToolPlugin({ id: "cjs-one", name: "Cjs One", description: "d", tools: (tool) => [
      ${toolSource("cjs_ping")} ] })`;
    const plugin = pluginProject({
      packageJson: { openclaw: { extensions: ["./dist/index.cjs"] } },
      files: {
        "dist/index.cjs": `"use strict";
          Object.defineProperty(exports, "__esModule", { value: true });
          const { defineToolPlugin } = require("openclaw/plugin-sdk/tool-plugin");
          exports.default = ${body};`,
        "dist/named.js": `import { defineToolPlugin } from "openclaw/plugin-sdk/tool-plugin";
          export const plugin = ${body};`,
        "dist/inner.js": `import { defineToolPlugin } from "openclaw/plugin-sdk/tool-plugin";
          export default { plugin: ${body} };`,
      },
    });
    await plugin.build("--entry", "./dist/index.cjs");
    expect((await plugin.cli("validate")).stdout).toBe("Plugin cjs-one is valid.\n");
    const env = { OPENCLAW_STATE_DIR: tempDir() };
    const installed = await runCli(["plugins", "install", "."], { cwd: plugin.dir, env });
    expect(installed.code, installed.stderr).toBe(0);
    const inspected = await runCli(["plugins", "inspect", "cjs-one", "--runtime", "--json"], { env });
    expect(inspected.json().tools).toMatchObject([{ names: ["cjs_ping"] }]);
    for (const [file, name] of [
      ["named", "plugin"],
      ["inner", "default.plugin"],
    ]) {
      const run = await plugin.cli("build", "--entry", `./dist/${file}.js`);
      expect(run.code).toBe(1);
      expect(run.stderr).toContain("plugin entry does not expose defineToolPlugin metadata");
      expect(run.stderr).toContain(`export \`${name}\``);
    }
  });

  it("build-13: everything is keyed by the manifest id, not by the package name", async () => {
    const env = { OPENCLAW_STATE_DIR: tempDir() };
    for (const [scope, id] of [
      ["@acme-labs", "flowtool"],
      ["@other", "rivertool"],
    ]) {
      const plugin = pluginProject({ id: id ?? "", packageJson: { name: `${scope}/openclaw-plugin` } });
      await plugin.build();
      expect((await plugin.cli("validate")).code).toBe(0);
      const installed = await runCli(["plugins", "install", "."], { cwd: plugin.dir, env });
      expect(installed.code, installed.stderr).toBe(0);
      expect(installed.stderr).not.toMatch(/mismatch/);
    }
    const list = (await runCli(["plugins", "list", "--json"], { env })).json();
    expect(JSON.stringify(list)).toContain("flowtool");
    expect((await runCli(["plugins", "inspect", "flowtool", "--json"], { env })).code).toBe(0);
    expect((await runCli(["plugins", "inspect", "rivertool", "--json"], { env })).code).toBe(0);
    const unknown = await runCli(["plugins", "inspect", "openclaw-plugin"], { env });
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain("flowtool");
  });
});

describe("public cases: the command line", () => {
  it("cli-05 (plugins): exit codes and streams of failing commands", async () => {
    const plugin = pluginProject();
    const rows: [string[], number][] = [
      [["validate", "--entry", "./nope.js"], 1],
      [["build", "--entry", "./dist/index.js", "--check"], 1],
      [["init", "Bad_ID!"], 2],
      [["build", "--no-such-flag"], 2],
    ];
    for (const [args, code] of rows) {
      const plain = await plugin.cli(...args);
      expect([plain.code, plain.stdout], args.join(" ")).toEqual([code, ""]);
      expect(plain.stderr).not.toMatch(/^\s+at /m);
      expect(plain.stderr).not.toBe("");
      const json = await plugin.cli(...args, "--json");
      expect(json.code).toBe(code);
      expect(Object.keys(json.json()).some((key) => key === "ok" || key === "valid")).toBe(true);
    }
    expect((await plugin.cli("init", "Bad_ID!")).stderr).toContain("lower-case letter");
    expect(() => statSync(join(plugin.dir, "Bad_ID!"))).toThrow();
    plugin.write({ "openclaw.plugin.json": '{"id": "other", "configSchema": {}}' });
    const all = await plugin.cli("validate");
    expect(all.stderr.match(/^error:/gm)?.length).toBeGreaterThan(2);
  });

  it("cli-06: odd names and ids, folders that exist, and a scaffold that passes its own scripts", async () => {
    const dir = tempDir({ "other/notes.txt": "keep\n" });
    const cli = (...args: string[]) => runCli(["plugins", ...args], { cwd: dir });
    const name = 'Stock "Quotes" & \\ Co `${x}`';
    expect((await cli("init", "stock-quotes", "--name", name)).stdout).toBe("Created stock-quotes\n");
    const read = (path: string) => readFileSync(join(dir, "stock-quotes", path), "utf8");
    expect(JSON.parse(read("openclaw.plugin.json")).name).toBe(name);
    expect(read("src/index.ts")).toContain(`name: ${JSON.stringify(name)}`);
    expect(read("README.md")).toContain(`# ${name}\n`);
    const again = await cli("init", "stock-quotes");
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("Refusing to overwrite existing path");
    expect((await cli("init", "other", "--force")).code).toBe(0);
    expect(readFileSync(join(dir, "other/notes.txt"), "utf8")).toBe("keep\n");
    expect((await cli("init", "x", "--directory", "deep/a b/x")).stdout).toBe("Created deep/a b/x\n");
    for (const id of ["..", "@acme/tool", "1tool", "a/b", "Tool", "--", "größe"]) {
      const run = await cli("init", "--", id);
      expect(run.code, id).toBe(2);
      expect(run.stdout).toBe("");
    }
    expect((await cli("init", "constructor")).code).toBe(0);
    mkdirSync(join(dir, "stock-quotes/node_modules"));
    linkModules(join(dir, "stock-quotes"), "openclaw", "typebox");
    cpSync(join(dir, "stock-quotes/openclaw.plugin.json"), join(dir, "before.json"));
    writeFiles(join(dir, "stock-quotes"), {
      "dist/index.js": read("src/index.ts"),
    });
    const built = await runCli(["plugins", "build"], { cwd: join(dir, "stock-quotes") });
    expect([built.code, built.stdout]).toEqual([0, "Plugin metadata is up to date.\n"]);
    expect(read("openclaw.plugin.json")).toBe(readFileSync(join(dir, "before.json"), "utf8"));
    expect(projectRoot).not.toContain(dir);
  });
});
