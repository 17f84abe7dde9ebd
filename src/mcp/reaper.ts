import { type ChildProcess, spawn } from "node:child_process";

/**
 * Ends process groups whose owner is gone. Our own clean-up cannot run when we are killed outright, and a
 * server that ignores the end of its input would then live for ever; this shell notices our end by the
 * end of its own input, and asks, waits and kills in our place.
 */
const SCRIPT = `
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

let reaper: ChildProcess | undefined;
const watched = new Set<number>();

/** Puts a process group into the reaper's care; a no-op where there are no groups. */
export function watchGroup(group: number): void {
  if (process.platform === "win32") return;
  watched.add(group);
  if (reaper === undefined) start();
  else tell(`add ${group}\n`);
}

/** Takes a group that has ended out of its care; the reaper ends with the last one. */
export function unwatchGroup(group: number): void {
  if (!watched.delete(group)) return;
  tell(`drop ${group}\n`);
  if (watched.size > 0) return;
  reaper?.stdin?.end();
  reaper = undefined;
}

function tell(line: string): void {
  reaper?.stdin?.write(line);
}

function start(): void {
  const child = spawn("/bin/sh", ["-c", SCRIPT, "openclaw-mcp-reaper"], {
    // A group of its own: what is sent to ours, Ctrl-C above all, must not reach it.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
  });
  reaper = child;
  child.on("error", () => {});
  child.on("exit", () => {
    if (reaper === child) reaper = undefined;
  });
  child.stdin?.on("error", () => {});
  child.unref();
  (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  for (const group of watched) tell(`add ${group}\n`);
}
