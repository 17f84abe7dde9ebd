import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { projectRoot } from "./cli.js";

export interface EntryRun {
  loader?: string;
  metadata?: { id: string; tools: { name: string }[] };
  error?: { code: string; message: string; hint?: string };
  stdout: string;
  stderr: string;
  code: number | null;
}

let script: Promise<string> | undefined;

/** Bundled, since a transpiling loader in the child would meddle with the very imports under test. */
function bundledScript(): Promise<string> {
  const outfile = join(projectRoot, "dist", `test-import-entry-${process.pid}.mjs`);
  script ??= build({
    entryPoints: [fileURLToPath(new URL("./import-entry.mts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  }).then(() => outfile);
  return script;
}

/** Imports an entry with `importEntry` in a process of its own, as a command would. */
export async function runEntry(
  rootDir: string,
  file: string,
  options: { timeoutMs?: number; json?: boolean } = {},
): Promise<EntryRun> {
  const args = [await bundledScript(), rootDir, join(rootDir, file), String(options.timeoutMs ?? 10_000)];
  const child = spawn(process.execPath, [...args, ...(options.json ? ["--json"] : [])], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  return new Promise((resolve, reject) => {
    const run: EntryRun = { stdout: "", stderr: "", code: null };
    child.stdout?.on("data", (chunk) => {
      run.stdout += chunk;
    });
    child.stderr?.on("data", (chunk) => {
      run.stderr += chunk;
    });
    child.on("message", (message) => Object.assign(run, message));
    child.on("error", reject);
    child.on("close", (code) => resolve({ ...run, code }));
  });
}
