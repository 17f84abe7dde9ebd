import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../support/cli.js";
import { tempDir } from "../../support/temp.js";

const HOOK = `import { writeSync } from "node:fs";
export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  writeSync(2, resolved.url + "\\n");
  return resolved;
}`;

/** The packages a fresh process loads to prepare this cell. */
async function packagesFor(input: unknown): Promise<string[]> {
  const dir = tempDir({
    "hook.mjs": `import { register } from "node:module";
register("data:text/javascript," + encodeURIComponent(${JSON.stringify(HOOK)}));`,
    "run.mjs": `const { prepareCell } = await import("./prepare.mjs");
const outcome = await prepareCell(${JSON.stringify(input)}, { languages: ["javascript", "typescript"] });
console.log(outcome.ok);`,
  });
  symlinkSync(join(projectRoot, "node_modules"), join(dir, "node_modules"));
  await build({
    entryPoints: [join(projectRoot, "src/runtime/prepare/prepare.ts")],
    outfile: join(dir, "prepare.mjs"),
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "error",
  });
  const run = spawnSync(process.execPath, ["--import", "./hook.mjs", "run.mjs"], {
    cwd: dir,
    encoding: "utf8",
  });
  expect(run.stdout.trim()).toMatch(/^(true|false)$/);
  const names = run.stderr
    .split("\n")
    .flatMap((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []);
  return [...new Set(names)].sort();
}

describe("what preparing a cell loads", () => {
  it("is no package for a valid JavaScript cell", async () => {
    expect(await packagesFor({ code: "const a = await Promise.resolve(1); return a;" })).toEqual([]);
  });

  it("is acorn alone when a JavaScript cell has to be judged or explained", async () => {
    expect(await packagesFor({ code: "return import('x')" })).toEqual(["acorn"]);
    expect(await packagesFor({ code: "const a = ;" })).toEqual(["acorn"]);
  });

  it("is the transformer alone for a plain TypeScript cell", async () => {
    const loaded = await packagesFor({ code: "const a: number = 1; return a;", language: "typescript" });
    expect(loaded).toContain("oxc-transform");
    expect(loaded.filter((name) => /^(acorn|typescript|oxc-parser)$/.test(name))).toEqual([]);
  });
});
