import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test as serialTest } from "vitest";
import { type CliRun, runCli } from "../support/cli.js";
import { fileTempDirs } from "../support/file-temp.js";
import { npmPack } from "../support/npm-pack.js";
import { helloEntry, type PluginProject, writePlugin } from "../support/plugin-project.js";
import { writeFiles } from "../support/temp.js";
import { treeOf } from "../support/tree.js";

// Mostly waiting for child processes, so the tests overlap.
const test = serialTest.concurrent;
const tempDir = fileTempDirs();

interface Shop {
  root: string;
  stateDir: string;
  run(...args: string[]): Promise<CliRun>;
  /** Drops a plugin into the extensions folder, as if the real host had installed it. */
  drop(project: PluginProject): string;
  write(path: string, project: PluginProject): string;
}

function shop(name = "shop", env: Record<string, string> = {}): Shop {
  const root = join(tempDir(), name);
  mkdirSync(root);
  const stateDir = join(root, "state dir (x86)");
  return {
    root,
    stateDir,
    run: (...args) => runCli(args, { cwd: root, env: { OPENCLAW_STATE_DIR: stateDir, HOME: root, ...env } }),
    drop: (project) => writePlugin(join(stateDir, "extensions", project.id), project),
    write: (path, project) => writePlugin(join(root, path), project),
  };
}

describe("install and inspect, as authors do it", () => {
  test("folder, link and npm-pack, with unusual paths and an id unlike the package name", async () => {
    const s = shop('My Plug\'ins "天气" ünit #1');
    const dir = s.write("stock-quotes", {
      id: "stock-quotes",
      packageJson: { name: "@acme-labs/openclaw-plugin" },
    });
    const pack = npmPack(dir, s.root);
    const ways = [["./stock-quotes"], [`npm-pack:${pack}`], ["--link", "./stock-quotes"]];
    for (const way of ways) {
      const installed = await s.run("plugins", "install", ...way);
      expect(installed).toMatchObject({ code: 0, stderr: "" });
      expect(installed.stdout).toMatch(/^(Installed|Linked) plugin: stock-quotes 1\.0\.0/);
      const inspected = await s.run("plugins", "inspect", "stock-quotes", "--runtime", "--json");
      expect(inspected.code).toBe(0);
      expect(inspected.json()).toMatchObject({
        plugin: {
          id: "stock-quotes",
          status: "loaded",
          basis: "imported",
          imported: true,
          toolNames: ["stock_quotes_hello"],
        },
        tools: [
          { names: ["stock_quotes_hello"], declared: true, optional: false, input: "{ who?: string }" },
        ],
        diagnostics: [],
      });
    }
    expect((await s.run("plugins", "install", "./stock-quotes")).stdout).toContain(
      "(reinstalled the same version)",
    );
    const exec = await s.run("exec", "-c", "return (await stock_quotes_hello({ who: 'me' })).who");
    expect(exec).toMatchObject({ code: 0, stdout: "me\n" });
  });

  test("build-06 defaults reach a cell, a wrong setting is named, and the file stays as it was", async () => {
    const s = shop();
    const configSchema = {
      type: "object",
      required: ["pageSize", "mode"],
      properties: {
        pageSize: { type: "integer", default: 25, minimum: 1 },
        mode: { enum: ["fast", "safe"], default: "safe" },
      },
      additionalProperties: false,
    };
    const entry = helloEntry("pager").replace(
      "execute: ({ who }) =>",
      "execute: ({ who }, config) => config ??",
    );
    s.write("pager", { id: "pager", entry, manifest: { configSchema } });
    expect(await s.run("plugins", "install", "./pager")).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(join(s.stateDir, "openclaw.json"))).toBe(false);
    const good = await s.run("exec", "-c", "return await pager_hello({})");
    expect(JSON.parse(good.stdout)).toEqual({ pageSize: 25, mode: "safe" });
    const text = "{ plugins: { entries: { pager: { config: { pageSize: 0 } } } } }";
    writeFileSync(join(s.stateDir, "openclaw.json"), text);
    const bad = await s.run("exec", "-c", "return await pager_hello({})");
    expect(bad.code).toBe(1);
    expect(bad.stderr).toMatch(/pager.*pageSize.*\b1\b/);
    expect(readFileSync(join(s.stateDir, "openclaw.json"), "utf8")).toBe(text);
  });

  test("build-13 a package name is not an id, and the answer names the id", async () => {
    const s = shop();
    s.write("p", { id: "flowtool", packageJson: { name: "@acme-labs/openclaw-plugin" } });
    expect((await s.run("plugins", "install", "./p")).stderr).toBe("");
    const wrong = await s.run("plugins", "inspect", "openclaw-plugin");
    expect(wrong).toMatchObject({ code: 1, stdout: "" });
    expect(wrong.stderr).toMatch(/unknown plugin: openclaw-plugin\n.*flowtool/);
  });

  test("install-06 a plugin that cannot register is an error with a reason, in one document", async () => {
    const s = shop("halfway", { HALFWAY_KEY: "set" });
    const entry = helloEntry("halfway")
      .replace(
        "tools: (tool) => [",
        'tools: (tool) => { if (!process.env.HALFWAY_KEY) throw new Error("HALFWAY_KEY is not set"); return [',
      )
      .replace("})],\n});", "})]; } });");
    s.write("halfway", { id: "halfway", entry });
    expect(await s.run("plugins", "install", "./halfway")).toMatchObject({ code: 0 });
    const bare = (...args: string[]) =>
      runCli(args, { cwd: s.root, env: { OPENCLAW_STATE_DIR: s.stateDir, HOME: s.root } });
    const cold = await bare("plugins", "inspect", "halfway", "--json");
    expect(cold.code).toBe(0);
    expect(cold.json()).toMatchObject({
      plugin: { status: "enabled", basis: "manifest", imported: false, toolNames: ["halfway_hello"] },
      tools: [{ names: ["halfway_hello"], declared: true }],
    });
    const runtime = await bare("plugins", "inspect", "halfway", "--runtime", "--json");
    expect(runtime.code).toBe(1);
    const document = runtime.json();
    expect(document).toMatchObject({
      plugin: {
        status: "error",
        failurePhase: "import",
        toolNames: [],
        error: expect.stringContaining("HALFWAY_KEY is not set"),
      },
      tools: [{ names: ["halfway_hello"], declared: true, state: "missing" }],
    });
    expect(JSON.stringify(document.diagnostics)).toContain("not registered: halfway_hello");
    expect(await bare("plugins", "list")).toMatchObject({ code: 0 });
    expect(await bare("plugins", "doctor")).toMatchObject({ code: 1 });
  });

  test("install-03 exec leaves a plugin that does not import out, says why, and runs the others", async () => {
    const s = shop();
    s.drop({ id: "broken", entry: `import "typebox-not-here";\n${helloEntry("broken")}` });
    s.drop({ id: "fine" });
    const run = await s.run("exec", "-c", "return (await fine_hello({})).answer");
    expect(run).toMatchObject({ code: 0, stdout: "hello\n" });
    expect(run.stderr).toMatch(/broken.*typebox-not-here/);
    const inspect = await s.run("plugins", "inspect", "broken", "--runtime");
    expect(inspect.code).toBe(1);
    expect(inspect.stdout).toMatch(
      /Status: error[\s\S]*Cannot find package 'typebox-not-here'[\s\S]*dependencies/,
    );
  });
});

describe("list and cold inspect", () => {
  test("import nothing, show broken plugins as rows with a reason, and keep one document", async () => {
    const s = shop();
    const canary = join(s.root, "imported");
    const entry = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(canary)}, ""); export default {};`;
    s.drop({ id: "aa-canary", entry, manifest: { toolMetadata: { aa_canary_hello: { optional: true } } } });
    s.drop({
      id: "bb-no-entry",
      entryPath: "dist/other.js",
      packageJson: { openclaw: { extensions: ["./dist/index.js"] } },
    });
    writeFiles(join(s.stateDir, "extensions/cc-json"), {
      "openclaw.plugin.json": "{ id: ",
      "package.json": "{}",
    });
    writeFiles(join(s.stateDir, "extensions/dd-large"), {
      "openclaw.plugin.json": `{"id":"${"x".repeat(262144)}"}`,
      "package.json": "{}",
    });
    s.drop({ id: "ee-json5" });
    writeFileSync(
      join(s.stateDir, "extensions/ee-json5/openclaw.plugin.json"),
      "\ufeff{ id: 'ee-json5', configSchema: {}, /* c */ contracts: { tools: ['x',] } }",
    );
    writeFiles(join(s.stateDir, "extensions/ff-nothing"), { "notes.txt": "no plugin" });
    writeFiles(s.stateDir, {
      "openclaw.json":
        "{ plugins: { entries: { 'ee-json5': { enabled: false } }, load: { paths: ['./absent'] } } }",
    });
    const list = await s.run("plugins", "list", "--json");
    expect(list).toMatchObject({ code: 0, stderr: "" });
    const rows = list.json().plugins.map((row: any) => [row.id, row.status, row.origin, row.error ?? ""]);
    expect(rows).toEqual([
      ["aa-canary", "enabled", "untracked", ""],
      ["absent", "error", "config", expect.stringContaining("does not exist")],
      ["bb-no-entry", "error", "untracked", "plugin entry not found: ./dist/index.js"],
      ["cc-json", "error", "untracked", expect.stringContaining("does not parse")],
      ["dd-large", "error", "untracked", expect.stringContaining("262144")],
      ["ee-json5", "disabled", "untracked", ""],
    ]);
    const enabled = await s.run("plugins", "list", "--enabled", "--json");
    expect(enabled.json().plugins.map((row: any) => row.id)).toEqual(["aa-canary"]);
    const human = await s.run("plugins", "list");
    expect(human.code).toBe(0);
    expect(human.stdout).toMatch(/1\/6 enabled/);
    expect(human.stderr).toContain("cc-json:");
    const inspect = await s.run("plugins", "inspect", "aa-canary");
    expect(inspect.code).toBe(0);
    expect(inspect.stdout).toMatch(/Status: enabled \(by its manifest, nothing was imported\)/);
    expect(inspect.stdout).toMatch(/aa_canary_hello \(declared, optional\)/);
    expect(await s.run("plugins", "inspect", "cc-json", "--json")).toMatchObject({ code: 1 });
    expect(existsSync(canary)).toBe(false);
  });

  test("the first of two folders with one id wins and the other is named", async () => {
    const s = shop();
    s.drop({ id: "twice" });
    const other = s.write("mine", { id: "twice", manifest: { version: "9.0.0" } });
    writeFiles(s.stateDir, { "openclaw.json": JSON.stringify({ plugins: { load: { paths: [other] } } }) });
    const document = (await s.run("plugins", "list", "--json")).json();
    expect(document.plugins).toMatchObject([{ id: "twice", version: "9.0.0", origin: "config" }]);
    expect(document.diagnostics).toMatchObject([
      { pluginId: "twice", level: "warning", message: expect.stringContaining("also found at") },
    ]);
  });

  test("text of a plugin cannot take over the terminal", async () => {
    const s = shop();
    s.drop({ id: "evil", manifest: { name: "\u001b[31mred\u202e", description: "\u001b]0;title\u0007" } });
    for (const args of [["list"], ["inspect", "evil", "--runtime"]]) {
      const run = await s.run("plugins", ...args);
      expect(run.stdout).toContain("\\x1b[31mred\\u202e");
      expect(run.stdout + run.stderr).not.toMatch(/[\u001b\u202e\u0007]/);
    }
  });

  test("an empty state folder is said to be one and stays untouched", async () => {
    const s = shop();
    const list = await s.run("plugins", "list");
    expect(list).toMatchObject({ code: 0 });
    expect(list.stdout).toMatch(/No plugins/);
    expect((await s.run("plugins", "list", "--json")).json()).toEqual({ plugins: [], diagnostics: [] });
    expect(existsSync(s.stateDir)).toBe(false);
  });
});

test("inspect --runtime marks dropped, waiting and shadowed tools and counts everything else", async () => {
  const s = shop();
  const tool = (name: string): string =>
    `{ name: "${name}", description: "d", parameters: { type: "object" }, execute() {} }`;
  s.drop({
    id: "mixed",
    tools: ["good", "maybe", "absent", "made"],
    entry: `export default { id: "mixed", register(api) { console.log("noise");
      api.registerTool(${tool("good")}); api.registerTool(${tool("maybe")}, { optional: true });
      api.registerTool(${tool("extra")}); api.registerTool(() => { throw new Error("ran"); }, { name: "made" });
      api.registerProvider({}); api.registerNovelty({}); setInterval(() => {}, 1000); } };`,
  });
  const run = await s.run("plugins", "inspect", "mixed", "--runtime", "--json");
  expect(run).toMatchObject({ code: 0, stderr: "noise\n" });
  expect(run.json().tools.map((t: any) => [t.names[0], t.state, t.declared])).toEqual([
    ["good", "usable", true],
    ["maybe", "optional", true],
    ["extra", "undeclared", false],
    ["made", "unmade", true],
    ["absent", "missing", true],
  ]);
  expect(run.json().plugin.toolNames).toEqual(["good", "maybe", "made"]);
  expect(run.json().registrations).toEqual({ tool: 4, provider: 1, novelty: 1 });
  const human = await s.run("plugins", "inspect", "mixed", "--runtime");
  for (const text of [
    "extra (undeclared, dropped)",
    "maybe (optional, not allowed)",
    "absent (declared, not registered)",
    "novelty 1",
  ]) {
    expect(human.stdout).toContain(text);
  }
});

describe("enable and disable", () => {
  test("edit one value and keep comments and every other byte", async () => {
    const s = shop();
    s.drop({ id: "demo" });
    const text =
      "// mine\n{\n  plugins: {\n    entries: {\n      demo: { config: {} }, // keep\n    },\n  },\n}\n";
    writeFiles(s.stateDir, { "openclaw.json": text });
    const file = join(s.stateDir, "openclaw.json");
    expect(await s.run("plugins", "enable", "demo")).toMatchObject({
      code: 0,
      stdout: "demo is already enabled\n",
    });
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(await s.run("plugins", "disable", "demo")).toMatchObject({
      code: 0,
      stdout: "Disabled plugin: demo\n",
    });
    const disabled = readFileSync(file, "utf8");
    expect(disabled).toContain("// mine");
    expect(disabled).toContain("// keep");
    expect(disabled).toMatch(/enabled['"]?: false/);
    expect((await s.run("plugins", "list", "--json")).json().plugins).toMatchObject([
      { status: "disabled", enabled: false },
    ]);
    expect((await s.run("plugins", "enable", "demo", "--json")).json()).toEqual({
      ok: true,
      id: "demo",
      enabled: true,
      changed: true,
      blocked: [],
    });
    expect(readFileSync(file, "utf8")).toBe(disabled.replace("false", "true"));
  });

  test("an unknown id is refused with the nearest one, and a deny list is pointed out", async () => {
    const s = shop();
    s.drop({ id: "weather" });
    const wrong = await s.run("plugins", "disable", "wether", "--json");
    expect(wrong.code).toBe(1);
    expect(wrong.json()).toMatchObject({
      ok: false,
      error: { code: "plugin_not_found", hint: expect.stringContaining("weather") },
    });
    writeFiles(s.stateDir, { "openclaw.json": JSON.stringify({ plugins: { deny: ["weather"] } }) });
    expect((await s.run("plugins", "enable", "weather")).stderr).toMatch(/still does not run.*plugins\.deny/);
  });

  test("a plugin that was disabled stays so when it is installed again, and the install says it", async () => {
    const s = shop();
    s.write("p", { id: "demo" });
    await s.run("plugins", "install", "./p");
    await s.run("plugins", "disable", "demo");
    await s.run("plugins", "uninstall", "demo");
    const again = await s.run("plugins", "install", "./p");
    expect(again.stderr).toMatch(/demo is disabled.*plugins enable demo/);
  });
});

test("uninstall says what it would do, does it, and keeps settings and linked folders", async () => {
  const s = shop();
  const dir = s.write("p", { id: "demo" });
  await s.run("plugins", "install", "./p");
  writeFiles(s.stateDir, {
    "openclaw.json": JSON.stringify({ plugins: { entries: { demo: { config: {} } } } }),
  });
  const before = treeOf(s.root);
  const dry = await s.run("plugins", "uninstall", "demo", "--dry-run");
  expect(dry).toMatchObject({ code: 0 });
  expect(dry.stdout).toMatch(/Would remove: install record, folder .*extensions\/demo.*nothing was changed/);
  expect(dry.stdout).toMatch(/Kept: its settings, plugins\.entries\.demo/);
  expect(treeOf(s.root)).toEqual(before);
  expect((await s.run("plugins", "uninstall", "demo", "--json")).json()).toMatchObject({
    ok: true,
    id: "demo",
    dryRun: false,
  });
  expect((await s.run("plugins", "list", "--json")).json().plugins).toEqual([]);
  const gone = await s.run("plugins", "uninstall", "demo");
  expect(gone).toMatchObject({ code: 1, stdout: "" });
  expect(gone.stderr).toContain("unknown plugin: demo");
  await s.run("plugins", "install", "-l", "./p");
  expect((await s.run("plugins", "uninstall", "demo")).stdout).toContain(`Kept: the linked folder ${dir}`);
  expect(existsSync(join(dir, "dist/index.js"))).toBe(true);
});

describe("failures of install", () => {
  test("are one line with a way out, on stderr or in one document, and leave no trace", async () => {
    const s = shop();
    writePlugin(join(s.root, "unbuilt"), {
      id: "unbuilt",
      entryPath: "src/index.ts",
      packageJson: { openclaw: { extensions: ["./dist/index.js"] } },
    });
    const human = await s.run("plugins", "install", "./unbuilt");
    expect(human).toMatchObject({ code: 1, stdout: "" });
    expect(human.stderr).toMatch(
      /^error: plugin entry not found: \.\/dist\/index\.js\n {2}Build the plugin first.*\n$/,
    );
    const json = await s.run("plugins", "install", "./unbuilt", "--json");
    expect(json.code).toBe(1);
    expect(json.json()).toMatchObject({ ok: false, error: { code: "entry_not_found" } });
    for (const [spec, code] of [
      ["clawhub:x", 2],
      ["git:x", 2],
      ["./absent", 1],
      ["npm:some-package", 1],
    ] as const) {
      const run = await s.run("plugins", "install", spec);
      expect([spec, run.code, run.stdout]).toEqual([spec, code, ""]);
      expect(run.stderr.trim().split("\n").length).toBeLessThanOrEqual(2);
    }
    expect(await s.run("plugins", "install")).toMatchObject({ code: 2 });
    expect((await s.run("plugins", "list", "--json")).json().plugins).toEqual([]);
  });

  test("an unreachable registry is named as such", async () => {
    const s = shop("offline", { npm_config_registry: "http://127.0.0.1:9/", npm_config_fetch_retries: "0" });
    const run = await s.run("plugins", "install", "npm:some-package", "--force", "--json");
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({ ok: false, error: { code: "registry_unreachable" } });
  });
});

test("doctor states every check, and --fix sets a broken records file aside", async () => {
  const s = shop();
  s.write("p", { id: "demo" });
  await s.run("plugins", "install", "./p");
  const fine = await s.run("plugins", "doctor");
  expect(fine).toMatchObject({ code: 0, stderr: "" });
  for (const check of [
    "configuration",
    "npm",
    "install records",
    "unfinished changes",
    "host links",
    "tool names",
    "plugin demo",
  ]) {
    expect(fine.stdout).toMatch(new RegExp(`^ok {2}${check}: `, "m"));
  }
  writeFileSync(join(s.stateDir, "toolchain/installs.json"), "{");
  s.drop({
    id: "clash",
    tools: ["demo_hello"],
    entry: helloEntry("clash").replace("clash_hello", "demo_hello"),
  });
  s.drop({ id: "throws", entry: "throw new Error('kaboom');" });
  const bad = await s.run("plugins", "doctor", "--json");
  expect(bad.code).toBe(1);
  expect(bad.json()).toMatchObject({ ok: false, pluginErrors: [{ id: "throws", failurePhase: "import" }] });
  const statusOf = (run: CliRun, name: string) =>
    run.json().checks.find((check: any) => check.name === name)?.status;
  expect(statusOf(bad, "install records")).toBe("error");
  expect(statusOf(bad, "tool names")).toBe("warning");
  const fixed = await s.run("plugins", "doctor", "--fix", "--json");
  expect(statusOf(fixed, "install records")).toBe("fixed");
  expect((await s.run("plugins", "list", "--json")).json().diagnostics).toEqual([]);
});
