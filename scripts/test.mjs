// `npm test`: installs what is missing, builds, then checks types, style and folders and runs the tests.
// `--full` runs everything; other arguments go to vitest.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./ensure-installed.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
ensureInstalled();
const { build } = await import("./build.mjs");
await build();

const full = process.argv.includes("--full");
const rest = process.argv.slice(2).filter((word) => word !== "--full");
const bin = (path) => join(root, "node_modules", path);
const run = (name, args, env = {}) => {
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  if (status !== 0) {
    process.stderr.write(`error: ${name} failed\n`);
    process.exit(status ?? 1);
  }
};
if (rest.length === 0) {
  run("type check", [bin("typescript/bin/tsc"), "-p", "tsconfig.json", "--noEmit"]);
  run("lint", [bin("@biomejs/biome/bin/biome"), "check", "--max-diagnostics=30", "."]);
}
run("tests", [bin("vitest/vitest.mjs"), "run", ...rest], full ? { OPENCLAW_TEST_FULL: "1" } : {});
