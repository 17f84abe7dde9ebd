import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test as serialTest } from "vitest";
import type { OpenClawConfig } from "../../../src/config/config.js";
import { installPlugin } from "../../../src/plugin/install/install.js";
import type { InstallOptions, InstallResult } from "../../../src/plugin/install/install-options.js";
import { planUninstall, uninstallPlugin } from "../../../src/plugin/install/uninstall.js";
import { discoverPlugins } from "../../../src/plugin/load/discover.js";
import { findPlugin } from "../../../src/plugin/load/find.js";
import { projectRoot } from "../../support/cli.js";
import { fileTempDirs } from "../../support/file-temp.js";
import { npmPack, packTree } from "../../support/npm-pack.js";
import { helloEntry, type PluginProject, writePlugin } from "../../support/plugin-project.js";
import { stateAt } from "../../support/state.js";
import { writeTarball } from "../../support/tarball.js";
import { writeFiles } from "../../support/temp.js";
import { treeOf } from "../../support/tree.js";

// Mostly waiting for child processes, so the tests overlap.
const test = serialTest.concurrent;
const tempDir = fileTempDirs();

interface Bench {
  root: string;
  install(spec: string, options?: Partial<InstallOptions>): Promise<InstallResult>;
  plugins(config?: OpenClawConfig): ReturnType<typeof discoverPlugins>;
  installed(id: string): string;
  records(): Record<string, any>;
  state: ReturnType<typeof stateAt>;
}

function bench(name = "work"): Bench {
  const root = join(tempDir(), name);
  mkdirSync(root);
  const state = stateAt(join(root, "state"));
  return {
    root,
    state,
    install: (spec, options) => installPlugin({ ...state, cwd: root, spec, consent: () => true, ...options }),
    plugins: (config = {}) => discoverPlugins({ ...state, config }),
    installed: (id) => join(state.paths.extensionsDir, id),
    records: () => JSON.parse(readFileSync(state.paths.recordsFile, "utf8")).installs,
  };
}

const plugin = (b: Bench, path: string, project: PluginProject): string =>
  writePlugin(join(b.root, path), project);

test("a folder is installed with what npm pack would ship and nothing else", async () => {
  const b = bench();
  plugin(b, "src-dir", {
    id: "stock-quotes",
    packageJson: { name: "@acme/other-name", version: "0.2.0" },
    files: {
      "src/index.ts": "x",
      "tsconfig.json": "{}",
      "README.md": "# r",
      ".env": "SECRET=1",
      "dist/extra.js": "",
    },
  });
  const result = await b.install("./src-dir");
  expect(result).toMatchObject({
    id: "stock-quotes",
    version: "0.2.0",
    packageName: "@acme/other-name",
    source: "directory",
    enabled: true,
  });
  expect(result.replaced).toBeUndefined();
  expect(readdirSync(b.installed("stock-quotes")).sort()).toEqual([
    "README.md",
    "dist",
    "node_modules",
    "openclaw.plugin.json",
    "package.json",
  ]);
  expect(realpathSync(join(b.installed("stock-quotes"), "node_modules/openclaw"))).toBe(
    realpathSync(projectRoot),
  );
  expect(b.records()["stock-quotes"]).toMatchObject({
    source: "directory",
    spec: "./src-dir",
    sourcePath: join(b.root, "src-dir"),
  });
  expect(existsSync(b.state.paths.configFile)).toBe(false);
  expect(readdirSync(b.state.paths.stageDir)).toEqual([]);
});

test("install-01 archives are found by looking, whatever scripts print and however they are named", async () => {
  const b = bench();
  const dir = plugin(b, "units-checkout", {
    id: "units",
    packageJson: {
      name: "@acme/units",
      version: "0.2.0",
      scripts: { prepare: "echo building && touch ran && echo done.tgz", prepack: "touch ran" },
    },
  });
  expect(await b.install("./units-checkout")).toMatchObject({ id: "units", version: "0.2.0" });
  expect(existsSync(join(dir, "ran"))).toBe(false);
  mkdirSync(join(b.root, "has space"));
  npmPack(dir, b.root);
  npmPack(dir, join(b.root, "has space"));
  const name = "acme-units-0.2.0.tgz";
  for (const spec of [
    `npm-pack:./${name}`,
    `npm-pack:./has space/${name}`,
    `npm-pack:${b.root}/${name}`,
    `./${name}`,
  ]) {
    expect(await b.install(spec)).toMatchObject({ id: "units", replaced: { version: "0.2.0" } });
  }
  expect(b.records().units).toMatchObject({ source: "archive", packageName: "@acme/units" });
});

test("install-03 a dependency that was not shipped is caught at install, and openclaw is never fetched", async () => {
  const b = bench();
  const entry = `import "typebox-that-is-missing";\n${helloEntry("units")}`;
  const dir = plugin(b, "units", {
    id: "units",
    entry,
    packageJson: { devDependencies: { "typebox-that-is-missing": "1" } },
  });
  const failed = b.install(`npm-pack:${packTree(dir, join(b.root, "units.tgz"))}`);
  await expect(failed).rejects.toMatchObject({
    message: expect.stringContaining("Cannot find package 'typebox-that-is-missing'"),
    hint: expect.stringContaining('"dependencies"'),
  });
  expect(await b.plugins()).toEqual([]);
  writePlugin(dir, { id: "units", packageJson: { dependencies: { openclaw: "*" } } });
  packTree(dir, join(b.root, "units.tgz"));
  expect(await b.install("./units.tgz")).toMatchObject({ dependencies: "none" });
  expect(realpathSync(join(b.installed("units"), "node_modules/openclaw"))).toBe(realpathSync(projectRoot));
});

test("install-05 spaces, quotes and non-ASCII letters in every path", async () => {
  const b = bench('It\'s ä "tést" #50% & 天气');
  const dir = plugin(b, "My Plug'ins/天气 ünit", { id: "stock-quotes" });
  const linked = plugin(b, "lin'ked ü/x", { id: "linked" });
  for (const spec of ["./My Plug'ins/天气 ünit", `npm-pack:${npmPack(dir, b.root)}`]) {
    const result = await b.install(spec);
    expect(result).toMatchObject({ id: "stock-quotes", rootDir: b.installed("stock-quotes") });
  }
  expect(await b.install("./lin'ked ü/x", { link: true })).toMatchObject({
    id: "linked",
    rootDir: linked,
    source: "link",
  });
  expect((await b.plugins()).map(({ id, error }) => [id, error])).toEqual([
    ["linked", undefined],
    ["stock-quotes", undefined],
  ]);
});

test("install-07 climbing paths, links, a missing top folder and a missing entry are refused, and nothing changes", async () => {
  const b = bench();
  const dir = plugin(b, "p", { id: "units" });
  await b.install("./p");
  const before = treeOf(b.state.paths.stateDir);
  const [manifest, info] = ["openclaw.plugin.json", "package.json"].map((name) =>
    readFileSync(join(dir, name)),
  );
  const files = (top: string) => [
    { path: `${top}package.json`, content: info! },
    { path: `${top}openclaw.plugin.json`, content: manifest! },
    { path: `${top}dist/index.js`, content: helloEntry("units") },
  ];
  const hostile = {
    a: [...files("package/"), { path: "package/../../dist/index.js", content: "x" }],
    b: [
      ...files("package/"),
      { path: "package/dist/secret.txt", type: "SymbolicLink" as const, linkpath: "/etc/passwd" },
    ],
    c: files("./"),
  };
  for (const [name, entries] of Object.entries(hostile)) {
    const file = writeTarball(join(b.root, `${name}.tgz`), entries);
    await expect(b.install(`npm-pack:${file}`)).rejects.toMatchObject({ code: "archive_refused" });
    expect(treeOf(b.state.paths.stateDir)).toEqual(before);
  }
  rmSync(join(dir, "dist/index.js"));
  writeFileSync(join(dir, "dist/other.js"), "");
  for (const spec of ["./p", `npm-pack:${packTree(dir, join(b.root, "d.tgz"))}`]) {
    await expect(b.install(spec)).rejects.toMatchObject({
      code: "entry_not_found",
      message: "plugin entry not found: ./dist/index.js",
    });
    expect(treeOf(b.state.paths.stateDir)).toEqual(before);
  }
});

test("build-13 packages of one unscoped name live side by side under their manifest ids", async () => {
  const b = bench();
  plugin(b, "a", { id: "flowtool", packageJson: { name: "@a/openclaw-plugin" } });
  plugin(b, "b", { id: "othertool", packageJson: { name: "@b/openclaw-plugin" } });
  const first = await b.install(`npm-pack:${npmPack(join(b.root, "a"))}`);
  expect(first.warnings).toEqual([]);
  await b.install("./b");
  expect(Object.keys(b.records())).toEqual(["flowtool", "othertool"]);
  expect(readdirSync(b.state.paths.extensionsDir).sort()).toEqual(["flowtool", "othertool"]);
  const plugins = await b.plugins();
  expect(() => findPlugin(plugins, "@a/openclaw-plugin")).toThrow(/unknown plugin/);
  try {
    findPlugin(plugins, "openclaw-plugin");
  } catch (error) {
    expect((error as { hint: string }).hint).toContain("`flowtool` or `othertool`");
  }
});

test("scripts of the plugin and of nested dependencies never run; dependencies come along", async () => {
  const b = bench();
  const canary = join(b.root, "canary");
  const scripts = Object.fromEntries(
    ["preinstall", "install", "postinstall", "prepare", "prepublish", "prepack"].map((name) => [
      name,
      `touch "${canary}"`,
    ]),
  );
  const pack = (name: string, dependencies: Record<string, string>, main: string): string => {
    writeFiles(join(b.root, name), {
      "package.json": JSON.stringify({ name, version: "1.0.0", main: "index.js", scripts, dependencies }),
      "index.js": main,
    });
    return packTree(join(b.root, name), join(b.root, `${name}.tgz`));
  };
  const nested = pack("canary-nested", {}, "module.exports = 'nested';");
  const dep = pack(
    "canary-dep",
    { "canary-nested": `file:${nested}` },
    "module.exports = require('canary-nested') + ' dep';",
  );
  const entry = `import said from "canary-dep"; if (said !== "nested dep") throw new Error(said);\n${helloEntry("bird")}`;
  const dir = plugin(b, "bird", {
    id: "bird",
    entry,
    packageJson: { scripts, dependencies: { "canary-dep": `file:${dep}` } },
  });
  const file = packTree(dir, join(b.root, "bird.tgz"));
  expect(await b.install(`npm-pack:${file}`)).toMatchObject({ dependencies: "fetched" });
  expect(await b.install("./bird")).toMatchObject({ dependencies: "fetched" });
  expect(existsSync(canary)).toBe(false);
  expect(
    readdirSync(join(b.installed("bird"), "node_modules")).filter((name) => !name.startsWith(".")),
  ).toEqual(["canary-dep", "canary-nested", "openclaw"]);
});

test("dependencies that lie in a folder's own node_modules are copied, development ones are not", async () => {
  const b = bench();
  const pkg = (name: string, version: string, extra: object = {}): string =>
    JSON.stringify({ name, version, main: "i.js", ...extra });
  plugin(b, "p", {
    id: "deps",
    entry: `import a from "a"; if (a !== "a2 b1") throw new Error(a);\n${helloEntry("deps")}`,
    packageJson: {
      dependencies: { a: "^2.0.0" },
      optionalDependencies: { absent: "1" },
      devDependencies: { big: "1" },
    },
    files: {
      "node_modules/a/package.json": pkg("a", "2.1.0", { dependencies: { b: "1" } }),
      "node_modules/a/i.js": "module.exports = 'a2 ' + require('b');",
      "node_modules/a/node_modules/b/package.json": pkg("b", "1.0.0"),
      "node_modules/a/node_modules/b/i.js": "module.exports = 'b1';",
      "node_modules/a/node_modules/junk/i.js": "",
      "node_modules/b/package.json": pkg("b", "3.0.0"),
      "node_modules/big/package.json": pkg("big", "1.0.0"),
    },
  });
  expect(await b.install("./p")).toMatchObject({ dependencies: "copied" });
  expect(Object.keys(treeOf(join(b.installed("deps"), "node_modules")))).toEqual([
    "a",
    "a/i.js",
    "a/node_modules",
    "a/node_modules/b",
    "a/node_modules/b/i.js",
    "a/node_modules/b/package.json",
    "a/package.json",
    "openclaw",
  ]);
});

test("a folder whose dependencies are links gets real copies, also of its own relative ones", async () => {
  const b = bench();
  writeFiles(b.root, {
    "libs/mine/package.json": JSON.stringify({ name: "mine", version: "1.0.0", main: "i.js" }),
    "libs/mine/i.js": "module.exports = 'mine';",
  });
  const dir = plugin(b, "p", {
    id: "linked-deps",
    entry: `import mine from "mine"; if (mine !== "mine") throw new Error(mine);\n${helloEntry("linked-deps")}`,
    packageJson: { dependencies: { mine: "file:../libs/mine" } },
  });
  mkdirSync(join(dir, "node_modules"));
  symlinkSync(join(b.root, "libs/mine"), join(dir, "node_modules/mine"), "dir");
  expect(await b.install("./p")).toMatchObject({ dependencies: "fetched" });
  expect(treeOf(join(b.installed("linked-deps"), "node_modules/mine"))).toHaveProperty("i.js");
});

test("installing one plugin changes no byte of another", async () => {
  const b = bench();
  plugin(b, "a", { id: "a-plugin" });
  plugin(b, "b", { id: "b-plugin" });
  await b.install("./a");
  const before = treeOf(b.installed("a-plugin"));
  await b.install("./b");
  await b.install("./b");
  expect(treeOf(b.installed("a-plugin"))).toEqual(before);
});

test("the check refuses what would not work, and says what to do", async () => {
  const b = bench();
  const refused = async (
    path: string,
    project: PluginProject,
    message: RegExp,
    config: OpenClawConfig = {},
  ) => {
    plugin(b, path, project);
    await expect(b.install(`./${path}`, { config })).rejects.toThrow(message);
  };
  await refused("throws", { id: "throws", entry: "throw new Error('kaboom')" }, /kaboom/);
  await refused("exits", { id: "exits", entry: "process.exit(7)" }, /process\.exit\(7\)/);
  await refused(
    "killed",
    { id: "killed", entry: "process.kill(process.pid, 'SIGKILL')" },
    /ended its process by SIGKILL/,
  );
  await refused(
    "nothing",
    { id: "nothing", entry: "export const x = 1" },
    /neither defineToolPlugin metadata nor/,
  );
  await refused(
    "schema",
    { id: "schema", manifest: { configSchema: { type: "strin" } } },
    /configSchema does not compile/,
  );
  await refused("evil", { id: "evil", manifest: { id: "../evil" } }, /"\.\.\/evil" .*one path segment/);
  await refused("hidden", { id: "hidden", manifest: { id: ".hidden" } }, /begins with a dot/);
  await refused(
    "no-ext",
    { id: "no-ext", packageJson: { openclaw: {} } },
    /must include openclaw\.extensions/,
  );
  const schema = { type: "object", properties: { n: { type: "integer", minimum: 1 } } };
  const bad = { plugins: { entries: { cfg: { config: { n: 0 } } } } };
  await refused(
    "cfg",
    { id: "cfg", manifest: { configSchema: schema } },
    /plugins\.entries\.cfg\.config\.n/,
    bad,
  );
  expect(await b.plugins()).toEqual([]);
  expect(readdirSync(b.state.paths.stageDir)).toEqual([]);
  const forced = await b.install("./cfg", { config: bad, force: true });
  expect(forced.warnings.join()).toMatch(/settings do not fit/);
  writeFiles(b.root, { "plain/package.json": JSON.stringify({ name: "plain", version: "1.0.0" }) });
  await expect(b.install("./plain")).rejects.toMatchObject({ code: "not_a_plugin" });
});

test("a plugin that needs settings first installs, and says which", async () => {
  const b = bench();
  const configSchema = { type: "object", required: ["apiKey"], properties: { apiKey: { type: "string" } } };
  plugin(b, "p", { id: "needs", manifest: { configSchema } });
  expect((await b.install("./p")).warnings.join()).toMatch(/needs settings.*apiKey/);
});

test("register is never called by an install, and import chatter stays out of it", async () => {
  const b = bench();
  const entry = `console.log("noise"); setInterval(() => {}, 1000); export default { id: "quiet", register() { throw new Error("called"); } };`;
  plugin(b, "p", { id: "quiet", entry });
  expect(await b.install("./p")).toMatchObject({ id: "quiet", warnings: [] });
});

test("a folder nobody recorded is replaced only with force", async () => {
  const b = bench();
  writePlugin(b.installed("dropped"), { id: "dropped", files: { "notes.txt": "mine" } });
  expect(await b.plugins()).toMatchObject([{ id: "dropped", origin: "untracked" }]);
  plugin(b, "p", { id: "dropped" });
  await expect(b.install("./p")).rejects.toMatchObject({ code: "untracked_folder" });
  expect(readFileSync(join(b.installed("dropped"), "notes.txt"), "utf8")).toBe("mine");
  expect(await b.install("./p", { force: true })).toMatchObject({ replaced: {} });
  expect(await b.plugins()).toMatchObject([{ id: "dropped", origin: "installed" }]);
});

test("ids that differ only in case are not installed over each other", async () => {
  const b = bench();
  plugin(b, "p", { id: "Tool" });
  expect((await b.install("./p")).warnings.join()).toMatch(/unusual/);
  plugin(b, "q", { id: "tool" });
  await expect(b.install("./q")).rejects.toMatchObject({ code: "id_conflict" });
});

test("link, folder and back again keep one plugin under the id", async () => {
  const b = bench();
  const dir = plugin(b, "p", { id: "swap" });
  const before = treeOf(dir);
  await b.install("./p", { link: true });
  expect(await b.plugins()).toMatchObject([{ origin: "linked", rootDir: dir }]);
  expect(await b.install("./p")).toMatchObject({ replaced: { source: "link" } });
  expect(await b.plugins()).toMatchObject([{ origin: "installed", rootDir: b.installed("swap") }]);
  expect(await b.install("./p", { link: true })).toMatchObject({ replaced: { source: "directory" } });
  expect(await b.plugins()).toMatchObject([{ origin: "linked", rootDir: dir }]);
  expect(readdirSync(b.state.paths.extensionsDir)).toEqual([]);
  const [linked] = await b.plugins();
  await uninstallPlugin(await planUninstall(linked!, b.state.paths), b.state.paths);
  expect(await b.plugins()).toEqual([]);
  expect(treeOf(dir)).toEqual(before);
});

test("a folder under extensions is never linked onto itself", async () => {
  const b = bench();
  plugin(b, "p", { id: "one" });
  await b.install("./p");
  const before = treeOf(b.state.paths.extensionsDir);
  await expect(b.install(b.installed("one"), { link: true, force: true })).rejects.toMatchObject({
    code: "usage",
  });
  expect(treeOf(b.state.paths.extensionsDir)).toEqual(before);
});

test("uninstalling what a load path hides removes the install and leaves the path's folder", async () => {
  const b = bench();
  const mine = plugin(b, "p", { id: "one" });
  await b.install("./p");
  const [hidden] = await b.plugins({ plugins: { load: { paths: [mine] } } });
  expect(hidden).toMatchObject({ origin: "config", rootDir: mine });
  const plan = await planUninstall(hidden!, b.state.paths);
  expect(plan).toEqual({ id: "one", folder: b.installed("one"), record: true });
  await uninstallPlugin(plan, b.state.paths);
  expect(existsSync(b.installed("one"))).toBe(false);
  expect(existsSync(join(mine, "dist/index.js"))).toBe(true);
});

test("uninstalling removes folder and record, untracked folders too, and leaves load paths alone", async () => {
  const b = bench();
  plugin(b, "p", { id: "one" });
  await b.install("./p");
  writePlugin(join(b.state.paths.extensionsDir, "odd-name"), { id: "two" });
  const three = plugin(b, "three", { id: "three" });
  const config = { plugins: { load: { paths: [three] } } };
  const plugins = await b.plugins(config);
  expect(plugins.map(({ id, origin }) => [id, origin])).toEqual([
    ["one", "installed"],
    ["three", "config"],
    ["two", "untracked"],
  ]);
  await expect(planUninstall(plugins[1]!, b.state.paths)).rejects.toMatchObject({ code: "not_installed" });
  for (const found of [plugins[0]!, plugins[2]!]) {
    await uninstallPlugin(await planUninstall(found, b.state.paths), b.state.paths);
  }
  expect(await b.plugins(config)).toMatchObject([{ id: "three" }]);
  expect(b.records()).toEqual({});
  expect(readdirSync(b.state.paths.extensionsDir)).toEqual([]);
});

test("a registry source needs consent, and without it no request is made", async () => {
  const b = bench();
  const refused = b.install("npm:some-package", { canConsent: false });
  await expect(refused).rejects.toMatchObject({
    code: "confirmation_required",
    hint: expect.stringContaining("--force"),
  });
  expect(existsSync(b.state.paths.stateDir)).toBe(false);
});

test("a cancelled install leaves nothing", async () => {
  const b = bench();
  plugin(b, "p", { id: "gone" });
  const controller = new AbortController();
  const install = b.install("./p", {
    signal: controller.signal,
    onStep: (step) => {
      if (step === "dependencies-placed") controller.abort();
    },
  });
  await expect(install).rejects.toMatchObject({ code: "aborted" });
  expect(await b.plugins()).toEqual([]);
  expect(readdirSync(b.state.paths.stageDir)).toEqual([]);
});

test("an unreadable records file stops changes and is never overwritten", async () => {
  const b = bench();
  plugin(b, "p", { id: "one" });
  await b.install("./p");
  writeFileSync(b.state.paths.recordsFile, "{ broken");
  await expect(b.install("./p")).rejects.toMatchObject({ code: "records_invalid" });
  expect(readFileSync(b.state.paths.recordsFile, "utf8")).toBe("{ broken");
  expect(await b.plugins()).toMatchObject([{ id: "one", origin: "untracked" }]);
});
