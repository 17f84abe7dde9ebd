import { readFile, realpath, stat } from "node:fs/promises";
import { extname, join, posix, relative, resolve, sep } from "node:path";
import { CommandFailure, messageOf, systemReason } from "../../errors.js";
import type { PluginDiagnostic } from "../types.js";
import { isRecord } from "./manifest.js";

/** What a plugin's package.json says that matters for finding and running it. */
export interface PackageInfo {
  name?: string;
  version?: string;
  /** `openclaw.extensions` as written. */
  extensions: string[];
  /** The whole parsed file. */
  raw: Record<string, unknown>;
}

/**
 * Reads package.json of a plugin (a byte order mark is tolerated).
 * @throws CommandFailure `package_missing` or `package_invalid`, naming the file
 */
export async function readPackageInfo(rootDir: string): Promise<PackageInfo> {
  const file = join(rootDir, "package.json");
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      throw new CommandFailure("package_missing", `package.json not found: ${file}`);
    }
    throw new CommandFailure(
      "package_invalid",
      `package.json cannot be read: ${file}: ${systemReason(error)}`,
    );
  }
  let raw: unknown;
  try {
    raw = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new CommandFailure("package_invalid", `package.json does not parse: ${file}: ${messageOf(error)}`);
  }
  if (!isRecord(raw)) throw new CommandFailure("package_invalid", `package.json must be an object: ${file}`);
  const openclaw = isRecord(raw.openclaw) ? raw.openclaw : {};
  const listed = openclaw.extensions ?? [];
  if (!Array.isArray(listed) || listed.some((item) => typeof item !== "string" || item.trim() === "")) {
    throw new CommandFailure(
      "package_invalid",
      `package.json openclaw.extensions must be a list of file paths: ${file}`,
    );
  }
  return {
    ...(typeof raw.name === "string" ? { name: raw.name } : {}),
    ...(typeof raw.version === "string" ? { version: raw.version } : {}),
    extensions: listed as string[],
    raw,
  };
}

const BUILT: Readonly<Record<string, string>> = {
  ".ts": ".js",
  ".mts": ".mjs",
  ".cts": ".cjs",
  ".tsx": ".js",
};
const SOURCE: Readonly<Record<string, string>> = { ".js": ".ts", ".mjs": ".mts", ".cjs": ".cts" };

/** `./x` in POSIX form, whatever the author wrote. */
export function entryLabel(rootDir: string, file: string): string {
  return `./${relative(rootDir, file).split(sep).join("/")}`;
}

function candidates(entry: string, extensions: Readonly<Record<string, string>>, folder: [string, string]) {
  const path = posix.normalize(entry.replaceAll("\\", "/")).replace(/^\.\//, "");
  const extension = extensions[extname(path)];
  if (extension === undefined) return [];
  const twin = path.slice(0, -extname(path).length) + extension;
  const [from, to] = folder;
  const moved = twin.startsWith(`${from}/`) ? `${to}/${twin.slice(from.length + 1)}` : `${to}/${twin}`;
  return [moved, twin];
}

/** Where the build of a source entry lies: `./src/a.ts` or `./a.ts` → `dist/a.js`, then beside it. */
export function builtTwins(entry: string): string[] {
  return candidates(entry, BUILT, ["src", "dist"]);
}

/** Where the source of a built entry lies: `./dist/a.js` → `src/a.ts`, then `a.ts` in the root. */
export function sourceTwins(entry: string): string[] {
  const [moved, beside] = candidates(entry, SOURCE, ["dist", "src"]);
  if (moved === undefined || beside === undefined) return [];
  return [moved, beside, beside.replace(/^dist\//, "")];
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function inside(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

export interface ResolvedEntries {
  /** Absolute, without repetitions, in the order of `openclaw.extensions`. */
  entries: string[];
  /** Why the plugin has no usable entry. */
  error?: string;
  diagnostics: PluginDiagnostic[];
}

export interface ResolveEntriesOptions {
  /** Fall back to the source of an entry that is not built (a plugin given by its folder). */
  sourceFallback?: boolean;
}

/** Where a file that a link in the folder stands for really lies, when that is outside. */
async function realPlaceOutside(rootDir: string, file: string): Promise<string | undefined> {
  const [real, realRoot] = await Promise.all([realpath(file), realpath(rootDir)]);
  return inside(realRoot, real) ? undefined : real;
}

async function firstFile(rootDir: string, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const file = resolve(rootDir, path);
    if (!inside(rootDir, file) || !(await isFile(file))) continue;
    if ((await realPlaceOutside(rootDir, file)) === undefined) return file;
  }
  return undefined;
}

async function resolveOne(
  rootDir: string,
  entry: string,
  options: ResolveEntriesOptions,
): Promise<{ file?: string; error?: string; diagnostic?: PluginDiagnostic }> {
  const file = resolve(rootDir, entry);
  if (!inside(rootDir, file)) return { error: `plugin entry must stay inside the plugin's folder: ${entry}` };
  if (await isFile(file)) {
    const real = await realPlaceOutside(rootDir, file);
    if (real === undefined) return { file };
    return { error: `plugin entry leads out of the plugin's folder: ${entry} -> ${real}` };
  }
  const built = await firstFile(rootDir, builtTwins(entry));
  if (built !== undefined) {
    const message = `openclaw.extensions names ${entry}, which is absent; using ${entryLabel(rootDir, built)}`;
    return {
      file: built,
      diagnostic: { level: "warning", message, fix: `name ${entryLabel(rootDir, built)} in package.json` },
    };
  }
  const source = options.sourceFallback ? await firstFile(rootDir, sourceTwins(entry)) : undefined;
  if (source !== undefined) {
    const message = `${entry} is not built; using its source ${entryLabel(rootDir, source)}`;
    return { file: source, diagnostic: { level: "info", message } };
  }
  return { error: `plugin entry not found: ${entry}` };
}

/**
 * The entry files a package names, resolved on disk. An absent source entry gives its built twin with
 * a warning; with `sourceFallback` an absent build gives its source twin with a note. A source listed
 * beside its own build counts once.
 */
export async function resolveEntries(
  rootDir: string,
  info: PackageInfo,
  options: ResolveEntriesOptions = {},
): Promise<ResolvedEntries> {
  const diagnostics: PluginDiagnostic[] = [];
  if (info.extensions.length === 0) {
    return {
      entries: [],
      error: 'package.json must include openclaw.extensions, for example ["./dist/index.js"]',
      diagnostics,
    };
  }
  const listed = new Set(info.extensions.map((entry) => resolve(rootDir, entry)));
  const entries = new Set<string>();
  for (const entry of info.extensions) {
    const twin = await firstFile(
      rootDir,
      builtTwins(entry).filter((path) => listed.has(resolve(rootDir, path))),
    );
    if (twin !== undefined) {
      entries.add(twin);
      continue;
    }
    const { file, error, diagnostic } = await resolveOne(rootDir, entry, options);
    if (error !== undefined) return { entries: [], error, diagnostics };
    if (diagnostic !== undefined) diagnostics.push(diagnostic);
    if (file !== undefined) entries.add(file);
  }
  return { entries: [...entries], diagnostics };
}
