import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { ensureFolder } from "../../ensure-folder.js";
import { CommandFailure, systemReason } from "../../errors.js";
import { packageRoot } from "../../package-root.js";
import { fillTemplate, type TemplateValues } from "./template-text.js";

export type ScaffoldType = "tool" | "provider";
export const SCAFFOLD_TYPES: readonly ScaffoldType[] = ["tool", "provider"];

export interface ScaffoldOptions {
  type: ScaffoldType;
  /** Absolute. */
  directory: string;
  values: TemplateValues;
  /** Write over files that are already there; others stay as they are. */
  force: boolean;
}

export interface Scaffold {
  /** Relative to the folder, sorted. */
  files: string[];
  /** Those of them that were there before. */
  replaced: string[];
}

/** Renamed on the way out: npm would leave a `.gitignore` out of this package. */
const SHIPPED_AS: Readonly<Record<string, string>> = { gitignore: ".gitignore" };

async function templateFolder(type: ScaffoldType): Promise<string> {
  // The sources themselves when run from a checkout, the copy beside the bundle otherwise.
  for (const place of ["dist/templates", "src/templates"]) {
    const folder = join(packageRoot(), place, type);
    if (await exists(folder)) return folder;
  }
  throw new Error(`no templates for ${type} in ${packageRoot()}`);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** The files of a scaffold with their content, sorted by path. */
export async function scaffoldFiles(
  type: ScaffoldType,
  values: TemplateValues,
): Promise<{ path: string; content: string }[]> {
  const folder = await templateFolder(type);
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const source = join(entry.parentPath ?? entry.path, entry.name);
        const path = source
          .slice(folder.length + 1)
          .split(sep)
          .join("/");
        const content = fillTemplate(await readFile(source, "utf8"), path, values);
        return { path: SHIPPED_AS[path] ?? path, content };
      }),
  );
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Writes a new plugin project. A new folder appears whole or not at all; an empty one is filled. With
 * `force`, the scaffold's files replace those of the same name and nothing else is touched.
 * @throws CommandFailure `path_exists`, `path_not_directory`, `path_outside` or `write_failed`
 */
export async function writeScaffold(options: ScaffoldOptions): Promise<Scaffold> {
  const { directory, force } = options;
  const files = await scaffoldFiles(options.type, options.values);
  const paths = files.map(({ path }) => path);
  const there = await stateOf(directory);
  if (there === "file") {
    throw new CommandFailure(
      "path_not_directory",
      `cannot create a project here, it is a file: ${directory}`,
      {
        hint: "Choose another folder with --directory.",
      },
    );
  }
  if (there === "full" && !force) {
    throw new CommandFailure("path_exists", `Refusing to overwrite existing path: ${directory}`, {
      hint: "Choose another folder with --directory, or write over its files with --force.",
    });
  }
  try {
    if (there === "full") return { files: paths, replaced: await overwrite(directory, files) };
    await writeWhole(directory, files, there === "empty");
    return { files: paths, replaced: [] };
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(
      "write_failed",
      `the project could not be written to ${directory}: ${systemReason(error)}`,
      {
        cause: error,
      },
    );
  }
}

async function stateOf(directory: string): Promise<"absent" | "empty" | "full" | "file"> {
  try {
    return (await readdir(directory)).length === 0 ? "empty" : "full";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return (await exists(directory)) ? "file" : "absent";
    if (code === "ENOTDIR") return "file";
    throw new CommandFailure("write_failed", `cannot read ${directory}: ${systemReason(error)}`);
  }
}

async function writeFiles(root: string, files: readonly { path: string; content: string }[]): Promise<void> {
  for (const { path, content } of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

/** Beside the target first, so that what appears there is complete. */
async function writeWhole(
  directory: string,
  files: readonly { path: string; content: string }[],
  empty: boolean,
): Promise<void> {
  await ensureFolder(dirname(directory));
  const real = empty ? await realpath(directory) : directory;
  const stage = await mkdtemp(join(dirname(real), `.${basename(real)}-`));
  try {
    await writeFiles(stage, files);
    if (empty && process.cwd() === real) {
      // Renaming over the current folder would leave the user's shell in one that is gone.
      await writeFiles(real, files);
      await rm(stage, { recursive: true });
      return;
    }
    if (empty) await rmdir(real);
    await rename(stage, real);
    await import("node:fs/promises").then(({ chmod }) => chmod(real, 0o777 & ~process.umask()));
  } catch (error) {
    await rm(stage, { recursive: true, force: true });
    throw error;
  }
}

async function overwrite(
  directory: string,
  files: readonly { path: string; content: string }[],
): Promise<string[]> {
  const root = await realpath(directory);
  const replaced: string[] = [];
  for (const { path } of files) {
    await assertInside(root, path);
    if (await exists(join(root, path))) replaced.push(path);
  }
  await writeFiles(root, files);
  return replaced;
}

/** A link inside the folder must not carry what we write out of it. */
async function assertInside(root: string, path: string): Promise<void> {
  const parts = path.split("/");
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const at = join(root, ...parts.slice(0, depth));
    const info = await lstat(at).catch(() => undefined);
    if (info === undefined) return;
    if (info.isSymbolicLink()) {
      throw new CommandFailure("path_outside", `refusing to write through a link: ${at}`, {
        hint: "Remove the link, or choose another folder with --directory.",
      });
    }
    if (depth < parts.length && !info.isDirectory()) {
      throw new CommandFailure("path_not_directory", `a folder is needed here, it is a file: ${at}`);
    }
    if (depth === parts.length && info.isDirectory()) {
      throw new CommandFailure("path_not_directory", `a file is needed here, it is a folder: ${at}`);
    }
  }
}
