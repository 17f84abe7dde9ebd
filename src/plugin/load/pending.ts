import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StatePaths } from "../../config/paths.js";
import { unsafeIdReason, unsafeSegmentReason } from "../plugin-id.js";
import { isRecord } from "./manifest.js";
import type { InstallRecords } from "./records.js";

/**
 * Written before an install or uninstall moves its first folder and removed after the last. A change
 * counts as done when the install records carry its name, so a reader can always tell which of the two
 * states holds, also when the process that made the change was killed in the middle of it.
 */
export interface Journal {
  transaction: string;
  kind: "install" | "uninstall";
  id: string;
  /** Name of its folder under extensions/ when that is not the id. */
  folder?: string;
  /** Whether a folder of this id was there before. */
  hadPrevious: boolean;
  /** Whether a new folder takes its place; not so for links and removals. */
  placed: boolean;
}

export const JOURNAL_NAME = "journal.json";
/** Name, inside the stage, of the folder that was there before. */
export const PREVIOUS_NAME = "previous";

export interface PendingChange {
  journal: Journal;
  stage: string;
}

/** Whether this is a journal whose names stay inside the extensions folder: what it names is moved. */
function isJournal(value: unknown): value is Journal {
  if (!isRecord(value) || typeof value.id !== "string" || unsafeIdReason(value.id) !== undefined)
    return false;
  return (
    value.folder === undefined ||
    (typeof value.folder === "string" && unsafeSegmentReason(value.folder) === undefined)
  );
}

/** Every change whose journal is still there, finished or not. */
export async function readJournals(paths: StatePaths): Promise<PendingChange[]> {
  let names: string[];
  try {
    names = await readdir(paths.stageDir);
  } catch {
    return [];
  }
  const found = await Promise.all(
    names.sort().map(async (name): Promise<PendingChange | undefined> => {
      const stage = join(paths.stageDir, name);
      try {
        const journal: unknown = JSON.parse(await readFile(join(stage, JOURNAL_NAME), "utf8"));
        return isJournal(journal) ? { journal, stage } : undefined;
      } catch {
        return undefined;
      }
    }),
  );
  return found.filter((change) => change !== undefined);
}

/** Whether the install records already carry the outcome of this change. */
export function isCommitted(journal: Journal, records: InstallRecords): boolean {
  const record = records.installs[journal.id];
  return journal.kind === "uninstall" ? record === undefined : record?.transaction === journal.transaction;
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

/** Where an unfinished change says the old state of a plugin is; `null` when there was none. */
export type PendingFolders = ReadonlyMap<string, string | null>;

/** The old state of every plugin with an unfinished change that has moved its folder. */
export async function pendingFolders(
  changes: readonly PendingChange[],
  records: InstallRecords,
): Promise<PendingFolders> {
  const folders = new Map<string, string | null>();
  for (const { journal, stage } of changes) {
    if (isCommitted(journal, records)) continue;
    const previous = join(stage, PREVIOUS_NAME);
    if (await exists(previous)) folders.set(journal.id, previous);
    else if (journal.placed && !journal.hadPrevious) folders.set(journal.id, null);
  }
  return folders;
}
