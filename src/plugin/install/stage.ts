import { randomBytes } from "node:crypto";
import { access, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { StatePaths } from "../../config/paths.js";
import { ensureFolder } from "../../ensure-folder.js";
import { JOURNAL_NAME } from "../load/pending.js";

/** A folder of one running install or uninstall; its name is also the name of the change. */
export interface Stage {
  name: string;
  dir: string;
}

/** When a process started, in the kernel's ticks; tells a process from a later one with its number. */
async function startTicks(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // The command name in parentheses may hold blanks; field 22 counts from behind it.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "0";
  } catch {
    return "0";
  }
}

/** Makes a stage whose name says which process owns it. */
export async function makeStage(paths: StatePaths): Promise<Stage> {
  const name = `${process.pid}-${await startTicks(process.pid)}-${randomBytes(6).toString("hex")}`;
  const dir = join(paths.stageDir, name);
  await ensureFolder(dir, 0o700);
  return { name, dir };
}

async function ownerAlive(name: string): Promise<boolean> {
  const match = /^(\d+)-(\d+)-[0-9a-f]+$/.exec(name);
  if (match === null) return false;
  const pid = Number(match[1]);
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return match[2] === "0" || (await startTicks(pid)) === match[2];
}

/** Stages whose process is gone: what killed installs left behind. */
export async function staleStages(paths: StatePaths): Promise<Stage[]> {
  let names: string[];
  try {
    names = await readdir(paths.stageDir);
  } catch {
    return [];
  }
  const stale: Stage[] = [];
  for (const name of names.sort()) {
    if (!(await ownerAlive(name))) stale.push({ name, dir: join(paths.stageDir, name) });
  }
  return stale;
}

/**
 * Removes a stage and everything in it; links are removed, never followed. A stage whose journal is still
 * there stays: it may hold the only copy of what was installed before.
 */
export async function removeStage(stage: Pick<Stage, "dir">): Promise<void> {
  const pending = await access(join(stage.dir, JOURNAL_NAME)).then(
    () => true,
    () => false,
  );
  if (!pending) await rm(stage.dir, { recursive: true, force: true, maxRetries: 3 });
}
