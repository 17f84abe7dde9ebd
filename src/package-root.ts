import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

let found: string | undefined;

/**
 * The folder of this package, real path, from sources and from the bundle alike: the nearest folder above
 * this file that holds `bin/openclaw.js`.
 */
export function packageRoot(): string {
  if (found !== undefined) return found;
  let dir = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(dir, "bin", "openclaw.js"))) {
    const parent = dirname(dir);
    if (parent === dir) throw new Error("cannot find the folder of the openclaw package");
    dir = parent;
  }
  found = dir;
  return dir;
}

/** A file of the built package: `distFile("sdk", "core.js")`. */
export function distFile(...path: string[]): string {
  return join(packageRoot(), "dist", ...path);
}
