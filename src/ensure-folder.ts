import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { CommandFailure, systemReason } from "./errors.js";

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path)).isDirectory();
}

/**
 * Makes a folder and what is missing above it, one at a time: Node's own recursive form never returns for a path
 * that a virtual file system such as /proc refuses to extend.
 * @param path absolute
 * @param mode of the folders made; the process's default otherwise
 * @throws CommandFailure `folder_unusable` naming the folder that is a file or cannot be made
 */
export async function ensureFolder(path: string, mode?: number): Promise<void> {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      if (await isFolder(at)) break;
      throw new CommandFailure("folder_unusable", `${at} is a file, not a folder`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // ENOTDIR: something further up is a file, and is named once the walk gets there.
      if ((code !== "ENOENT" && code !== "ENOTDIR") || dirname(at) === at) throw unusable(at, error);
      missing.push(at);
    }
  }
  for (const folder of missing.reverse()) {
    try {
      await mkdir(folder, mode === undefined ? {} : { mode });
    } catch (error) {
      // Another process may have been faster.
      if ((error as NodeJS.ErrnoException).code === "EEXIST" && (await isFolder(folder).catch(() => false)))
        continue;
      throw unusable(folder, error);
    }
  }
}

function unusable(folder: string, error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  return new CommandFailure("folder_unusable", `cannot make the folder ${folder}: ${systemReason(error)}`, {
    cause: error,
  });
}
