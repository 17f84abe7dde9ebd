import { readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { scaffoldFiles } from "../../src/plugin/author/scaffold.js";
import { fillTemplate, titleOf } from "../../src/plugin/author/template-text.js";
import { toolchainSpec } from "../../src/plugin/author/toolchain-spec.js";
import { projectRoot, runCli } from "../support/cli.js";
import { describeFull } from "../support/full.js";
import { localScaffold, npm, runTool } from "../support/scaffold.js";
import { tempDir, writeFiles } from "../support/temp.js";

vi.setConfig({ testTimeout: 120_000 });

const VALUES = { id: "stock-quotes", name: "Stock Quotes", toolchain: "file:..", version: "1.0.0" };

describe("a scaffold with this project's own packages", () => {
  it("type tool: compiles with its tests, builds without a change, validates, tests itself", async () => {
    const dir = await localScaffold(tempDir(), "stock-quotes", "--name", "Stock Quotes");
    const manifest = readFileSync(join(dir, "openclaw.plugin.json"), "utf8");
    // The types hold: a result that does not fit its schema does not compile, and all else does.
    const source = readFileSync(join(dir, "src/index.ts"), "utf8");
    writeFileSync(join(dir, "src/index.ts"), source.replace("=> ({ input })", "=> ({ input: 1 })"));
    const wrong = await runTool(dir, "typescript/bin/tsc", ["-p", "tsconfig.json", "--noEmit"]);
    expect(wrong.output.match(/^\S+: error /gm)).toEqual([expect.stringContaining("src/index.ts")]);
    writeFileSync(join(dir, "src/index.ts"), source);
    const compiled = await runTool(dir, "typescript/bin/tsc", ["-p", "tsconfig.build.json"]);
    expect(compiled).toEqual({ code: 0, output: "" });
    const built = await runCli(["plugins", "build", "--entry", "./dist/index.js"], { cwd: dir });
    expect([built.code, built.stdout]).toEqual([0, "Plugin metadata is up to date.\n"]);
    expect(readFileSync(join(dir, "openclaw.plugin.json"), "utf8")).toBe(manifest);
    const validated = await runCli(["plugins", "validate", "--entry", "./dist/index.js", "--strict"], {
      cwd: dir,
    });
    expect([validated.stdout, validated.stderr]).toEqual(["Plugin stock-quotes is valid.\n", ""]);
    const tested = await runTool(dir, "vitest/vitest.mjs", ["run", "--config", "./vitest.config.ts"]);
    expect(tested.output).toMatch(/2 passed/);
    const cell = await runCli(["exec", "--plugin", ".", "cells/hello.ts"], { cwd: dir });
    expect([cell.code, cell.stdout]).toEqual([0, "found: echo\nHello from Stock Quotes\n"]);
  });

  it("type provider: compiles with its tests, validates, tests itself", async () => {
    const dir = await localScaffold(tempDir(), "acme-models", "--type", "provider");
    const compiled = await runTool(dir, "typescript/bin/tsc", ["-p", "tsconfig.json"]);
    expect(compiled).toEqual({ code: 0, output: "" });
    const validated = await runCli(["plugins", "validate", "--strict"], { cwd: dir });
    expect([validated.stdout, validated.stderr]).toEqual(["Plugin acme-models is valid.\n", ""]);
    expect((await runTool(dir, "vitest/vitest.mjs", ["run"])).output).toMatch(/3 passed/);
    expect(readFileSync(join(dir, "src/index.ts"), "utf8")).toContain('optionKey: "acmeModelsApiKey"');
  });
});

describe("the templates", () => {
  it("hold every file, each token filled", async () => {
    const files = await scaffoldFiles("tool", VALUES);
    expect(files.map(({ path }) => path)).toEqual([
      ".gitignore",
      "README.md",
      "cells/hello.ts",
      "openclaw.plugin.json",
      "package.json",
      "src/index.test.ts",
      "src/index.ts",
      "tsconfig.build.json",
      "tsconfig.json",
      "vitest.config.ts",
    ]);
    for (const type of ["tool", "provider"] as const) {
      for (const { path, content } of await scaffoldFiles(type, VALUES)) {
        expect(content, path).not.toMatch(/__[A-Z]+__/);
        if (path.endsWith(".json")) expect(() => JSON.parse(content)).not.toThrow();
      }
    }
  });

  it("take any name where it stands", () => {
    const name = '"$&`${x}`\\ __ID__ </x>';
    const values = { ...VALUES, name };
    expect(JSON.parse(fillTemplate('"__NAME__"', "a.json", values))).toBe(name);
    expect(fillTemplate("# __NAME__", "README.md", values)).toBe(`# ${name}`);
    expect(fillTemplate("__ENV__ __OPTION__", "x.md", { ...VALUES, id: "a--b-2c" })).toBe(
      "A__B_2C_API_KEY aB2cApiKey",
    );
  });

  it("name a plugin after its id", () => {
    expect([titleOf("stock-quotes"), titleOf("my_cool-tool2"), titleOf("a")]).toEqual([
      "Stock Quotes",
      "My Cool Tool2",
      "A",
    ]);
  });

  it("point to this toolchain: relative inside one tree, absolute elsewhere", () => {
    expect(toolchainSpec(join(projectRoot, "examples", "x"))).toBe("file:../..");
    expect(toolchainSpec(join(tempDir(), "x"))).toBe(`file:${projectRoot.replace(/\/$/, "")}`);
  });
});

describe("plugins init", () => {
  it("writes nothing outside its folder, and nothing at all when it refuses", async () => {
    const elsewhere = tempDir();
    const dir = tempDir({ file: "x", "linked/keep.txt": "" });
    symlinkSync(elsewhere, join(dir, "linked/src"));
    const cli = (...args: string[]) => runCli(["plugins", "init", ...args], { cwd: dir });
    for (const [args, message] of [
      [["a", "--directory", "file"], "it is a file"],
      [["a", "--directory", "linked", "--force"], "refusing to write through a link"],
      [["a", "--type", "widget"], 'unknown plugin type "widget"'],
      [["a", "--name", "   "], "empty value"],
      [["a", "--name", "two\nlines"], "one line"],
    ] as const) {
      const run = await cli(...args);
      expect(run.code, message).not.toBe(0);
      expect(run.stderr).toContain(message);
      expect(run.stdout).toBe("");
    }
    expect(() => statSync(join(dir, "a"))).toThrow();
    expect(() => statSync(join(elsewhere, "index.ts"))).toThrow();
    expect(readFileSync(join(dir, "file"), "utf8")).toBe("x");
  });

  it("fills an empty folder, says what it replaced, and answers in JSON", async () => {
    const dir = tempDir();
    const first = await runCli(
      ["plugins", "init", "here", "--directory", ".", "--json", "--toolchain", "1.2.3"],
      { cwd: dir },
    );
    expect(first.json()).toMatchObject({
      ok: true,
      id: "here",
      name: "Here",
      type: "tool",
      replaced: [],
      toolchain: "1.2.3",
    });
    expect(JSON.parse(readFileSync(join(dir, "package.json"), "utf8")).devDependencies.openclaw).toBe(
      "1.2.3",
    );
    writeFiles(dir, { "src/extra.ts": "export {};" });
    const again = await runCli(["plugins", "init", "here", "--directory", ".", "--force"], { cwd: dir });
    expect(again.stdout).toBe("Created .\n");
    expect(again.stderr).toContain("Replaced .gitignore, README.md");
    expect(readFileSync(join(dir, "src/extra.ts"), "utf8")).toBe("export {};");
  });
});

describeFull("a scaffold with real npm", "installs from the registry", () => {
  vi.setConfig({ testTimeout: 600_000 });

  for (const [type, scripts] of [
    ["tool", ["plugin:build", "plugin:validate", "test"]],
    ["provider", ["plugin:validate", "test"]],
  ] as const) {
    it(`type ${type} passes its own scripts under TypeScript 6, 5.9 and 7`, async () => {
      const parent = tempDir();
      expect((await runCli(["plugins", "init", "fresh", "--type", type], { cwd: parent })).code).toBe(0);
      const dir = join(parent, "fresh");
      const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
      const installed = await npm(dir, ["install", ...quiet]);
      expect(installed.code, installed.output).toBe(0);
      for (const typescript of ["6", "5.9", "7"]) {
        if (typescript !== "6") {
          const other = await npm(dir, [
            "install",
            "--save-dev",
            `typescript@~${typescript}.0`,
            "--force",
            ...quiet,
          ]);
          expect(other.code, other.output).toBe(0);
        }
        const version = await npm(dir, ["exec", "--", "tsc", "--version"]);
        expect(version.output).toContain(`Version ${typescript}`);
        rmSync(join(dir, "dist"), { recursive: true, force: true });
        const before =
          readFileSync(join(dir, "openclaw.plugin.json"), "utf8") +
          readFileSync(join(dir, "package.json"), "utf8");
        for (const script of scripts) {
          const run = await npm(dir, ["run", script]);
          expect(run.code, `${typescript} ${script}: ${run.output}`).toBe(0);
          if (script === "plugin:validate") expect(run.output).toContain("Plugin fresh is valid.");
        }
        const after =
          readFileSync(join(dir, "openclaw.plugin.json"), "utf8") +
          readFileSync(join(dir, "package.json"), "utf8");
        expect(after).toBe(before);
      }
    });
  }
});
