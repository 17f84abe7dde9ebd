import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ensureFolder } from "../src/ensure-folder.js";
import { runCli } from "./support/cli.js";
import { tempDir } from "./support/temp.js";

test("folders are made as deep as asked, also twice and side by side", async () => {
  const dir = tempDir();
  const deep = join(dir, "a", "b", "c");
  await Promise.all([ensureFolder(deep), ensureFolder(deep), ensureFolder(join(dir, "a", "x"))]);
  await ensureFolder(deep);
  expect(existsSync(deep)).toBe(true);
});

test("a file in the way is named", async () => {
  const dir = tempDir({ "a/file": "" });
  await expect(ensureFolder(join(dir, "a", "file", "b", "c"))).rejects.toThrow(
    `${join(dir, "a", "file")} is a file`,
  );
});

test.runIf(process.platform === "linux")("a path that cannot be extended fails at once", async () => {
  await expect(ensureFolder("/proc/nowhere/deep")).rejects.toThrow("/proc/nowhere");
  const state = tempDir();
  const env = { OPENCLAW_STATE_DIR: state, OPENCLAW_HOME: state };
  const init = await runCli(["plugins", "init", "y", "--directory", "/proc/foo/bar"], {
    env,
    timeoutMs: 20_000,
  });
  expect([init.code, init.stdout]).toEqual([1, ""]);
  expect(init.stderr).toContain("/proc/foo");
  const set = await runCli(["config", "set", "tools.codeMode", "true"], {
    env: { OPENCLAW_STATE_DIR: "/proc/foo", OPENCLAW_HOME: state },
    timeoutMs: 20_000,
  });
  expect(set.code).toBe(1);
  expect(set.stderr).toContain("/proc/foo");
});
