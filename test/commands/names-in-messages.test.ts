import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemReason } from "../../src/errors.js";
import { shellWord } from "../../src/text/shell-word.js";
import { runCli } from "../support/cli.js";
import { helloEntry, writePlugin } from "../support/plugin-project.js";
import { tempDir } from "../support/temp.js";

function bench(files: Record<string, string> = {}) {
  const root = tempDir(files);
  const env = { OPENCLAW_STATE_DIR: join(root, "state"), HOME: root };
  return { root, run: (...args: string[]) => runCli(args, { cwd: root, env }) };
}

test("a failed install names the user's own files, not those of its stage", async () => {
  const { root, run } = bench({
    "bare/package.json": JSON.stringify({ name: "bare", openclaw: { extensions: ["./index.js"] } }),
    "broken/package.json": JSON.stringify({ name: "broken", openclaw: { extensions: ["./index.js"] } }),
    "broken/openclaw.plugin.json": "{",
    "junk.tgz": "junk",
  });
  for (const [spec, place] of [
    ["./bare", "bare/openclaw.plugin.json"],
    ["./broken", "broken/openclaw.plugin.json"],
    ["./junk.tgz", "junk.tgz"],
  ] as const) {
    const { code, stderr } = await run("plugins", "install", spec);
    expect([code, stderr]).toEqual([1, expect.stringContaining(join(root, place))]);
    expect(stderr).not.toContain(join("toolchain", "stage"));
  }
});

test("a bare name that is a folder here says how to install the folder", async () => {
  const { root, run } = bench();
  writePlugin(join(root, "stock-quotes"), { id: "stock-quotes" });
  const { code, stderr } = await run("plugins", "install", "stock-quotes");
  expect([code, stderr]).toEqual([1, expect.stringContaining("openclaw plugins install ./stock-quotes.")]);
});

test("validate says of an id what install would say", async () => {
  const { root, run } = bench();
  for (const [id, code, finding] of [
    ["../x", 1, { code: "plugin-id-unsafe", severity: "error" }],
    ["Brk X", 0, { code: "plugin-id-unusual", severity: "warning" }],
  ] as const) {
    const dir = join(root, "p");
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, "index.js"), helloEntry(id));
    writeFileSync(
      join(dir, "package.json"),
      JSON.stringify({
        name: "p",
        version: "1.0.0",
        type: "module",
        openclaw: { extensions: ["./index.js"] },
      }),
    );
    expect((await run("plugins", "build", "--root", "p")).code).toBe(code);
    const checked = (await run("plugins", "validate", "--root", "p", "--json")).json();
    expect(checked.findings).toContainEqual(expect.objectContaining(finding));
    if (code === 0) {
      const installed = await run("plugins", "install", "./p");
      expect(installed.stdout).toContain(`openclaw plugins inspect '${id}' --runtime`);
    }
  }
});

test("an id that is only too long is told so", async () => {
  const { run } = bench();
  const { code, stderr } = await run("plugins", "init", "a".repeat(201));
  expect([code, stderr]).toEqual([2, expect.stringContaining("longer than 200 bytes")]);
});

test("a folder given for a file is called a folder", async () => {
  const { run } = bench({ "here/x": "" });
  for (const args of [
    ["exec", "--mcp", "here", "-c", "return 1"],
    ["exec", "--trajectory", "here", "-c", "return 1"],
    ["config", "validate", "here"],
  ]) {
    const { stderr } = await run(...args);
    expect(stderr).toMatch(/^error: cannot (read|write) [^\n]*here: it is a folder\n/);
  }
  expect(systemReason(Object.assign(new Error("x"), { code: "constructor" }))).toBe("x");
});

test("words of a command to paste are quoted where a shell needs it", () => {
  expect(["a-b/c.ts", "a b", "it's", ""].map(shellWord)).toEqual(["a-b/c.ts", "'a b'", "'it'\\''s'", "''"]);
});
