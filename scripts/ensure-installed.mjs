// Installs dependencies when they are missing or older than the lock file. Uses Node's own modules only,
// since it runs before anything is installed.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = join(root, "node_modules", ".openclaw-installed");

/** Node's own npm, started without a shell: `npm.cmd` cannot be spawned directly on Windows. */
function npmCli() {
  const fromNpm = process.env.npm_execpath;
  if (fromNpm?.endsWith("npm-cli.js")) return fromNpm;
  const beside = [
    join(dirname(process.execPath), "node_modules/npm/bin/npm-cli.js"),
    join(dirname(process.execPath), "../lib/node_modules/npm/bin/npm-cli.js"),
  ];
  return beside.find((path) => existsSync(path));
}

export function ensureInstalled() {
  const lock = readFileSync(join(root, "package-lock.json"), "utf8");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  process.stderr.write("installing dependencies (first run only)\n");
  const cli = npmCli();
  const args = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  const run =
    cli === undefined
      ? spawnSync("npm", args, { cwd: root, stdio: ["ignore", 2, 2], shell: process.platform === "win32" })
      : spawnSync(process.execPath, [cli, ...args], { cwd: root, stdio: ["ignore", 2, 2] });
  if (run.status !== 0) {
    process.stderr.write("error: `npm ci` failed; see the lines above\n");
    process.exit(1);
  }
  writeFileSync(stamp, lock);
}
