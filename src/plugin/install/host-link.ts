import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../../package-root.js";

/**
 * Makes `openclaw` in a staged plugin this very package, so that native resolution finds the SDK and no
 * second copy is ever fetched or used.
 */
export async function linkHost(pluginDir: string): Promise<void> {
  const modules = join(pluginDir, "node_modules");
  const link = join(modules, "openclaw");
  await mkdir(modules, { recursive: true });
  await rm(link, { recursive: true, force: true });
  await symlink(packageRoot(), link, process.platform === "win32" ? "junction" : "dir");
}
