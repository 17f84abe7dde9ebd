import { CommandFailure, systemReason } from "../../errors.js";
import type { BuildPlan, PlannedFile } from "./plan-build.js";

/**
 * Writes what differs: the manifest first, then package.json, each as a temporary file and a rename, with
 * the mode the file had. When the second cannot be written the first is put back. An aligned file is not
 * touched at all.
 * @returns the files written
 * @throws CommandFailure `write_failed`
 */
export async function writePlan({ manifest, packageFile }: BuildPlan): Promise<PlannedFile[]> {
  const due = [manifest, packageFile].filter(({ changes }) => changes.length > 0);
  if (due.length === 0) return [];
  const { default: writeFileAtomic } = await import("write-file-atomic");
  const done: PlannedFile[] = [];
  for (const file of due) {
    try {
      await writeFileAtomic(file.file, file.after);
      done.push(file);
    } catch (error) {
      for (const { file: path, before } of done) {
        if (before === undefined)
          await import("node:fs/promises").then(({ rm }) => rm(path, { force: true }));
        else await writeFileAtomic(path, before);
      }
      throw new CommandFailure("write_failed", `${file.name} could not be written: ${systemReason(error)}`, {
        hint: "Nothing was changed.",
        cause: error,
      });
    }
  }
  return done;
}
