import { describe, expect, it, vi } from "vitest";
import { pluginProject } from "../../support/author-project.js";
import { runCli } from "../../support/cli.js";
import { sampled } from "../../support/full.js";

vi.setConfig({ testTimeout: 60_000 });

const HABITS: [title: string, code: string, code1: number, says: RegExp][] = [
  [
    "prints",
    'console.log("noise"); process.stdout.write("more"); setTimeout(() => console.log("late"), 1);',
    0,
    /^$/,
  ],
  ["leaves a timer", "setInterval(() => {}, 1000);", 0, /^$/],
  ["throws", 'console.log("noise"); throw new Error("boom");', 1, /\.\/dist\/index\.js:\d+:\d+: boom/],
  ["exits", 'console.log("noise"); process.exit(7);', 1, /process\.exit\(7\)/],
];

describe("stdout stays one JSON document when the entry", () => {
  for (const [title, code, exitCode, says] of HABITS) {
    it(title, async () => {
      const plugin = pluginProject();
      await plugin.build();
      plugin.write({ "dist/index.js": `${plugin.read("dist/index.js")}\n${code}\n` });
      for (const command of sampled([["validate"], ["build"], ["build", "--check"]], 2, title.length)) {
        const run = await plugin.cli(...command, "--json");
        expect(run.code, command.join(" ")).toBe(exitCode);
        const document = run.json();
        const message =
          command[0] === "validate" ? (document.errors[0] ?? "") : (document.error?.message ?? "");
        expect(message).toMatch(says);
      }
      const plain = await plugin.cli("validate");
      expect(plain.stdout).toBe(exitCode === 0 ? "Plugin weather is valid.\n" : "");
    });
  }

  it("hangs, waiting or looping", async () => {
    for (const code of ["await new Promise(() => setInterval(() => {}, 1000));", "for (;;) {}"]) {
      const plugin = pluginProject();
      plugin.write({ "dist/index.js": `${plugin.read("dist/index.js")}\n${code}\n` });
      // The limit is 15 s; a preload shortens the wait, not the way it ends.
      plugin.write({
        "soon.mjs": "const { now } = Date; Date.now = () => now() - 14_500;",
      });
      const env = { NODE_OPTIONS: `--import=./soon.mjs` };
      const started = Date.now();
      const run = await runCli(["plugins", "validate", "--json"], { cwd: plugin.dir, env });
      expect(Date.now() - started).toBeLessThan(12_000);
      expect(run.code).toBe(1);
      expect(run.json()).toMatchObject({
        valid: false,
        errors: [expect.stringContaining("did not finish importing within 15 s: ./dist/index.js")],
      });
      expect(run.stderr).toBe("");
    }
  });
});

describe("author-time warnings", () => {
  it("say what a model will see, and what providers will do", async () => {
    const plugin = pluginProject({
      packageJson: { dependencies: {}, devDependencies: { typebox: "^1.1.38" } },
      tools: `
        tool({ name: "exec", description: "d", parameters: Type.Object({}), execute: () => "x" }),
        tool({ name: "delete", description: "d", parameters: Type.Object({ bag: Type.Object({}) }), execute: () => "x" }),
        tool({ name: "open_result", description: "d", parameters: Type.Object({}),
          outputSchema: Type.Object({ status: Type.String(), rows: Type.Array(Type.Object({ id: Type.String() })) }),
          execute: () => ({ status: "x", rows: [] }) }),
        tool({ name: "many", description: "d", parameters: Type.Object(Object.fromEntries(
          Array.from({ length: 15 }, (_, i) => ["bag" + i, { type: "object" }]))), execute: () => "x" }),`,
    });
    plugin.write({ "openclaw.plugin.json": '{"id": "weather", "configSchema": {}}' });
    const { findings } = (await plugin.cli("validate", "--json")).json();
    const of = (code: string) => findings.filter((finding: any) => finding.code === code);
    expect(of("tool-name-core")[0].path).toBe("tools.exec.name");
    expect(of("tool-name-reserved")[0].message).toContain("delete");
    expect(of("dictionary-closed").map((finding: any) => finding.path)).toEqual([
      "tools.delete.parameters",
      "tools.many.parameters",
    ]);
    expect(of("dictionary-closed")[0].message).toContain("parameters.bag");
    expect(of("dictionary-closed")[1].message).toMatch(/parameters\.bag0, .*parameters\.bag11 and 3 more$/);
    expect(of("result-reserved")[0].message).toContain("status");
    expect(of("output-incomplete")[0].message).toContain("{ rows: Array<{ id: string }>; status: string }");
    expect(of("output-incomplete")[0].fix).toContain("outputSchema.rows");
    expect(of("typebox-not-shipped")[0].severity).toBe("warning");
    for (const finding of findings) {
      expect(Object.keys(finding).sort()).toEqual(["code", "fix", "message", "path", "severity"]);
    }
  });

  it("fail only with --strict", async () => {
    const plugin = pluginProject({
      tools: `tool({ name: "exec", description: "d", parameters: { type: "object", properties: {} }, execute: () => "x" }),`,
    });
    await plugin.build();
    const lenient = await plugin.cli("validate");
    expect([lenient.code, lenient.stdout]).toEqual([0, "Plugin weather is valid.\n"]);
    expect(lenient.stderr).toMatch(/^warning: .*core tool/);
    const strict = await plugin.cli("validate", "--strict", "--json");
    expect(strict.code).toBe(1);
    expect(strict.json()).toMatchObject({ valid: false, errors: [expect.stringContaining("core tool")] });
  });

  it("look at what npm would pack", async () => {
    const plugin = pluginProject({ packageJson: { files: ["dist/index.js", "openclaw.plugin.json"] } });
    await plugin.build();
    plugin.write({
      "dist/index.js": `import "./helper.js";\n${plugin.read("dist/index.js")}`,
      "dist/helper.js": "export {};",
    });
    const missing = await plugin.cli("validate");
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain("`npm pack` would leave out what the plugin needs: dist/helper.js");
    plugin.write({
      "package.json": plugin.read("package.json").replace('"dist/index.js"', '"dist"'),
      "dist/.npmignore": "index.js\n",
    });
    expect((await plugin.cli("validate")).stderr).toContain("dist/index.js");
  });

  it("point out a TypeScript runtime entry", async () => {
    const plugin = pluginProject();
    plugin.write({ "src/index.ts": plugin.read("dist/index.js") });
    const run = await plugin.cli("build", "--entry", "./src/index.ts");
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain("./src/index.ts is TypeScript source");
    expect(plugin.json("package.json").openclaw.extensions).toEqual(["./src/index.ts"]);
    await plugin.build("--entry", "./dist/index.js");
    expect(plugin.json("package.json").openclaw.extensions).toEqual(["./dist/index.js"]);
  });
});
