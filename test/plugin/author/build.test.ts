import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { pluginProject, toolSource } from "../../support/author-project.js";
import { runCli } from "../../support/cli.js";
import { tempDir } from "../../support/temp.js";

vi.setConfig({ testTimeout: 60_000 });

describe("plugins build", () => {
  it("keeps what was written by hand: fields, comments, order, indentation, line ends", async () => {
    const plugin = pluginProject({ tools: `${toolSource("a")}${toolSource("b", "optional: true,")}` });
    plugin.write({
      "openclaw.plugin.json": [
        "// The manifest",
        "{",
        '\t"contracts": { "tools": ["gone", "a"], "commands": ["x"] },',
        "\t'id': 'weather', /* stays */",
        "\tskills: ['./skills'],",
        "\ttoolMetadata: { gone: { optional: true }, a: { optional: true, profiles: ['p'] } },",
        "}",
        "",
      ].join("\r\n"),
      "package.json":
        '{"name":"w","version":"2.0.0","type":"module","files":["dist","openclaw.plugin.json"],\n  "openclaw": {"extensions": ["./src/index.ts", "./extra.js"], "other": 1} }',
      "extra.js": "export default {};",
    });
    const run = await plugin.build("--entry", "./dist/index.js");
    expect(run.stdout).toBe("Wrote openclaw.plugin.json\nUpdated package.json\n");
    const text = plugin.read("openclaw.plugin.json");
    expect(text).toContain('// The manifest\r\n{\r\n\t"contracts"');
    expect(text).toContain("'id': 'weather', /* stays */");
    const { default: JSON5 } = await import("json5");
    expect(JSON5.parse(text)).toEqual({
      contracts: { tools: ["a", "b", "gone"], commands: ["x"] },
      id: "weather",
      skills: ["./skills"],
      toolMetadata: { gone: { optional: true }, a: { profiles: ["p"] }, b: { optional: true } },
      name: "weather",
      description: "Fixture plugin.",
      version: "2.0.0",
      configSchema: { type: "object", additionalProperties: false, properties: {} },
      activation: { onStartup: true },
    });
    // `gone` stays: ./extra.js carries no metadata, so its tools are declared by hand.
    expect(plugin.read("package.json")).toBe(
      '{"name":"w","version":"2.0.0","type":"module","files":["dist","openclaw.plugin.json"],\n' +
        '  "openclaw": {"extensions": ["./dist/index.js", "./extra.js"], "other": 1}, ' +
        '"peerDependencies": { "openclaw": ">=2026.5.17" } }',
    );
    expect((await plugin.cli("build", "--check")).code).toBe(0);
    expect((await plugin.cli("validate")).code).toBe(0);
  });

  it("aligns a bare package.json, and leaves it alone afterwards", async () => {
    const plugin = pluginProject({ fields: "configSchema: Type.Object({})," });
    plugin.write({ "package.json": '{ "name": "w", "devDependencies": { "typebox": "^1.0.0" } }\n' });
    await plugin.build("--entry", "dist/index.js");
    expect(plugin.json("package.json")).toEqual({
      name: "w",
      devDependencies: {},
      type: "module",
      openclaw: { extensions: ["./dist/index.js"] },
      files: ["dist", "openclaw.plugin.json", "README.md"],
      peerDependencies: { openclaw: ">=2026.5.17" },
      dependencies: { typebox: "^1.0.0" },
    });
    expect(plugin.json("openclaw.plugin.json").version).toBe("0.0.0");
    const before = statSync(join(plugin.dir, "package.json"));
    expect((await plugin.build()).stdout).toBe("Plugin metadata is up to date.\n");
    expect(statSync(join(plugin.dir, "package.json")).mtimeMs).toBe(before.mtimeMs);
  });

  it("declares the tools of every entry that carries metadata", async () => {
    const plugin = pluginProject({
      packageJson: { openclaw: { extensions: ["./dist/index.js", "./dist/more.js"] } },
    });
    plugin.write({ "dist/more.js": plugin.read("dist/index.js").replace("weather_today", "more_tool") });
    await plugin.build();
    expect(plugin.json("openclaw.plugin.json").contracts.tools).toEqual(["weather_today", "more_tool"]);
    plugin.write({ "dist/more.js": plugin.read("dist/index.js") });
    const clash = await plugin.cli("build");
    expect([clash.code, clash.stderr]).toEqual([
      1,
      expect.stringContaining("tool name weather_today is used more than once"),
    ]);
  });

  it("--check shows every stale field, field by field, and writes nothing", async () => {
    const plugin = pluginProject();
    await plugin.build();
    const manifest = {
      ...plugin.json("openclaw.plugin.json"),
      name: "Old",
      activation: { onStartup: false },
      version: "0.0.9",
    };
    plugin.write({ "openclaw.plugin.json": JSON.stringify(manifest) });
    const before = plugin.read("openclaw.plugin.json");
    const run = await plugin.cli("build", "--check");
    expect(run.code).toBe(1);
    expect(run.stdout).toBe("");
    for (const line of [
      'name: "Old" -> "weather"',
      "activation.onStartup: false -> true",
      'version: "0.0.9" -> "0.1.0"',
    ]) {
      expect(run.stderr).toContain(line);
    }
    expect(plugin.read("openclaw.plugin.json")).toBe(before);
    const json = (await plugin.cli("build", "--check", "--json")).json();
    expect(json).toMatchObject({ ok: false, upToDate: false, error: { code: "metadata_stale" } });
    expect(json.changes.map((change: any) => change.path).sort()).toEqual([
      "activation.onStartup",
      "name",
      "version",
    ]);
  });

  it("answers that a manifest made with definePluginEntry is written by hand; validate checks it", async () => {
    const plugin = pluginProject({
      files: {
        "dist/index.js": `import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";
export default definePluginEntry({ id: "hand", name: "Hand", description: "d", register(api) {
  api.registerProvider({ id: "hand" });
} });`,
        "openclaw.plugin.json": '{"id": "hand", "configSchema": {"type": "object"}}',
      },
    });
    const built = await plugin.cli("build");
    expect([built.code, built.stdout]).toEqual([1, ""]);
    expect(built.stderr).toContain("plugin entry does not expose defineToolPlugin metadata");
    expect(built.stderr).toContain("written by hand");
    expect((await plugin.cli("validate")).stdout).toBe("Plugin hand is valid.\n");
    plugin.write({
      "openclaw.plugin.json": '{"id": "other", "configSchema": {"type": "object"}}',
      "dist/index.js": plugin.read("dist/index.js").replace("api.registerProvider", "throw new Error"),
    });
    const broken = await plugin.cli("validate");
    expect(broken.code).toBe(1);
    expect(broken.stderr).toContain("openclaw.plugin.json id (other) must match entry id (hand)");
    expect(broken.stderr).toContain("plugin does not register");
  });

  it("refuses what it cannot build, and says why", async () => {
    const plugin = pluginProject({ files: { "dist/sub/x.js": "" } });
    const outside = tempDir({ "index.js": "export {}" });
    symlinkSync(join(outside, "index.js"), join(plugin.dir, "dist/link.js"));
    for (const [args, message] of [
      [["--entry", join(outside, "index.js")], "entry must stay inside plugin root"],
      [["--entry", "./dist/link.js"], "entry must stay inside plugin root: ./dist/link.js leads to"],
      [["--entry", "./dist"], "plugin entry must be a file: ./dist"],
      [["--root", "nowhere"], "package.json not found: "],
    ] as const) {
      const run = await plugin.cli("build", ...args);
      expect([run.code, run.stdout], message).toEqual([1, ""]);
      expect(run.stderr).toContain(message);
    }
    for (const [text, message] of [
      ["{ nope", "plugin manifest does not parse"],
      ["", "plugin manifest does not parse"],
    ] as const) {
      plugin.write({ "openclaw.plugin.json": text });
      const run = await plugin.cli("build");
      expect(run.code).toBe(1);
      expect(run.stderr).toContain(message);
      expect(plugin.read("openclaw.plugin.json")).toBe(text);
    }
  });
});

describe("writing", () => {
  it("leaves both files as they were when the second cannot be written", async () => {
    const plugin = pluginProject({ packageJson: { peerDependencies: undefined } });
    const before = plugin.read("package.json");
    const trap = join(tempDir({ "trap.mjs": trapSource("fail") }), "trap.mjs");
    const run = await runCli(["plugins", "build"], {
      cwd: plugin.dir,
      env: { NODE_OPTIONS: `--import=${pathToFileURL(trap)}` },
    });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain("package.json could not be written");
    expect(plugin.read("package.json")).toBe(before);
    expect(existsSync(join(plugin.dir, "openclaw.plugin.json"))).toBe(false);
    expect(readdirSync(plugin.dir).filter((name) => /\.\d/.test(name))).toEqual([]);
  });

  it("killed between the two writes leaves a state that --check reports and build mends", async () => {
    const plugin = pluginProject({ packageJson: { peerDependencies: undefined } });
    const trap = join(tempDir({ "trap.mjs": trapSource("kill") }), "trap.mjs");
    const before = plugin.read("package.json");
    const run = await runCli(["plugins", "build"], {
      cwd: plugin.dir,
      env: { NODE_OPTIONS: `--import=${pathToFileURL(trap)}` },
    });
    expect(run.signal).toBe("SIGKILL");
    expect(plugin.json("openclaw.plugin.json").id).toBe("weather");
    expect(plugin.read("package.json")).toBe(before);
    const check = await plugin.cli("build", "--check");
    expect(check.code).toBe(1);
    expect(check.stderr).toContain("peerDependencies");
    await plugin.build();
    expect((await plugin.cli("build", "--check")).code).toBe(0);
  });

  it("keeps the mode of the files", async () => {
    const plugin = pluginProject();
    await plugin.build();
    const file = join(plugin.dir, "openclaw.plugin.json");
    chmodSync(file, 0o600);
    plugin.write({ "package.json": plugin.read("package.json").replace("0.1.0", "0.2.0") });
    await plugin.build();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toContain("0.2.0");
    mkdirSync(join(plugin.dir, "x"));
  });

  it("gives the same bytes under another locale", async () => {
    const texts = await Promise.all(
      ["en_US.UTF-8", "tr_TR.UTF-8"].map(async (locale) => {
        const plugin = pluginProject({
          tools: ["i", "I", "z", "a"].map((name) => toolSource(name)).join(""),
        });
        await runCli(["plugins", "build"], { cwd: plugin.dir, env: { LC_ALL: locale, LANG: locale } });
        return plugin.read("openclaw.plugin.json") + plugin.read("package.json");
      }),
    );
    expect(texts[0]).toBe(texts[1]);
  });
});

/** A preload that lets the rename onto package.json fail, or kills the process in its place. */
function trapSource(what: "fail" | "kill"): string {
  return `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const { rename } = fs;
fs.rename = (from, to, done) => {
  if (!String(to).endsWith("package.json")) return rename(from, to, done);
  ${what === "kill" ? 'process.kill(process.pid, "SIGKILL");' : 'done(Object.assign(new Error("EIO: no luck"), { code: "EIO" }));'}
};
syncBuiltinESMExports();
`;
}
