import { existsSync, type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { RunSetup } from "../toolset/setup.js";

/** Files of a plugin that its author changes and a build writes; its own data may change at any time. */
const PLUGIN_FILES = ["package.json", "openclaw.plugin.json"];

function stamp(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? "-" : `${stats.ino}:${stats.mtimeMs}:${stats.size}`;
}

/** What the code of one plugin looks like on disk: its entries and the files beside them. */
export function pluginStamp({ rootDir, entries }: { rootDir: string; entries: readonly string[] }): string {
  const beside = [...new Set(entries.map((entry) => dirname(entry)))].flatMap((dir) => {
    try {
      return readdirSync(dir)
        .filter((name) => /\.[cm]?[jt]s$/.test(name))
        .map((name) => join(dir, name));
    } catch {
      return [];
    }
  });
  return [join(rootDir, "package.json"), ...entries, ...beside].map(stamp).join();
}

/** Everything on disk that decides about the tools of a run. Equal text means that nothing has to be loaded again. */
export function diskStamp({ paths, toolset }: Pick<RunSetup, "paths" | "toolset">): string {
  let installed: string[] = [];
  try {
    installed = readdirSync(paths.extensionsDir).sort();
  } catch {
    // None is installed.
  }
  return [
    stamp(paths.configFile),
    stamp(paths.recordsFile),
    ...installed.flatMap((name) => [name, stamp(join(paths.extensionsDir, name, "openclaw.plugin.json"))]),
    ...toolset.plugins.flatMap(({ plugin }) => [
      plugin.rootDir,
      stamp(join(plugin.rootDir, "openclaw.plugin.json")),
      pluginStamp(plugin),
    ]),
  ].join();
}

/** The nearest folder above `path` that exists, and the name to look for in it. */
function anchorOf(path: string): { dir: string; name: string } {
  let dir = dirname(path);
  let name = basename(path);
  while (!existsSync(dir) && dir !== dirname(dir)) {
    name = basename(dir);
    dir = dirname(dir);
  }
  return { dir, name };
}

/**
 * Watches the configuration, the install records, the extensions folder and the plugins in use. Files that are not there
 * yet are watched for through the folder above them.
 * @returns stops watching
 */
export function watchDisk(
  { paths, toolset }: Pick<RunSetup, "paths" | "toolset">,
  onTouched: () => void,
): () => void {
  /** Folder to the names that matter in it; undefined means all. */
  const wanted = new Map<string, Set<string> | undefined>();
  const add = (dir: string, name?: string): void => {
    if (name === undefined) wanted.set(dir, undefined);
    else if (!wanted.has(dir)) wanted.set(dir, new Set([name]));
    else wanted.get(dir)?.add(name);
  };
  const addFile = (path: string): void => {
    const { dir, name } = anchorOf(path);
    add(dir, name);
  };
  addFile(paths.configFile);
  addFile(paths.recordsFile);
  addFile(paths.extensionsDir);
  if (existsSync(paths.extensionsDir)) add(paths.extensionsDir);
  for (const { plugin } of toolset.plugins) {
    for (const name of PLUGIN_FILES) addFile(join(plugin.rootDir, name));
    for (const entry of plugin.entries) {
      if (existsSync(dirname(entry))) add(dirname(entry));
      else addFile(entry);
    }
  }
  const watchers: FSWatcher[] = [];
  for (const [dir, names] of wanted) {
    try {
      const watcher = watch(dir, { persistent: false }, (_event, name) => {
        if (names === undefined || name === null || names.has(name)) onTouched();
      });
      // A folder that goes away is seen through the one above it.
      watcher.on("error", () => watcher.close());
      watchers.push(watcher);
    } catch {
      // Out of watches, or gone meanwhile: the other folders still tell.
    }
  }
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}
