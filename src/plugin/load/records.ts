import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StatePaths } from "../../config/paths.js";
import { messageOf } from "../../errors.js";
import { unsafeIdReason } from "../plugin-id.js";
import { isRecord } from "./manifest.js";

export type InstallSource = "directory" | "link" | "archive" | "npm-pack" | "npm";

/** What an install remembers of one plugin. */
export interface InstallRecord {
  source: InstallSource;
  /** As the user typed it. */
  spec: string;
  /** Absolute path of a local source. */
  sourcePath?: string;
  /** Where the plugin lies: its folder under extensions/, or the linked folder. */
  installPath: string;
  version?: string;
  packageName?: string;
  /** `name@version` of a registry package. */
  resolvedSpec?: string;
  /** Of the archive, `sha512-…` in base64. */
  integrity?: string;
  /** Of the archive, SHA-1 in hex, as registries print it. */
  shasum?: string;
  /** ISO 8601. */
  installedAt: string;
  /** The toolchain that installed it. */
  toolchain: string;
  /** Names the change that wrote this record, so that an interrupted one can be told from a finished one. */
  transaction: string;
}

export interface InstallRecords {
  installs: Record<string, InstallRecord>;
  /** Why the file could not be read; the records are empty then. */
  problem?: string;
  /** The text they were read from, for change detection. */
  text: string;
}

/** Format written by this toolchain; a file with a higher number is read as well as possible, never written. */
export const RECORDS_VERSION = 1;

function isInstallRecord(value: unknown): value is InstallRecord {
  return isRecord(value) && typeof value.source === "string" && typeof value.installPath === "string";
}

/** Reads the install records; a missing file means none, a broken one is a `problem`, never a throw. */
export async function readRecords(paths: StatePaths): Promise<InstallRecords> {
  const none = (text: string, problem?: string): InstallRecords => ({
    installs: Object.create(null) as Record<string, InstallRecord>,
    text,
    ...(problem === undefined ? {} : { problem }),
  });
  let text: string;
  try {
    text = await readFile(paths.recordsFile, "utf8");
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === "ENOENT";
    return absent ? none("") : none("", `install records cannot be read: ${messageOf(error)}`);
  }
  try {
    const parsed: unknown = JSON.parse(text);
    if (!isRecord(parsed) || !isRecord(parsed.installs)) throw new Error("not a table of installs");
    const records = none(text);
    for (const [id, record] of Object.entries(parsed.installs)) {
      // An id names a folder to move and to remove: one that leads elsewhere was not written by an install.
      if (isInstallRecord(record) && unsafeIdReason(id) === undefined) records.installs[id] = record;
    }
    if (typeof parsed.version === "number" && parsed.version > RECORDS_VERSION) {
      records.problem = `install records were written by a newer toolchain: ${paths.recordsFile}`;
    }
    return records;
  } catch (error) {
    return none(text, `install records do not parse: ${paths.recordsFile}: ${messageOf(error)}`);
  }
}

/** Where an install of `id` lies, linked ones aside. */
export function installedFolder(paths: StatePaths, id: string): string {
  return join(paths.extensionsDir, id);
}
