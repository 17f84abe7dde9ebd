// Checks plugins against the published `openclaw` 2026.9.6: built here they validate there, and scaffolded there they
// build and validate here unchanged. That release needs Node 24.16 or newer and takes several hundred megabytes, so it is
// used where it is, or installed into a temporary folder when asked.
//
// usage: node scripts/interop.mjs [--install] [--node <node 24>] [--cli <folder with node_modules/openclaw>]
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "./build.mjs";

const RELEASE = "2026.9.6";
const NODE = "24.22.3";
const root = fileURLToPath(new URL("..", import.meta.url));
const own = join(root, "bin/openclaw.js");
const work = realpathSync(mkdtempSync(join(tmpdir(), "openclaw-interop-")));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

const option = (name) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};

/** Ends the script with the reason why nothing was checked; that is no failure. */
function unavailable(reason) {
  process.stdout.write(`interop: not checked, ${reason}\n`);
  process.exit(0);
}

function run(program, args, cwd, env = {}) {
  const home = join(work, "home");
  mkdirSync(home, { recursive: true });
  return spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    timeout: 600_000,
    env: { ...process.env, HOME: home, NO_COLOR: "1", ...env },
  });
}

function newEnough(node) {
  const version = spawnSync(node, ["-p", "process.versions.node"], { encoding: "utf8" }).stdout?.trim() ?? "";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return (major === 24 && minor >= 16) || major > 24;
}

function install(folder, ...packages) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...packages];
  const { status, stderr } = run("npm", args, folder);
  if (status !== 0) unavailable(`${packages.join(", ")} cannot be installed: ${stderr.split("\n")[0]}`);
}

function findNode() {
  const given = option("--node") ?? process.execPath;
  if (newEnough(given)) return given;
  if (!process.argv.includes("--install")) {
    unavailable(`it needs Node 24.16 or newer and this is ${process.version}; try --install or --node`);
  }
  const name = `node-${process.platform}-${process.arch}`;
  install(join(work, "node"), `${name}@${NODE}`);
  return join(work, "node/node_modules", name, "bin/node");
}

function findRelease() {
  const folder = resolve(option("--cli") ?? join(work, "release"));
  const packageFile = join(folder, "node_modules/openclaw/package.json");
  if (!existsSync(packageFile)) {
    if (!process.argv.includes("--install"))
      unavailable(`openclaw ${RELEASE} is not there; try --install or --cli`);
    install(folder, `openclaw@${RELEASE}`);
  }
  const { version, bin } = JSON.parse(readFileSync(packageFile, "utf8"));
  if (version !== RELEASE) unavailable(`this is openclaw ${version}, not ${RELEASE}`);
  return join(folder, "node_modules/openclaw", bin.openclaw ?? bin);
}

function link(dir) {
  mkdirSync(join(dir, "node_modules"), { recursive: true });
  for (const [name, target] of Object.entries({
    openclaw: root,
    typebox: join(root, "node_modules/typebox"),
    vitest: join(root, "node_modules/vitest"),
  })) {
    symlinkSync(target, join(dir, "node_modules", name), "junction");
  }
}

let failures = 0;
function expectRun(title, { status, stdout, stderr }, wanted) {
  const ok = status === 0 && stdout.includes(wanted);
  if (!ok) failures += 1;
  process.stdout.write(`${ok ? "ok  " : "FAIL"} ${title}\n`);
  if (!ok) process.stdout.write(`${stdout}${stderr}`.replace(/^/gm, "     "));
}

const CONFIGURED = `import { Type } from "typebox";
import { defineToolPlugin } from "openclaw/plugin-sdk/tool-plugin";
export default defineToolPlugin({ id: "configured", name: "Configured", description: "Settings and options.",
  configSchema: Type.Object({ key: Type.Optional(Type.String()), size: Type.Integer({ default: 5 }), tags: Type.Record(Type.String(), Type.String()) }),
  tools: (tool) => [
    tool({ name: "one", description: "d", parameters: Type.Object({ bag: Type.Object({}, { additionalProperties: true }) }), optional: true, execute: () => 1 }),
    tool({ name: "two", description: "d", parameters: Type.Object({}), factory: () => null }),
  ] });
`;

await build();
const node = findNode();
const release = findRelease();
const here = (args, cwd) =>
  run(process.execPath, [own, ...args], cwd, { OPENCLAW_STATE_DIR: join(work, "state") });
const there = (args, cwd) =>
  run(node, [release, ...args], cwd, { OPENCLAW_STATE_DIR: join(work, "their-state") });
const tsc = (dir, ...args) =>
  run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", ...args], dir);
const entry = ["--entry", "./dist/index.js"];

const ours = join(work, "ours");
here(["plugins", "init", "ours"], work);
link(ours);
expectRun("scaffolded here: compiles", tsc(ours, "tsconfig.build.json"), "");
expectRun("scaffolded here: builds here", here(["plugins", "build", ...entry], ours), "up to date");
expectRun(
  "scaffolded here: validates there",
  there(["plugins", "validate", ...entry], ours),
  "Plugin ours is valid.",
);
expectRun(
  "scaffolded here: is up to date there",
  there(["plugins", "build", ...entry, "--check"], ours),
  "up to date",
);

const configured = join(work, "configured");
mkdirSync(join(configured, "dist"), { recursive: true });
link(configured);
writeFileSync(join(configured, "package.json"), '{"name": "configured", "version": "1.2.3"}\n');
writeFileSync(join(configured, "dist/index.js"), CONFIGURED);
expectRun(
  "settings, optional and factory tools: build here",
  here(["plugins", "build", ...entry], configured),
  "Wrote",
);
expectRun(
  "settings, optional and factory tools: validate there",
  there(["plugins", "validate", ...entry], configured),
  "Plugin configured is valid.",
);

const theirs = join(work, "theirs");
expectRun(
  "scaffolded there",
  there(["plugins", "init", "theirs", "--name", "Their Tools"], work),
  "Created theirs",
);
link(theirs);
// Its tsconfig names no rootDir, which TypeScript 6 wants.
tsc(theirs, "tsconfig.json", "--rootDir", "src");
expectRun(
  "scaffolded there: is up to date here",
  here(["plugins", "build", ...entry, "--check"], theirs),
  "up to date",
);
expectRun("scaffolded there: builds here", here(["plugins", "build", ...entry], theirs), "up to date");
expectRun(
  "scaffolded there: validates here",
  here(["plugins", "validate", ...entry], theirs),
  "Plugin theirs is valid.",
);
process.stdout.write(
  failures === 0 ? `interop: all checked against openclaw ${RELEASE}\n` : `interop: ${failures} failed\n`,
);
process.exitCode = failures === 0 ? 0 : 1;
