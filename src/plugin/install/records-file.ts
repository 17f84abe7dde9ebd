import { dirname } from "node:path";
import type { StatePaths } from "../../config/paths.js";
import { ensureFolder } from "../../ensure-folder.js";
import { CommandFailure } from "../../errors.js";
import { type InstallRecord, type InstallRecords, RECORDS_VERSION, readRecords } from "../load/records.js";

/**
 * The records as a basis for a change.
 * @throws CommandFailure `records_invalid` when the file cannot be trusted to be rewritten
 */
export async function readWritableRecords(paths: StatePaths): Promise<InstallRecords> {
  const records = await readRecords(paths);
  if (records.problem === undefined) return records;
  throw new CommandFailure("records_invalid", records.problem, {
    hint: "`openclaw plugins doctor --fix` sets a broken file aside; the installed folders stay.",
  });
}

/** Replaces the record of one id, or removes it, atomically. Call only while holding the lock. */
export async function writeRecord(
  paths: StatePaths,
  records: InstallRecords,
  id: string,
  record: InstallRecord | undefined,
): Promise<void> {
  const installs = Object.assign(Object.create(null) as Record<string, InstallRecord>, records.installs);
  if (record === undefined) delete installs[id];
  else installs[id] = record;
  const sorted = Object.fromEntries(Object.entries(installs).sort(([a], [b]) => (a < b ? -1 : 1)));
  const { default: writeFileAtomic } = await import("write-file-atomic");
  await ensureFolder(dirname(paths.recordsFile));
  const text = `${JSON.stringify({ version: RECORDS_VERSION, installs: sorted }, null, 2)}\n`;
  await writeFileAtomic(paths.recordsFile, text, { mode: 0o600 });
}
