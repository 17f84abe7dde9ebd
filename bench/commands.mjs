// Whole-process wall time of each command as a ratio to `node -e 0`, medians of five interleaved runs.
// Exits 1 when a promised ratio is missed. usage: node bench/commands.mjs [rounds]
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "../scripts/build.mjs";
import { measure, printTable } from "./measure.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const cli = join(root, "bin/openclaw.js");
await build();

const work = realpathSync(mkdtempSync(join(tmpdir(), "openclaw-bench-")));
const plugin = join(work, "stock-quotes");
const env = { OPENCLAW_STATE_DIR: join(work, "state"), OPENCLAW_HOME: work, OPENCLAW_CONFIG_PATH: "" };

function must(args, cwd) {
  const run = spawnSync(process.execPath, args, { cwd, env: { ...process.env, ...env }, encoding: "utf8" });
  if (run.status !== 0) throw new Error(`${args.join(" ")}:\n${run.stdout}${run.stderr}`);
}

try {
  must([cli, "plugins", "init", "stock-quotes"], work);
  mkdirSync(join(plugin, "node_modules"));
  const links = { openclaw: root };
  for (const name of ["typebox", "typescript", "vitest", "@types"])
    links[name] = join(root, "node_modules", name);
  for (const [name, target] of Object.entries(links))
    symlinkSync(target, join(plugin, "node_modules", name), "junction");
  must([join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.json"], plugin);
  must([cli, "plugins", "build"], plugin);
  must([cli, "plugins", "install", "."], plugin);
  writeFileSync(join(work, "cell.ts"), "const n: number = 1;\nreturn n + 1;\n");

  const bare = "bare import of the entry";
  const empty = { ...env, OPENCLAW_STATE_DIR: join(work, "empty") };
  const rows = measure(
    [
      { name: "node -e 0", args: ["-e", "0"] },
      { name: "openclaw --version", args: [cli, "--version"], most: 1.5 },
      { name: "openclaw --help", args: [cli, "--help"] },
      { name: "exec -c 'return 1'", args: [cli, "exec", "-c", "return 1"], env: empty, most: 3 },
      { name: "exec cell.ts", args: [cli, "exec", "cell.ts"], cwd: work, env: empty },
      { name: "plugins list", args: [cli, "plugins", "list"], env, most: 2.5 },
      { name: "plugins inspect (cold)", args: [cli, "plugins", "inspect", "stock-quotes"], env, most: 2.5 },
      { name: bare, args: ["--input-type=module", "-e", 'import "./dist/index.js"'], cwd: plugin, env },
      {
        name: "plugins validate",
        args: [cli, "plugins", "validate"],
        cwd: plugin,
        env,
        base: bare,
        most: 1.5,
      },
      {
        name: "plugins build --check",
        args: [cli, "plugins", "build", "--check"],
        cwd: plugin,
        env,
        base: bare,
      },
      {
        name: "exec calling a tool",
        args: [cli, "exec", "-c", 'return await echo({ input: "hi" })'],
        env,
        base: bare,
        most: 2.2,
      },
    ],
    Number(process.argv[2] ?? 5),
  );
  process.stdout.write(`node ${process.version}, medians\n`);
  process.exitCode = printTable(rows) ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
