import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { CommandFailure } from "../../errors.js";
import type { DiscoveredPlugin } from "../types.js";
import { describeFolder } from "./discover.js";
import { MANIFEST_NAME } from "./manifest.js";

/** Where an entry is looked for when package.json names none. */
const USUAL_ENTRIES = ["dist/index.js", "src/index.ts", "index.ts", "index.js"];

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isFile(),
    () => false,
  );
}

/**
 * The plugin in a folder the user named (`--plugin <dir>`), read without running it. It need not be
 * installed, built or complete: an entry that is not built gives its source, a missing or broken
 * manifest and a package.json without `openclaw.extensions` are diagnostics, since the tools come from
 * the entry itself. Notes for the user are diagnostics of level `info` and `warning`.
 * @param dir as given, relative to `cwd`
 * @throws CommandFailure `plugin_not_found` when there is no such folder
 */
export async function discoverGiven(dir: string, cwd: string = process.cwd()): Promise<DiscoveredPlugin> {
  const rootDir = resolve(cwd, dir);
  const info = await stat(rootDir).catch(() => undefined);
  if (info === undefined) {
    throw new CommandFailure("plugin_not_found", `plugin folder not found: ${rootDir}`);
  }
  if (!info.isDirectory()) {
    throw new CommandFailure("plugin_not_found", `a plugin is given by its folder, not a file: ${rootDir}`);
  }
  const plugin = await describeFolder(rootDir, {
    origin: "given",
    fallbackId: basename(rootDir),
    sourceFallback: true,
  });
  if (plugin.entries.length === 0 && !plugin.error?.startsWith("plugin entry")) {
    for (const entry of USUAL_ENTRIES) {
      const file = join(rootDir, entry);
      if (!(await isFile(file))) continue;
      plugin.entries = [file];
      plugin.diagnostics.push({
        level: "warning",
        message: `package.json names no entry in openclaw.extensions; using ./${entry}`,
        fix: `run \`openclaw plugins build --entry ./${entry}\``,
      });
      break;
    }
  }
  if (plugin.entries.length > 0 && plugin.error !== undefined) {
    // The entry carries its own metadata; what the missing file would have added is only convenience.
    if (plugin.manifest === undefined) {
      plugin.diagnostics.push({
        level: "warning",
        message: `${plugin.error.includes(MANIFEST_NAME) ? plugin.error : `${MANIFEST_NAME}: ${plugin.error}`}`,
        fix: "run `openclaw plugins build`",
      });
    }
    delete plugin.error;
  }
  return plugin;
}
