import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { packageRoot } from "../../package-root.js";

/** The nearest folder above `path` (itself included) that exists, links resolved. */
function existing(path: string): string {
  let at = path;
  while (!existsSync(at)) at = dirname(at);
  return join(realpathSync(at), relative(at, path));
}

/** Folders that say where one tree of sources begins. */
function treeRoot(path: string): string | undefined {
  for (let at = dirname(path); ; at = dirname(at)) {
    if (existsSync(join(at, ".git")) || existsSync(join(at, "package.json"))) return at;
    if (dirname(at) === at) return undefined;
  }
}

const inside = (root: string, path: string): boolean => path === root || path.startsWith(root + sep);

/**
 * The `openclaw` devDependency of a new project: a `file:` path to this toolchain, which is the one that is
 * known to work. Relative when both lie in one tree, so that the tree can be moved as a whole.
 */
export function toolchainSpec(directory: string): string {
  const own = packageRoot();
  const target = existing(resolve(directory));
  const tree = treeRoot(target);
  const together = inside(own, target) || (tree !== undefined && inside(tree, own));
  const path = together ? relative(target, own) : own;
  return `file:${path.split(sep).join("/")}`;
}
