import { realpath, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { CommandFailure, messageOf, systemReason } from "../../errors.js";
import { isRecord } from "../load/manifest.js";
import { builtTwins, entryLabel } from "../load/package-info.js";
import { readIfThere } from "./json-file.js";

/** A plugin's folder as its author works on it, opened for building or checking. */
export interface PluginProject {
  /** Absolute. */
  rootDir: string;
  packageFile: string;
  packageText: string;
  packageJson: Record<string, unknown>;
  /** The chosen entry, absolute. */
  entryFile: string;
  /** `./dist/index.js`. */
  entry: string;
  /** Set when `openclaw.extensions` named another file than the one chosen. */
  entryInsteadOf?: string;
}

export interface OpenProjectOptions {
  cwd: string;
  /** The plugin's folder, relative to `cwd`; `cwd` itself by default. */
  root?: string;
  /** Entry file relative to the folder, or absolute; by default what `openclaw.extensions` names first. */
  entry?: string;
}

async function readPackage(
  rootDir: string,
): Promise<Pick<PluginProject, "packageFile" | "packageText" | "packageJson">> {
  const packageFile = join(rootDir, "package.json");
  let packageText: string | undefined;
  try {
    packageText = await readIfThere(packageFile);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOTDIR") {
      throw new CommandFailure(
        "package_invalid",
        `package.json cannot be read: ${packageFile}: ${systemReason(error)}`,
      );
    }
  }
  if (packageText === undefined) {
    throw new CommandFailure("package_missing", `package.json not found: ${packageFile}`, {
      hint: "Run this in the plugin's folder, or name it with --root.",
    });
  }
  let packageJson: unknown;
  try {
    packageJson = JSON.parse(packageText.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new CommandFailure(
      "package_invalid",
      `package.json does not parse: ${packageFile}: ${messageOf(error)}`,
    );
  }
  if (!isRecord(packageJson)) {
    throw new CommandFailure("package_invalid", `package.json must hold an object: ${packageFile}`);
  }
  return { packageFile, packageText, packageJson };
}

/** What is wrong with `openclaw.extensions`, in the words of the check that reports it. */
export function extensionsProblem(packageJson: Record<string, unknown>): string | undefined {
  const openclaw = packageJson.openclaw;
  const list = isRecord(openclaw) ? openclaw.extensions : undefined;
  if (list === undefined || (Array.isArray(list) && list.length === 0)) {
    return "package.json must include openclaw.extensions";
  }
  if (!Array.isArray(list)) return "package.json openclaw.extensions must be an array";
  const wrong = list.findIndex((item) => typeof item !== "string" || item.trim() === "");
  return wrong < 0 ? undefined : `package.json openclaw.extensions[${wrong}] must be a non-empty string`;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isFile(),
    () => false,
  );
}

/** Tried when package.json names no entry. */
const USUAL_ENTRIES = ["dist/index.js", "src/index.ts"];

async function chooseEntry(
  rootDir: string,
  packageJson: Record<string, unknown>,
  given: string | undefined,
): Promise<{ file: string; insteadOf?: string }> {
  if (given !== undefined && given !== "") return { file: resolve(rootDir, given) };
  const problem = extensionsProblem(packageJson);
  if (problem !== undefined && !problem.includes("must include")) {
    throw new CommandFailure("package_extensions", problem, {
      hint: "Name the entry with --entry ./dist/index.js, and `plugins build` repairs the list.",
    });
  }
  if (problem === undefined) {
    const named = ((packageJson.openclaw as { extensions: string[] }).extensions[0] ?? "").trim();
    const file = resolve(rootDir, named);
    if (await isFile(file)) return { file };
    for (const twin of builtTwins(named)) {
      if (await isFile(resolve(rootDir, twin))) return { file: resolve(rootDir, twin), insteadOf: named };
    }
    return { file };
  }
  for (const usual of USUAL_ENTRIES) {
    if (await isFile(resolve(rootDir, usual))) return { file: resolve(rootDir, usual) };
  }
  return { file: resolve(rootDir, USUAL_ENTRIES[0] ?? "") };
}

function inside(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Refuses an entry that is not a file of the plugin, also when a link leads out of its folder. */
async function assertEntry(rootDir: string, file: string): Promise<void> {
  const label = entryLabel(rootDir, file);
  if (!inside(rootDir, file)) {
    throw new CommandFailure("entry_outside", `entry must stay inside plugin root: ${file}`);
  }
  const info = await stat(file).catch(() => undefined);
  if (info === undefined) {
    throw new CommandFailure("entry_not_found", `plugin entry not found: ${label}`, {
      hint: "Build the plugin first (`npm run build`), or name the right file with --entry.",
    });
  }
  if (!info.isFile()) {
    throw new CommandFailure("entry_not_file", `plugin entry must be a file: ${label}`, {
      hint: `Name the file inside it, for example --entry ${label}/index.js.`,
    });
  }
  const [real, realRoot] = await Promise.all([realpath(file), realpath(rootDir)]);
  if (!inside(realRoot, real)) {
    throw new CommandFailure(
      "entry_outside",
      `entry must stay inside plugin root: ${label} leads to ${real}`,
    );
  }
}

/**
 * Finds a plugin's package.json and entry. Runs and writes nothing.
 * @throws CommandFailure `package_missing`, `package_invalid`, `package_extensions`, `entry_outside`,
 *   `entry_not_found` or `entry_not_file`
 */
export async function openProject(options: OpenProjectOptions): Promise<PluginProject> {
  const rootDir = resolve(
    options.cwd,
    options.root === undefined || options.root === "" ? "." : options.root,
  );
  const read = await readPackage(rootDir);
  const { file, insteadOf } = await chooseEntry(rootDir, read.packageJson, options.entry);
  await assertEntry(rootDir, file);
  return {
    rootDir,
    ...read,
    entryFile: file,
    entry: entryLabel(rootDir, file),
    ...(insteadOf === undefined ? {} : { entryInsteadOf: insteadOf }),
  };
}
