import { execFile } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { projectRoot, runCli } from "./cli.js";

const run = promisify(execFile);

/** `plugins init` in `parent`, with this project's own packages in place of an install. */
export async function localScaffold(parent: string, id: string, ...args: string[]): Promise<string> {
  const made = await runCli(["plugins", "init", id, ...args], { cwd: parent });
  if (made.code !== 0) throw new Error(`init failed: ${made.stderr}`);
  const dir = join(parent, id);
  for (const name of ["typescript", "vitest", "vite", "typebox"])
    link(dir, join(projectRoot, "node_modules", name), name);
  link(dir, projectRoot, "openclaw");
  return dir;
}

function link(dir: string, target: string, name: string): void {
  const at = join(dir, "node_modules", name);
  mkdirSync(dirname(at), { recursive: true });
  if (!existsSync(at)) symlinkSync(target, at);
}

export interface ToolRun {
  code: number;
  output: string;
}

/** Runs a script of an installed package with this Node. */
export async function runTool(dir: string, script: string, args: readonly string[]): Promise<ToolRun> {
  const file = join(dir, "node_modules", script);
  try {
    const { stdout, stderr } = await run(process.execPath, [file, ...args], { cwd: dir, env: cleanEnv() });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: `${stdout}${stderr}` };
  }
}

/** Runs npm in a folder, offline where it can. */
export async function npm(dir: string, args: readonly string[]): Promise<ToolRun> {
  try {
    const { stdout, stderr } = await run("npm", [...args], { cwd: dir, env: cleanEnv(), maxBuffer: 1e8 });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code: typeof code === "number" ? code : 1, output: `${stdout}${stderr}` };
  }
}

function cleanEnv(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|NODE_OPTIONS|OPENCLAW_|npm_)/.test(name),
  );
  return { ...Object.fromEntries(entries), NO_COLOR: "1" } as NodeJS.ProcessEnv;
}
