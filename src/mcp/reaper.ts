import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Writable } from "node:stream";

const SHELL = "/bin/sh";

/**
 * Ends process groups whose owner is gone. Our own clean-up cannot run when we are killed outright, and a
 * server that ignores the end of its input would then live for ever; this shell notices our end by the
 * end of its own input, and asks, waits and kills in our place.
 */
const REAPER = `
set --
while read -r op id; do
  case $op in
    add) set -- "$@" "$id" ;;
    drop) for g in "$@"; do shift; [ "$g" = "$id" ] || set -- "$@" "$g"; done ;;
  esac
done
[ $# -eq 0 ] && exit 0
for g in "$@"; do kill -TERM "-$g"; done
n=0
while [ $n -lt 10 ]; do
  alive=
  for g in "$@"; do kill -0 "-$g" && alive=1; done
  [ -z "$alive" ] && exit 0
  sleep 0.1 || sleep 1
  n=$((n + 1))
done
for g in "$@"; do kill -KILL "-$g"; done
`;

/**
 * What a server starts as: it enters itself into the reaper's list and only then becomes the server. So
 * there is no moment at which we can be killed and leave one behind that the reaper does not know.
 */
const ENTER = '(echo "add $$" >&3) 2>/dev/null; exec "$@" 3>&-';

let reaper: ChildProcess | undefined;
let users = 0;

/** A place in the reaper's care for one process group. */
export interface Care {
  /** Descriptor the process gets as its fourth, and the command line that makes it enter itself. */
  stream: Writable;
  wrap: (command: string, args: readonly string[]) => [command: string, args: string[]];
  /** Takes a group that has ended out of care; the reaper ends with the last one. */
  release: (group: number | undefined) => void;
}

/** Prepares care for a process that is about to start; undefined where there are no groups or no shell. */
export function takeCare(): Care | undefined {
  if (process.platform === "win32" || !existsSync(SHELL)) return undefined;
  reaper ??= start();
  const { stdin } = reaper;
  if (stdin === null || stdin.destroyed) return undefined;
  users += 1;
  return {
    stream: stdin,
    wrap: (command, args) => [SHELL, ["-c", ENTER, command, command, ...args]],
    release: (group) => {
      if (group !== undefined) stdin.write(`drop ${group}\n`);
      users -= 1;
      if (users > 0) return;
      stdin.end();
      reaper = undefined;
    },
  };
}

function start(): ChildProcess {
  const child = spawn(SHELL, ["-c", REAPER, "openclaw-mcp-reaper"], {
    // A group of its own: what is sent to ours, Ctrl-C above all, must not reach it.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
  });
  child.on("error", () => {});
  child.on("exit", () => {
    if (reaper === child) reaper = undefined;
  });
  child.stdin?.on("error", () => {});
  child.unref();
  (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  return child;
}
