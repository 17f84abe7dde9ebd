import { chmod, copyFile, lstat, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CommandFailure, messageOf } from "../../errors.js";
import { packedFiles } from "../author/package-list.js";

/** Files of one plugin that are copied at once. */
const AT_ONCE = 16;

/**
 * Copies what `npm pack` would ship of a plugin's folder into `target`. Links and special files are left
 * out, as npm leaves them out; modes become 644 or 755.
 * @returns paths of links that were left out
 * @throws CommandFailure `copy_failed`
 */
export async function copyFolder(
  folder: string,
  target: string,
  packageJson: Record<string, unknown>,
): Promise<string[]> {
  const left: string[] = [];
  const copyOne = async (path: string): Promise<void> => {
    const from = join(folder, path);
    const info = await lstat(from);
    if (info.isSymbolicLink()) left.push(path);
    if (!info.isFile()) return;
    const to = join(target, path);
    await mkdir(dirname(to), { recursive: true });
    await copyFile(from, to);
    await chmod(to, info.mode & 0o100 ? 0o755 : 0o644);
  };
  try {
    const files = [...(await packedFiles(folder, packageJson))];
    await mkdir(target, { recursive: true });
    while (files.length > 0) await Promise.all(files.splice(0, AT_ONCE).map(copyOne));
  } catch (error) {
    throw new CommandFailure("copy_failed", `cannot copy ${folder}: ${messageOf(error)}`, { cause: error });
  }
  return left.sort();
}
