import { existsSync, lstatSync } from "node:fs";
import { join, posix } from "node:path";
import type { Packlist } from "npm-packlist";

/**
 * The files `npm pack` would put in the tarball of a folder with this package.json, sorted, as
 * `dist/index.js`. Computed with npm's own rules (`files`, `.npmignore`, `.gitignore`, what npm always or
 * never ships), without starting npm or any script. Bundled dependencies are left out. Loads npm-packlist.
 * @throws the file system's error when the folder cannot be walked
 */
export async function packedFiles(rootDir: string, packageJson: Record<string, unknown>): Promise<string[]> {
  const { default: packlist } = (await import("npm-packlist")) as { default: Packlist };
  const { bundleDependencies: _, bundledDependencies: __, ...rest } = packageJson;
  const files = await packlist({ path: rootDir, package: rest, isProjectRoot: true, edgesOut: new Map() });
  return files.map((file) => file.replace(/^\.\//, "")).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Names npm treats in a way of its own, wherever they stand in a path. */
const SPECIAL = /^\.|^node_modules$|\.orig$|^npm-debug\.log$|^CVS$|lock(?:file)?|^build$|^archived-packages$/;

/**
 * Whether a plain `files` list alone already says that `path` ships: the path itself or a folder above it is
 * named without patterns, and nothing on the way may take it out again. `false` means: not known from this.
 */
function plainlyListed(rootDir: string, files: unknown, path: string): boolean {
  if (
    !Array.isArray(files) ||
    files.some((item) => typeof item !== "string" || /[*?[\]{}!()+@|\\]/.test(item))
  ) {
    return false;
  }
  const parts = path.split("/");
  if (parts.some((part) => SPECIAL.test(part))) return false;
  const names = files.map((item) =>
    posix
      .normalize(item)
      .replace(/^\.?\//, "")
      .replace(/\/$/, ""),
  );
  const at = parts.findIndex((_, index) => names.includes(parts.slice(0, index + 1).join("/")));
  if (at < 0) return false;
  // Links are not followed, and folders inside the package may hold rules of their own.
  if (parts.some((_, index) => isLink(join(rootDir, ...parts.slice(0, index + 1))))) return false;
  return parts
    .slice(0, -1)
    .every((_, index) =>
      [".npmignore", ".gitignore"].every(
        (name) => !existsSync(join(rootDir, ...parts.slice(0, index + 1), name)),
      ),
    );
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Answers which files a package ships; npm's full rules load only when a question needs them. */
export class PackList {
  private list: Promise<Set<string>> | undefined;

  constructor(
    private readonly rootDir: string,
    private readonly packageJson: Record<string, unknown>,
  ) {}

  /** Whether `npm pack` ships this existing file; `path` as `dist/index.js`. */
  async has(path: string): Promise<boolean> {
    if (path === "package.json" || plainlyListed(this.rootDir, this.packageJson.files, path)) return true;
    this.list ??= packedFiles(this.rootDir, this.packageJson).then((files) => new Set(files));
    return (await this.list).has(path);
  }
}
