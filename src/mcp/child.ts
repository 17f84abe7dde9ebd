import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { findCommand } from "./find-command.js";
import { type Care, takeCare } from "./reaper.js";

/** A server process that is ours to end, with everything it starts. */
export interface OwnedChild {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves once the process has ended and its output is read. */
  readonly ended: Promise<ChildEnd>;
  /** Closes its input, then asks, then kills its whole group; resolves when it is gone. Never rejects. */
  end(): Promise<void>;
}

export interface ChildEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** How long a server has to end by itself once its input is closed, then once it was asked, in ms. */
const GRACE = { eof: 200, term: 600 };
/** How long after the end of a process output of its offspring may still come, in ms. */
const LAST_OUTPUT = 250;

/** Groups that may still hold processes, with the care they are in. */
const living = new Map<number, Care | undefined>();
let hooked = false;

/** The last resort when the process ends without having closed its servers. */
function killAllOnExit(): void {
  if (hooked) return;
  hooked = true;
  process.on("exit", () => {
    for (const pid of living.keys()) signalGroup(pid, "SIGKILL");
  });
}

/** Sends a signal to a whole group; whether there was one to hear it. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    if (process.platform !== "win32") return process.kill(-pid, signal);
    if (signal === 0) return process.kill(pid, 0);
    return spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" }).status === 0;
  } catch {
    return false;
  }
}

export interface ChildOptions {
  command: string;
  args: readonly string[];
  env: Record<string, string>;
  cwd: string;
}

/**
 * Starts a process in a group of its own.
 * @throws Error that says in one line why it cannot be started
 */
export async function startChild({ command, args, env, cwd }: ChildOptions): Promise<OwnedChild> {
  if (!existsSync(cwd)) throw new Error(`its working directory ${cwd} does not exist`);
  killAllOnExit();
  const file = process.platform === "win32" ? command : findCommand(command, env.PATH, cwd);
  const care = takeCare();
  let child: ChildProcess;
  try {
    child =
      process.platform === "win32"
        ? await launchOnWindows(command, args, env, cwd)
        : launch(file, args, env, cwd, care);
  } catch (error) {
    care?.release(undefined);
    throw error;
  }
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined || stdin === null || stdout === null || stderr === null) {
    care?.release(undefined);
    throw await new Promise<Error>((resolve) => {
      child.once("error", (error) =>
        resolve(new Error(`${JSON.stringify(command)} does not start: ${error.message}`)),
      );
    });
  }
  living.set(pid, care);
  child.on("error", () => {});
  stdin.on("error", () => {});
  const ended = new Promise<ChildEnd>((resolve) => {
    const end: ChildEnd = { code: null, signal: null };
    child.once("exit", (code, signal) => {
      Object.assign(end, { code, signal });
      setTimeout(() => resolve(end), LAST_OUTPUT).unref();
    });
    child.once("close", () => resolve(end));
  });
  // The group can outlive its first process: only an empty one may be forgotten.
  void ended.then(() => {
    if (!signalGroup(pid, 0)) forget(pid);
  });
  return { pid, stdin, stdout, stderr, ended, end: () => endChild(child, pid, ended) };
}

function launch(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
  cwd: string,
  care: Care | undefined,
): ChildProcess {
  const [command, rest] = care?.wrap(file, args) ?? [file, [...args]];
  return spawn(command, rest, {
    cwd,
    env,
    stdio: ["pipe", "pipe", "pipe", ...(care === undefined ? [] : [care.stream])],
    detached: true,
  });
}

async function launchOnWindows(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
  cwd: string,
): Promise<ChildProcess> {
  // `npx` and its like are .cmd files, which only a caller that knows how to quote may start.
  const { execa } = await import("execa");
  const child = execa(command, [...args], {
    cwd,
    env,
    extendEnv: false,
    stdin: "pipe",
    buffer: false,
    reject: false,
    windowsHide: true,
  });
  return child as unknown as ChildProcess;
}

function forget(pid: number): void {
  if (!living.has(pid)) return;
  living.get(pid)?.release(pid);
  living.delete(pid);
}

async function endChild(child: ChildProcess, pid: number, ended: Promise<ChildEnd>): Promise<void> {
  const within = (ms: number): Promise<boolean> => settledWithin(ended, ms);
  child.stdin?.end();
  if (!(await within(GRACE.eof)) || signalGroup(pid, 0)) {
    signalGroup(pid, "SIGTERM");
    const deadline = Date.now() + GRACE.term;
    await within(GRACE.term);
    while (signalGroup(pid, 0) && Date.now() < deadline) await delay(20);
    signalGroup(pid, "SIGKILL");
    await within(GRACE.term);
  }
  child.stdout?.destroy();
  child.stderr?.destroy();
  forget(pid);
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function settledWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const result = await Promise.race([promise.then(() => true as const), late]);
  clearTimeout(timer);
  return result;
}
