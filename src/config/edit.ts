import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { ensureFolder } from "../ensure-folder.js";
import { CommandFailure, systemReason } from "../errors.js";
import { type ConfigChange, editText } from "./edit-text.js";

export type { ConfigChange } from "./edit-text.js";

/**
 * Changes values of a JSON5 file in place: comments, order, quotes, indentation, line endings and byte
 * order mark stay, only the changed values are rewritten. The file is created when it is missing and
 * replaced atomically; an edit that changes nothing writes nothing. Concurrent edits wait for each other.
 * @param check sees the old and the new text before anything is written, and may throw
 * @returns whether the file was written
 * @throws CommandFailure `config_invalid` (the file does not parse), `config_conflict` (a parent on the
 *   path is no object), `config_busy` (another edit does not finish), `config_unreadable`/`config_unwritable`
 */
export async function editConfig(
  path: string,
  changes: readonly ConfigChange[],
  check?: (before: string | undefined, after: string) => Promise<void>,
): Promise<boolean> {
  try {
    await ensureFolder(dirname(path));
    return await withLock(path, async () => {
      const before = await readText(path);
      const after = await editText(before ?? "", changes, path);
      const onlyRemovals = changes.every((change) => change.value === undefined);
      if (after === before || (before === undefined && onlyRemovals)) return false;
      await check?.(before, after);
      const { default: writeFileAtomic } = await import("write-file-atomic");
      // A new file may come to hold keys: only its owner reads it. An old one keeps its mode.
      await writeFileAtomic(path, after, before === undefined ? { mode: 0o600 } : {});
      return true;
    });
  } catch (error) {
    // Only what the file system refused is the user's to mend.
    if (typeof (error as NodeJS.ErrnoException).syscall !== "string") throw error;
    throw new CommandFailure("config_unwritable", `cannot write ${path}: ${systemReason(error)}`, {
      cause: error,
    });
  }
}

async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const { default: lockfile } = await import("proper-lockfile");
  let release: () => Promise<void>;
  try {
    release = await lockfile.lock(path, {
      realpath: false,
      stale: 10_000,
      retries: { retries: 60, minTimeout: 25, maxTimeout: 150 },
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ELOCKED") throw error;
    throw new CommandFailure("config_busy", `${path} is being changed by another process`, {
      hint: `Try again; if nothing else is running, delete ${path}.lock.`,
      cause: error,
    });
  }
  try {
    return await work();
  } finally {
    await release().catch(() => {});
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new CommandFailure("config_unreadable", `cannot read ${path}: ${systemReason(error)}`, {
      cause: error,
    });
  }
}
