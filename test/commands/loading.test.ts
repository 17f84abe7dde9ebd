import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { projectRoot, runCli } from "../support/cli.js";
import { tempDir, writeFiles } from "../support/temp.js";

/** Chunks of dist/ that hold commander, and those that start the engine's worker, by what only they say. */
let commanderChunks: string[] = [];
let engineChunks: string[] = [];

beforeAll(() => {
  const names = readdirSync(join(projectRoot, "dist/chunks")).map((name) => `dist/chunks/${name}`);
  const holding = (marker: string): string[] => {
    const found = names.filter((file) => readFileSync(join(projectRoot, file), "utf8").includes(marker));
    expect(found.length, marker).toBeGreaterThan(0);
    return found;
  };
  commanderChunks = holding("commander.unknownCommand");
  engineChunks = holding("stackSizeMb");
});

/** Every script any thread of a command line loaded, relative to the project, as V8 recorded it. */
async function scriptsOf(args: string[], env: Record<string, string> = {}, cwd?: string): Promise<string[]> {
  const coverage = tempDir();
  const state = tempDir();
  const run = await runCli(args, {
    env: { NODE_V8_COVERAGE: coverage, OPENCLAW_STATE_DIR: state, OPENCLAW_HOME: state, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  expect(run.code, run.stderr).toBe(0);
  const scripts = new Set<string>();
  for (const file of readdirSync(coverage)) {
    const { result } = JSON.parse(readFileSync(join(coverage, file), "utf8")) as {
      result: { url: string }[];
    };
    for (const { url } of result) {
      if (url.startsWith("file:"))
        scripts.add(relative(projectRoot, fileURLToPath(url)).replaceAll("\\", "/"));
    }
  }
  return [...scripts];
}

const touches = (scripts: string[], pattern: RegExp): string[] =>
  scripts.filter((script) => pattern.test(script));

const startsEngine = (scripts: string[]): boolean => scripts.some((script) => engineChunks.includes(script));

test("--version loads neither commander nor any command or plugin code", async () => {
  const scripts = await scriptsOf(["--version"]);
  expect(scripts).toContain("dist/cli.js");
  expect(scripts.filter((script) => commanderChunks.includes(script))).toEqual([]);
  expect(touches(scripts, /node_modules|plugin|catalog|worker/)).toEqual([]);
});

test("--help loads commander and nothing heavy", async () => {
  const scripts = await scriptsOf(["--help"]);
  expect(scripts.some((script) => commanderChunks.includes(script))).toBe(true);
  expect(touches(scripts, /node_modules/)).toEqual([]);
});

test("no command but exec loads QuickJS", async () => {
  for (const args of [
    ["plugins", "list"],
    ["plugins", "doctor"],
    ["catalog"],
    ["config", "path"],
    ["mcp", "list"],
  ]) {
    const scripts = await scriptsOf(args);
    expect(startsEngine(scripts), args.join(" ")).toBe(false);
  }
  const dir = tempDir();
  await runCli(["plugins", "init", "probe-tools"], { cwd: dir });
  const project = join(dir, "probe-tools");
  writeFiles(project, {
    "dist/index.js": readEntry(),
    "node_modules/typebox/package.json": JSON.stringify({ name: "typebox" }),
  });
  for (const args of [
    ["plugins", "build"],
    ["plugins", "validate"],
  ]) {
    const scripts = await scriptsOf(args, {}, project);
    expect(startsEngine(scripts), args.join(" ")).toBe(false);
  }
});

test("a JavaScript cell loads QuickJS and no TypeScript transformer", async () => {
  const scripts = await scriptsOf(["exec", "-c", "return 1"]);
  expect(startsEngine(scripts)).toBe(true);
  expect(touches(scripts, /oxc|typescript|esbuild|jiti|tsx/)).toEqual([]);
});

test("a TypeScript cell loads the transformer and not the compiler", async () => {
  const scripts = await scriptsOf([
    "exec",
    "--language",
    "typescript",
    "-c",
    "const n: number = 1; return n",
  ]);
  expect(touches(scripts, /oxc-transform/)).not.toEqual([]);
  expect(touches(scripts, /node_modules\/typescript/)).toEqual([]);
});

/** A built entry without dependencies, so that validate has something to import. */
function readEntry(): string {
  return `import { defineToolPlugin } from "openclaw/plugin-sdk/tool-plugin";
export default defineToolPlugin({ id: "probe-tools", name: "Probe Tools", description: "Add Probe Tools to OpenClaw.",
  tools: (tool) => [tool({ name: "probe", description: "Probe.", parameters: { type: "object", properties: {} }, execute: () => 1 })] });
`;
}
