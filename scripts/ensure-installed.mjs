// Installs dependencies when they are missing or older than the lock file. Uses Node's own modules only,
// since it runs before anything is installed.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

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

/** Whether node_modules holds what the lock file asks for, by npm's own record of what it installed. */
function isInstalled() {
  const record = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const present = JSON.parse(readFileSync(record, "utf8")).packages;
  return Object.entries(wanted).every(
    // Optional packages are for other platforms as often as not.
    ([path, { version, optional }]) => path === "" || optional === true || present[path]?.version === version,
  );
}

export function ensureInstalled() {
  if (isInstalled()) return;
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
}
