import { lstat, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { StatePaths } from "../../config/paths.js";
import { ensureFolder } from "../../ensure-folder.js";
import { CommandFailure, messageOf } from "../../errors.js";
import {
  isCommitted,
  JOURNAL_NAME,
  type Journal,
  type PendingChange,
  PREVIOUS_NAME,
  readJournals,
} from "../load/pending.js";
import { type InstallRecord, type InstallRecords, installedFolder } from "../load/records.js";
import { lockState, type StateLock } from "./lock.js";
import { readWritableRecords, writeRecord } from "./records-file.js";
import { removeStage, type Stage, staleStages } from "./stage.js";
import type { OnStep } from "./steps.js";

/** Name, inside the stage, of a folder that was published and then taken back. */
const DISCARDED_NAME = "discarded";

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** A rename that gives virus scanners and indexers on Windows a moment to let go. */
async function move(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(from, to);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      if (code === "EXDEV") {
        throw new CommandFailure("state_split", `${from} and ${to} are on different file systems`, {
          hint: "Keep the extensions and toolchain folders of the state folder on one file system.",
          cause: error,
        });
      }
      const busy = process.platform === "win32" && ["EPERM", "EACCES", "EBUSY"].includes(code);
      if (!busy || attempt === 10) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 20));
    }
  }
}

/**
 * Brings the folders back to what the records say, for a change that did not reach its records. Every
 * step leaves a state that can be read and taken up again.
 * @param published whether the new folder was moved in, where that is known and need not be inferred
 */
async function rollBack(
  paths: StatePaths,
  { journal, stage }: PendingChange,
  published?: boolean,
): Promise<void> {
  const target = installedFolder(paths, journal.folder ?? journal.id);
  const previous = join(stage, PREVIOUS_NAME);
  const hasPrevious = await exists(previous);
  const inPlace = published ?? (journal.placed && (hasPrevious || !journal.hadPrevious));
  if (inPlace && (await exists(target))) {
    await rm(join(stage, DISCARDED_NAME), { recursive: true, force: true });
    await move(target, join(stage, DISCARDED_NAME));
  }
  if (hasPrevious) await move(previous, target);
  await rm(join(stage, JOURNAL_NAME), { force: true });
}

/** Finishes or takes back what killed processes left. Call only while holding the lock. */
async function recover(paths: StatePaths, records: InstallRecords): Promise<void> {
  for (const change of await readJournals(paths)) {
    if (isCommitted(change.journal, records)) await rm(join(change.stage, JOURNAL_NAME), { force: true });
    else await rollBack(paths, change);
  }
}

/**
 * Removes stages of processes that are gone, once nothing in them is needed; answers how many. One that
 * cannot be removed (an orphaned npm may still write there) waits for the next command.
 */
async function sweep(paths: StatePaths): Promise<number> {
  let removed = 0;
  for (const stage of await staleStages(paths)) {
    await removeStage(stage).then(
      () => {
        removed += 1;
      },
      () => {},
    );
  }
  return removed;
}

/** Takes the lock and cleans up after killed processes; answers how many stages were left behind. */
export async function recoverState(paths: StatePaths): Promise<number> {
  const lock = await lockState(paths);
  try {
    await recover(paths, await readWritableRecords(paths));
    return await sweep(paths);
  } finally {
    await lock.release();
  }
}

export interface Change {
  kind: Journal["kind"];
  id: string;
  stage: Stage;
  /** Staged folder to put in place; none for links and removals. */
  staged?: string;
  /** Name of the plugin's folder under extensions/ when that is not the id; `null` leaves folders alone. */
  folder?: string | null;
  /** The record afterwards; `undefined` removes it. */
  record?: Omit<InstallRecord, "transaction">;
  /** Looks at the state under the lock and throws to refuse the change. */
  admit?: (state: { records: InstallRecords; folderExists: boolean }) => void | Promise<void>;
}

/** On systems that fold case, another plugin's folder would be taken for this one's. */
async function refuseTwin(paths: StatePaths, id: string): Promise<void> {
  const fold = (name: string): string => name.normalize("NFC").toLowerCase();
  const names = await readdir(paths.extensionsDir).catch(() => []);
  const twin = names.find((name) => name !== id && fold(name) === fold(id));
  if (twin === undefined) return;
  throw new CommandFailure(
    "id_conflict",
    `the id ${id} differs only in case from the installed plugin ${twin}`,
  );
}

async function apply(
  paths: StatePaths,
  change: Change,
  lock: StateLock,
  onStep: OnStep,
): Promise<InstallRecord | undefined> {
  const { id, stage, kind } = change;
  const target = installedFolder(paths, change.folder ?? id);
  const records = await readWritableRecords(paths);
  await recover(paths, records);
  await sweep(paths);
  await onStep("recovered");
  await ensureFolder(paths.extensionsDir);
  if (kind === "install") await refuseTwin(paths, id);
  const hadPrevious = change.folder !== null && (await exists(target));
  await change.admit?.({ records, folderExists: hadPrevious });
  const journal: Journal = {
    transaction: stage.name,
    kind,
    id,
    ...(typeof change.folder === "string" ? { folder: change.folder } : {}),
    hadPrevious,
    placed: change.staged !== undefined,
  };
  const pending: PendingChange = { journal, stage: stage.dir };
  const { default: writeFileAtomic } = await import("write-file-atomic");
  let published = false;
  try {
    lock.assertHeld();
    await writeFileAtomic(join(stage.dir, JOURNAL_NAME), JSON.stringify(journal));
    await onStep("journal-written");
    if (hadPrevious) await move(target, join(stage.dir, PREVIOUS_NAME));
    await onStep("previous-moved");
    if (change.staged !== undefined) {
      lock.assertHeld();
      await move(change.staged, target);
      published = true;
      await onStep("published");
    }
    lock.assertHeld();
    const record = change.record && { ...change.record, transaction: stage.name };
    await writeRecord(paths, records, id, record);
  } catch (error) {
    await rollBack(paths, pending, published).catch((trouble: unknown) => {
      throw new CommandFailure(
        error instanceof CommandFailure ? error.code : "install_failed",
        `${messageOf(error)}; then restoring the previous state failed too: ${messageOf(trouble)}`,
        { cause: error, hint: "The next install, uninstall or `plugins doctor --fix` restores it." },
      );
    });
    throw error;
  }
  return records.installs[id];
}

/**
 * Makes one change of the installed plugins under the lock: journal, move the old folder aside, move the
 * new one in, write the records. The records are the point of no return: an error before them restores
 * what was there, an error after them only leaves a stage for the next command to clean up.
 * @returns the record that was there before
 */
export async function publish(
  paths: StatePaths,
  change: Change,
  onStep: OnStep,
): Promise<InstallRecord | undefined> {
  const lock = await lockState(paths);
  let previous: InstallRecord | undefined;
  try {
    await onStep("locked");
    previous = await apply(paths, change, lock, onStep);
    try {
      await onStep("records-written");
      await rm(join(change.stage.dir, JOURNAL_NAME), { force: true });
      await onStep("journal-removed");
    } catch {
      // Done all the same; readers see a finished change, and the next command removes the journal.
    }
  } finally {
    await lock.release();
  }
  try {
    await onStep("unlocked");
  } catch {
    // As above.
  }
  return previous;
}
