import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Every path below `dir` with its kind and content hash, links by their target; `skip` prunes by relative path. */
export function treeOf(dir: string, skip: (path: string) => boolean = () => false): Record<string, string> {
  const tree: Record<string, string> = {};
  const visit = (path: string): void => {
    for (const name of readdirSync(join(dir, path)).sort()) {
      const relative = path === "" ? name : `${path}/${name}`;
      if (skip(relative)) continue;
      const full = join(dir, relative);
      const info = lstatSync(full);
      if (info.isSymbolicLink()) tree[relative] = `link ${readlinkSync(full)}`;
      else if (info.isDirectory()) {
        tree[relative] = "folder";
        visit(relative);
      } else {
        const hash = createHash("sha256").update(readFileSync(full)).digest("hex").slice(0, 16);
        tree[relative] = `file ${(info.mode & 0o7777).toString(8)} ${hash}`;
      }
    }
  };
  visit("");
  return tree;
}
