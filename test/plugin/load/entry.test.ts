import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot, runCli } from "../../support/cli.js";
import { runEntry } from "../../support/entry.js";
import { tempDir, writeFiles } from "../../support/temp.js";

const PLUGIN = `
import { defineToolPlugin } from "openclaw/plugin-sdk/tool-plugin";
export default defineToolPlugin({ id: "p", name: "P", description: "d", tools: (tool) => [
  tool({ name: "echo", description: "e", parameters: { type: "object", properties: {} }, execute: () => "hi" }),
] });
`;

/** Links what a plugin would have installed, so that no registry is needed. */
function linkModules(dir: string, ...names: string[]): void {
  mkdirSync(join(dir, "node_modules"), { recursive: true });
  for (const name of names) {
    const target = name === "openclaw" ? projectRoot : join(projectRoot, "node_modules", name);
    symlinkSync(target, join(dir, "node_modules", name));
  }
}

const TYPE_MODULE = JSON.stringify({ name: "p", type: "module" });

describe("importing an entry", () => {
  it("serves our SDK where no openclaw is installed", async () => {
    const root = tempDir({ "package.json": TYPE_MODULE, "index.js": PLUGIN });
    expect(await runEntry(root, "index.js")).toMatchObject({ loader: "native", metadata: { id: "p" } });
  });

  it("serves our SDK where openclaw links to us", async () => {
    const root = tempDir({ "package.json": TYPE_MODULE, "index.js": PLUGIN });
    linkModules(root, "openclaw");
    expect(await runEntry(root, "index.js")).toMatchObject({ loader: "native", metadata: { id: "p" } });
  });

  it("serves our SDK where another openclaw is installed, to dependencies too", async () => {
    const foreign = 'throw new Error("the wrong openclaw");';
    const root = tempDir({
      "package.json": TYPE_MODULE,
      "index.js": `import "dep";\n${PLUGIN}`,
      "node_modules/dep/package.json": JSON.stringify({ name: "dep", type: "module", main: "./i.js" }),
      "node_modules/dep/i.js":
        'import { textResult } from "openclaw/plugin-sdk/tool-results"; textResult("x");',
    });
    for (const at of ["", "node_modules/dep/"]) {
      writeFiles(root, {
        [`${at}node_modules/openclaw/package.json`]: JSON.stringify({
          name: "openclaw",
          type: "module",
          exports: { "./plugin-sdk/*": "./x.js" },
        }),
        [`${at}node_modules/openclaw/x.js`]: foreign,
      });
    }
    expect(await runEntry(root, "index.js")).toMatchObject({ metadata: { id: "p" } });
  });

  for (const type of ["module", "commonjs", undefined]) {
    it(`imports the same ES module under "type": ${type}`, async () => {
      const root = tempDir({ "package.json": JSON.stringify({ name: "p", type }), "index.js": PLUGIN });
      expect(await runEntry(root, "index.js")).toMatchObject({ metadata: { id: "p" } });
    });
  }

  it("imports CommonJS, also when it requires the SDK", async () => {
    const root = tempDir({
      "package.json": JSON.stringify({ name: "p" }),
      "index.cjs": `
        Object.defineProperty(exports, "__esModule", { value: true });
        const { defineToolPlugin } = require("openclaw/plugin-sdk/tool-plugin");
        exports.default = defineToolPlugin({ id: "c", name: "C", description: "d", tools: () => [] });`,
    });
    const run = await runEntry(root, "index.cjs");
    expect(run).toMatchObject({ loader: "native", metadata: { id: "c" } });
    expect(run.stderr).toBe("");
  });

  it("imports TypeScript with enums, parameter properties and .js specifiers, under node_modules too", async () => {
    const files = {
      "package.json": TYPE_MODULE,
      "src/index.ts": `
        import { defineToolPlugin } from "openclaw/plugin-sdk/tool-plugin";
        import { Kind, Holder } from "./kinds.js";
        export default defineToolPlugin({ id: Kind.A + new Holder("x").value, name: "T", description: "d", tools: () => [] });`,
      "src/kinds.ts": `
        export enum Kind { A = "a" }
        export class Holder { constructor(readonly value: string) {} }`,
    };
    const root = tempDir(files);
    expect(await runEntry(root, "src/index.ts")).toMatchObject({
      loader: "transpiled",
      metadata: { id: "ax" },
    });
    const nested = join(root, "node_modules", "inner");
    writeFiles(nested, files);
    expect(await runEntry(nested, "src/index.ts")).toMatchObject({ metadata: { id: "ax" } });
  });

  it("waits for top-level await", async () => {
    const root = tempDir({
      "package.json": TYPE_MODULE,
      "index.js": `await new Promise((done) => setTimeout(done, 5));\n${PLUGIN}`,
    });
    expect(await runEntry(root, "index.js")).toMatchObject({ loader: "native", metadata: { id: "p" } });
  });

  it("reads past a byte order mark", async () => {
    const root = tempDir({
      "package.json": TYPE_MODULE,
      "index.js": `\ufeff${PLUGIN}`,
      "index.ts": `\ufeff${PLUGIN}`,
    });
    expect(await runEntry(root, "index.js")).toMatchObject({ metadata: { id: "p" } });
    expect(await runEntry(root, "index.ts")).toMatchObject({ metadata: { id: "p" } });
  });

  it("imports files that mix exports with import.meta, and bundles that call require", async () => {
    const root = tempDir({
      "package.json": JSON.stringify({ name: "p" }),
      "mixed.js": `
        const { defineToolPlugin } = require("openclaw/plugin-sdk/tool-plugin");
        exports.url = import.meta.url;
        exports.default = defineToolPlugin({ id: "m", name: "M", description: "d", tools: () => [] });`,
      "bundle.mjs": `
        var __require = ((x) => typeof require !== "undefined" ? require : x)(function (x) {
          throw Error('Dynamic require of "' + x + '" is not supported');
        });
        const path = __require("node:path");
        import { defineToolPlugin } from "openclaw/plugin-sdk/tool-plugin";
        export default defineToolPlugin({ id: path.basename("/a/b"), name: "B", description: "d", tools: () => [] });`,
    });
    expect(await runEntry(root, "mixed.js")).toMatchObject({ loader: "transpiled", metadata: { id: "m" } });
    expect(await runEntry(root, "bundle.mjs")).toMatchObject({ loader: "transpiled", metadata: { id: "b" } });
  });

  it("copes with #, ?, %, quotes, blanks and non-ASCII letters in the path", async () => {
    const root = join(tempDir(), "a#b?c%20d it's größe 漢");
    writeFiles(root, { "package.json": TYPE_MODULE, "in dex.js": PLUGIN, "in dex.ts": PLUGIN });
    expect(await runEntry(root, "in dex.js")).toMatchObject({ metadata: { id: "p" } });
    expect(await runEntry(root, "in dex.ts")).toMatchObject({ metadata: { id: "p" } });
  });
});

describe("SDK parts this toolchain does not have", () => {
  const use = (source: string) => ({ "package.json": TYPE_MODULE, "index.js": `${source}\n${PLUGIN}` });

  it("load when they are not used", async () => {
    const root = tempDir(
      use(`import * as all from "openclaw/plugin-sdk/no-such-thing";
           import one, { two as too } from "openclaw/plugin-sdk/other";
           import { notThere } from "openclaw/plugin-sdk/core";
           export const later = () => [all.x(), one, too(), notThere()];`),
    );
    expect(await runEntry(root, "index.js")).toMatchObject({ metadata: { id: "p" } });
    linkModules(root, "openclaw");
    expect(await runEntry(root, "index.js")).toMatchObject({ metadata: { id: "p" } });
  });

  for (const [title, source, named] of [
    [
      "a name of an unknown subpath",
      'import { two } from "openclaw/plugin-sdk/other"; two();',
      "two of openclaw/plugin-sdk/other",
    ],
    [
      "a member of a namespace",
      'import * as all from "openclaw/plugin-sdk/other"; all.three(1);',
      "three of openclaw/plugin-sdk/other",
    ],
    [
      "an unknown name of a known subpath",
      'import { nope } from "openclaw/plugin-sdk/core"; new nope();',
      "nope of openclaw/plugin-sdk/core",
    ],
    ["a dynamic import", 'await import("openclaw/plugin-sdk/other");', "openclaw/plugin-sdk/other"],
    [
      "createRequire",
      'import { createRequire } from "node:module"; createRequire(import.meta.url)("openclaw/plugin-sdk/other").four.five;',
      "four of openclaw/plugin-sdk/other",
    ],
  ] as const) {
    it(`name subpath and plugin when used: ${title}`, async () => {
      const root = tempDir({ ...use(source), "openclaw.plugin.json": '{"id": "needy"}' });
      const run = await runEntry(root, "index.js");
      expect(run.error?.message).toContain(named);
      expect(run.error?.message).toContain("plugin needy");
    });
  }

  it("name subpath and plugin in a TypeScript entry", async () => {
    const root = tempDir({
      "package.json": TYPE_MODULE,
      "openclaw.plugin.json": '{"id": "needy"}',
      "index.ts": `import { two } from "openclaw/plugin-sdk/other";\ntwo();\n${PLUGIN}`,
    });
    expect((await runEntry(root, "index.ts")).error?.message).toMatch(
      /plugin needy .*two of openclaw\/plugin-sdk\/other/,
    );
  });
});

describe("an impolite entry", () => {
  it("prints to stderr whatever way it prints", async () => {
    const root = tempDir({
      "package.json": TYPE_MODULE,
      "index.js": `
        import { writeSync } from "node:fs";
        import { execSync, spawnSync } from "node:child_process";
        console.log("one"); process.stdout.write("two\\n"); writeSync(1, "three\\n");
        execSync("echo four", { stdio: "inherit" }); spawnSync("echo", ["five"], { stdio: [0, 1, 2] });
        console.log("\\x1b[31mred");
        setTimeout(() => console.log("late"), 1);
        ${PLUGIN}`,
    });
    const run = await runEntry(root, "index.js");
    expect(run.metadata?.id).toBe("p");
    for (const word of ["one", "two", "three", "four", "five", "\\x1b[31mred"])
      expect(run.stderr).toContain(word);
  });

  for (const [title, source] of [
    ["calls process.exit", "process.exit(7);"],
    ["calls it and catches the refusal", "try { process.exit(7) } catch {}"],
    [
      "calls it in a timer while it waits",
      "setTimeout(() => process.exit(7), 1); await new Promise(() => setInterval(() => {}, 1000));",
    ],
  ] as const) {
    it(`is reported when it ${title}`, async () => {
      const root = tempDir({ "package.json": TYPE_MODULE, "index.js": `${source}\n${PLUGIN}` });
      expect(await runEntry(root, "index.js")).toMatchObject({
        error: { code: "entry_exited", message: expect.stringContaining("process.exit(7)") },
      });
    });
  }

  it("fails the import with what it throws in a forgotten promise", async () => {
    const root = tempDir({
      "package.json": TYPE_MODULE,
      "index.js": `Promise.reject(new Error("stray"));\nawait new Promise((done) => setTimeout(done, 20));\n${PLUGIN}`,
    });
    expect((await runEntry(root, "index.js")).error).toMatchObject({
      code: "entry_import_failed",
      message: expect.stringMatching(/\.\/index\.js:1:\d+: stray/),
    });
  });

  for (const [title, source] of [
    ["waits for ever", "setInterval(() => {}, 1000); await new Promise(() => {});"],
    ["loops", "for (;;) {}"],
    ["backtracks for ever", '/^(a+)+$/.test("a".repeat(50) + "b");'],
  ] as const) {
    it(`is ended when it ${title}`, async () => {
      const root = tempDir({ "package.json": TYPE_MODULE, "index.js": `${source}\n${PLUGIN}` });
      const run = await runEntry(root, "index.js", { timeoutMs: 300 });
      expect(run.code).toBe(1);
      expect(run.stdout).toBe("");
      expect(run.stderr).toBe(
        "error: plugin entry did not finish importing within 0.3 s: ./index.js\n" +
          "  Something it runs at import waits or loops; move that work into a tool.\n",
      );
      const json = await runEntry(root, "index.js", { timeoutMs: 300, json: true });
      expect(json.code).toBe(1);
      expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, error: { code: "entry_timeout" } });
      expect(json.stderr).toBe("");
    });
  }
});

describe("an entry that waits for what cannot happen", () => {
  it("is told so at once, by every command", async () => {
    const root = tempDir({
      "package.json": JSON.stringify({ name: "p", type: "module", openclaw: { extensions: ["./index.js"] } }),
      "index.js": `await new Promise(() => {});\n${PLUGIN}`,
    });
    const told = "plugin entry never finishes importing: ./index.js";
    for (const args of [
      ["plugins", "build"],
      ["plugins", "validate"],
    ]) {
      const run = await runCli(args, { cwd: root });
      expect([run.code, run.stdout, run.stderr]).toEqual([1, "", expect.stringContaining(`error: ${told}`)]);
      const json = await runCli([...args, "--json"], { cwd: root });
      expect([json.code, json.json().findings[0].code]).toEqual([1, "entry-timeout"]);
    }
    const cell = await runCli(["exec", "--plugin", ".", "-c", "return 4"], { cwd: root });
    expect([cell.code, cell.stdout, cell.stderr]).toEqual([0, "4\n", expect.stringContaining(told)]);
  });
});

describe("an entry that cannot be imported", () => {
  for (const [title, files, message] of [
    [
      "throws",
      { "index.js": '\n  throw new TypeError("boom at import");' },
      "./index.js:2:9: TypeError: boom at import",
    ],
    [
      "throws in a module of its own",
      { "index.js": 'import "./deep/x.js";', "deep/x.js": 'throw new Error("deep");' },
      "./deep/x.js:1:7: deep",
    ],
    [
      "is not JavaScript",
      { "index.js": "export default {\n  oops oops\n};" },
      "./index.js:2:8: SyntaxError: ",
    ],
    ["throws a string", { "index.js": 'throw "just text";' }, "./index.js: just text"],
    ["lacks a file", { "index.js": 'import "./gone.js";' }, "gone.js"],
  ] as const) {
    it(`says where and why: ${title}`, async () => {
      const root = tempDir({ "package.json": TYPE_MODULE, ...files });
      const { error } = await runEntry(root, "index.js");
      expect(error?.code).toBe("entry_import_failed");
      expect(error?.message).toContain(message);
    });
  }

  it("names a missing package and the remedy", async () => {
    const root = tempDir({
      "package.json": TYPE_MODULE,
      "index.js": `import { Type } from "typebox";\n${PLUGIN}`,
    });
    expect((await runEntry(root, "index.js")).error).toMatchObject({
      code: "entry_dependency_missing",
      message: expect.stringContaining("Cannot find package 'typebox'"),
      hint: expect.stringContaining("npm install"),
    });
    linkModules(root, "typebox");
    expect(await runEntry(root, "index.js")).toMatchObject({ metadata: { id: "p" } });
  });

  it("names an entry that is not there", async () => {
    expect((await runEntry(tempDir(), "dist/index.js")).error).toMatchObject({
      code: "entry_not_found",
      message: "plugin entry not found: ./dist/index.js",
    });
  });
});
