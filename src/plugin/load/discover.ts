import { readdir, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { OpenClawConfig } from "../../config/config.js";
import { type StatePaths, userHome } from "../../config/paths.js";
import { messageOf } from "../../errors.js";
import { tracePhase } from "../../plugin-events.js";
import { compareNames } from "../../text/order.js";
import type { DiscoveredPlugin, PluginManifest, PluginOrigin } from "../types.js";
import { MANIFEST_NAME, readManifest } from "./manifest.js";
import { type PackageInfo, readPackageInfo, resolveEntries } from "./package-info.js";
import { type PendingFolders, pendingFolders, readJournals } from "./pending.js";
import { type InstallRecords, installedFolder, readRecords } from "./records.js";

export interface DiscoverOptions {
  paths: StatePaths;
  config: OpenClawConfig;
}

/** Whether the configuration lets a plugin run: switched on, allowed, not denied. */
export function isEnabled(id: string, config: OpenClawConfig): boolean {
  const plugins = config.plugins ?? {};
  if (plugins.enabled === false) return false;
  if (plugins.deny?.includes(id)) return false;
  if (plugins.allow !== undefined && !plugins.allow.includes(id)) return false;
  const entries = plugins.entries ?? {};
  return !(Object.hasOwn(entries, id) && entries[id]?.enabled === false);
}

export interface DescribeOptions {
  origin: PluginOrigin;
  /** Id to show when the manifest cannot be read. */
  fallbackId: string;
  sourceFallback?: boolean;
}

/**
 * Reads what one folder says about the plugin in it, running nothing of it. Never throws: whatever is
 * wrong becomes the row's `error`. `enabled` is left true for the caller to decide.
 */
export async function describeFolder(rootDir: string, options: DescribeOptions): Promise<DiscoveredPlugin> {
  const [manifest, info] = await Promise.all([
    readManifest(rootDir).catch((error: unknown) => error),
    readPackageInfo(rootDir).catch((error: unknown) => error),
  ]);
  const plugin: DiscoveredPlugin = {
    id: options.fallbackId,
    rootDir,
    origin: options.origin,
    enabled: true,
    entries: [],
    diagnostics: [],
  };
  const problems: string[] = [];
  if (manifest instanceof Error) problems.push(messageOf(manifest));
  else {
    plugin.manifest = manifest as PluginManifest;
    plugin.id = plugin.manifest.id;
  }
  if (info instanceof Error) problems.push(messageOf(info));
  else {
    const known = info as PackageInfo;
    if (known.name !== undefined) plugin.packageName = known.name;
    if (known.version !== undefined) plugin.packageVersion = known.version;
    const resolved = await resolveEntries(
      rootDir,
      known,
      options.sourceFallback ? { sourceFallback: true } : {},
    );
    plugin.entries = resolved.entries;
    plugin.diagnostics.push(...resolved.diagnostics);
    if (resolved.error !== undefined) problems.push(resolved.error);
  }
  if (problems[0] !== undefined) plugin.error = problems[0];
  return plugin;
}

async function subfolders(dir: string): Promise<string[]> {
  try {
    const entries = await readdir(dir, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.name.startsWith(".") && (entry.isDirectory() || entry.isSymbolicLink()))
      .map((entry) => entry.name)
      .sort();
  } catch {
    return [];
  }
}

async function kindOf(path: string): Promise<"directory" | "file" | "absent"> {
  try {
    return (await stat(path)).isDirectory() ? "directory" : "file";
  } catch {
    return "absent";
  }
}

async function isPluginFolder(dir: string): Promise<boolean> {
  return (await kindOf(join(dir, MANIFEST_NAME))) !== "absent";
}

/** `~/` and paths relative to the configuration file, as the user would read them there. */
function configuredPath(path: string, configFile: string): string {
  const home = /^~(?=$|[/\\])/.test(path) ? userHome() + path.slice(1) : path;
  return isAbsolute(home) ? home : resolve(dirname(configFile), home);
}

async function fromConfigPath(path: string): Promise<DiscoveredPlugin[]> {
  const broken = (error: string): DiscoveredPlugin[] => [
    {
      id: basename(path),
      rootDir: path,
      origin: "config",
      enabled: true,
      entries: [],
      error,
      diagnostics: [],
    },
  ];
  const kind = await kindOf(path);
  if (kind === "absent") return broken(`plugins.load.paths names a folder that does not exist: ${path}`);
  if (kind === "file") return broken(`plugins.load.paths must name a plugin's folder, not a file: ${path}`);
  if (!(await isPluginFolder(path))) {
    const children = (await subfolders(path)).map((name) => join(path, name));
    const plugins = (
      await Promise.all(children.map(async (dir) => ((await isPluginFolder(dir)) ? dir : "")))
    ).filter(Boolean);
    if (plugins.length > 0) {
      return Promise.all(
        plugins.map((dir) => describeFolder(dir, { origin: "config", fallbackId: basename(dir) })),
      );
    }
  }
  return [await describeFolder(path, { origin: "config", fallbackId: basename(path) })];
}

async function fromRecords(
  paths: StatePaths,
  records: InstallRecords,
  pending: PendingFolders,
): Promise<DiscoveredPlugin[]> {
  const ids = Object.keys(records.installs).sort();
  return Promise.all(
    ids.map(async (id) => {
      const record = records.installs[id];
      const linked = record?.source === "link";
      const rootDir = linked ? record.installPath : (pending.get(id) ?? installedFolder(paths, id));
      const origin: PluginOrigin = linked ? "linked" : "installed";
      if ((await kindOf(rootDir)) !== "directory") {
        const error = linked
          ? `the linked folder is gone: ${rootDir}`
          : `the installed folder is gone: ${rootDir}`;
        return { id, rootDir, origin, enabled: true, entries: [], error, diagnostics: [] };
      }
      const plugin = await describeFolder(rootDir, { origin, fallbackId: id });
      // Records, folders and settings are keyed by the id at install time; a linked folder may have changed.
      if (plugin.id !== id) {
        plugin.diagnostics.push({
          level: "error",
          message: `installed as ${id}, but the manifest now says ${plugin.id}`,
          fix: `run \`openclaw plugins uninstall ${id}\` and install it again`,
        });
        plugin.id = id;
      }
      return plugin;
    }),
  );
}

async function fromExtensions(
  paths: StatePaths,
  records: InstallRecords,
  pending: PendingFolders,
): Promise<DiscoveredPlugin[]> {
  const names = (await subfolders(paths.extensionsDir)).filter((name) => {
    const record = records.installs[name];
    return (record === undefined || record.source === "link") && !pending.has(name);
  });
  const folders = await Promise.all(
    names.map(async (name) => {
      const dir = join(paths.extensionsDir, name);
      if (!(await isPluginFolder(dir))) return undefined;
      return describeFolder(dir, { origin: "untracked", fallbackId: name });
    }),
  );
  return folders.filter((plugin) => plugin !== undefined);
}

/** One row an id; the first source wins and says which folders it hides. */
function precedence(found: readonly DiscoveredPlugin[], config: OpenClawConfig): DiscoveredPlugin[] {
  const rows = new Map<string, DiscoveredPlugin>();
  for (const plugin of found) {
    const winner = rows.get(plugin.id);
    if (winner === undefined) rows.set(plugin.id, { ...plugin, enabled: isEnabled(plugin.id, config) });
    else if (winner.rootDir !== plugin.rootDir) {
      winner.diagnostics.push({
        level: "warning",
        message: `also found at ${plugin.rootDir} (${plugin.origin}), which is ignored`,
        fix: "keep one of the two",
      });
    }
  }
  return [...rows.values()].sort((a, b) => compareNames(a.id, b.id));
}

async function discoverOnce(
  { paths, config }: DiscoverOptions,
  records: InstallRecords,
  pending: PendingFolders,
): Promise<DiscoveredPlugin[]> {
  const configured = (config.plugins?.load?.paths ?? []).map((path) =>
    configuredPath(path, paths.configFile),
  );
  const groups = await Promise.all([
    ...configured.map(fromConfigPath),
    fromRecords(paths, records, pending),
    fromExtensions(paths, records, pending),
  ]);
  return precedence(groups.flat(), config);
}

/** A consistent view needs a moment without a change; installs finish theirs within milliseconds. */
const MAX_ATTEMPTS = 4;

/**
 * Every plugin on this machine that the user installed, linked, dropped into the extensions folder or
 * named in `plugins.load.paths`, one row an id, sorted by id. Nothing of a plugin is imported. A broken
 * plugin is a row with its `error` and hides no other. The same id twice: `plugins.load.paths` wins
 * over installs and links, those over untracked folders.
 *
 * While another process installs or after one was killed, the rows show the state before or after that
 * change, never a mixture.
 */
export function discoverPlugins(options: DiscoverOptions): Promise<DiscoveredPlugin[]> {
  return tracePhase("discover", undefined, () => discoverSettled(options));
}

async function discoverSettled(options: DiscoverOptions): Promise<DiscoveredPlugin[]> {
  for (let attempt = 1; ; attempt++) {
    const changes = await readJournals(options.paths);
    const records = await readRecords(options.paths);
    const found = await discoverOnce(options, records, await pendingFolders(changes, records));
    const [after, recordsAfter] = await Promise.all([
      readJournals(options.paths),
      readRecords(options.paths),
    ]);
    const names = (list: typeof changes): string => list.map(({ journal }) => journal.transaction).join();
    const quiet = names(after) === names(changes) && recordsAfter.text === records.text;
    if (quiet || attempt === MAX_ATTEMPTS) return found;
  }
}
