// `npm start`: the main job from nothing. Installs what is missing, builds, then in a temporary folder scaffolds a
// plugin, builds and validates it, installs it into a throw-away state directory and runs a TypeScript cell that
// finds the plugin's tool and calls it.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./ensure-installed.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const cli = join(root, "bin/openclaw.js");

ensureInstalled();
const { build } = await import("./build.mjs");
await build();

const work = realpathSync(mkdtempSync(join(tmpdir(), "openclaw-start-")));
const plugin = join(work, "stock-quotes");
const state = join(work, "state");

const CELL = `const [tool] = await catalog.search("echo text");
if (!tool) throw new Error("the plugin's tool was not found");
text(\`found \${tool.callableName} \${tool.input} -> \${tool.output ?? "?"}\`);

const words: string[] = ["hello", "from", "a", "cell"];
const replies = await Promise.all(words.map((input) => tool({ input })));
return replies;
`;

function fail(step) {
  rmSync(work, { recursive: true, force: true });
  process.stderr.write(`error: ${step} failed\n`);
  process.exit(1);
}

function step(title, script, args, cwd) {
  process.stdout.write(`\n> ${title}\n`);
  const { status } = spawnSync(process.execPath, [script, ...args], {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, OPENCLAW_STATE_DIR: state, OPENCLAW_HOME: work, OPENCLAW_CONFIG_PATH: "" },
  });
  if (status !== 0) fail(title);
}

/** What `npm install` would bring is already here: linked instead of downloaded a second time. */
function linkDependencies() {
  mkdirSync(join(plugin, "node_modules"));
  const links = { openclaw: root };
  for (const name of ["typebox", "typescript", "vitest", "@types"])
    links[name] = join(root, "node_modules", name);
  for (const [name, target] of Object.entries(links)) {
    symlinkSync(target, join(plugin, "node_modules", name), "junction");
  }
}

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    rmSync(work, { recursive: true, force: true });
    process.exit(130);
  });
}

try {
  step(
    "openclaw plugins init stock-quotes",
    cli,
    ["plugins", "init", "stock-quotes", "--name", "Stock Quotes"],
    work,
  );
  linkDependencies();
  step("tsc", join(root, "node_modules/typescript/bin/tsc"), ["-p", "tsconfig.json"], plugin);
  step("openclaw plugins build", cli, ["plugins", "build", "--entry", "./dist/index.js"], plugin);
  step("openclaw plugins validate", cli, ["plugins", "validate", "--entry", "./dist/index.js"], plugin);
  step("openclaw plugins install ./stock-quotes", cli, ["plugins", "install", "./stock-quotes"], work);
  writeFileSync(join(work, "cell.ts"), CELL);
  process.stdout.write(`\ncell.ts:\n${CELL.replace(/^/gm, "  ").trimEnd()}\n`);
  step("openclaw exec cell.ts", cli, ["exec", "cell.ts"], work);
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.stdout.write("\nThe whole loop ran. Next: openclaw plugins init my-plugin (see README.md)\n");
