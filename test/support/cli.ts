import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));
export const binFile = fileURLToPath(new URL("../../bin/openclaw.js", import.meta.url));

export interface CliRun {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** stdout as the JSON document it must be; throws when it is not exactly one. */
  json: <T = any>() => T;
}

export interface CliOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  /** Text for stdin; without it stdin is closed at once. */
  input?: string;
  /** The child is killed after this many ms (60,000). */
  timeoutMs?: number;
}

/** Runs the built command line as a child process with a clean OPENCLAW_* environment. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(OPENCLAW_|FORCE_COLOR|NO_COLOR|VITEST)/.test(name)),
  );
  const child = spawn(process.execPath, [binFile, ...args], {
    cwd: options.cwd ?? projectRoot,
    env: { ...inherited, NO_COLOR: "1", ...options.env } as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "pipe"],
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), options.timeoutMs ?? 60_000);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      stderr += chunk;
    });
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout, stderr, json: () => JSON.parse(stdout) });
    });
  });
}
