import { lstat, readdir, realpath, rename } from "node:fs/promises";
import { join } from "node:path";
import type { OpenClawConfig } from "../../config/config.js";
import type { StatePaths } from "../../config/paths.js";
import { messageOf } from "../../errors.js";
import { packageRoot } from "../../package-root.js";
import { discoverPlugins } from "../load/discover.js";
import { loadPlugin } from "../load/load-plugin.js";
import { readJournals } from "../load/pending.js";
import { readRecords } from "../load/records.js";
import type { DiscoveredPlugin, LoadedPlugin, PluginDiagnostic } from "../types.js";
import { linkHost } from "./host-link.js";
import { npmVersion } from "./npm.js";
import { recoverState } from "./publish.js";
import { staleStages } from "./stage.js";

/** One thing doctor looked at. */
export interface DoctorCheck {
  name: string;
  status: "ok" | "warning" | "error" | "fixed";
  message: string;
  fix?: string;
}

export interface DoctorReport {
  ok: boolean;
  checks: DoctorCheck[];
  pluginErrors: { id: string; failurePhase: string; error: string; source: string }[];
  diagnostics: (PluginDiagnostic & { pluginId: string })[];
}

export interface DoctorOptions {
  paths: StatePaths;
  config: OpenClawConfig;
  /** Repairs what cannot lose anything: leftovers of killed commands, a broken records file, host links. */
  fix: boolean;
}

const RUN_FIX = "`openclaw plugins doctor --fix` does it";

async function checkNpm(): Promise<DoctorCheck> {
  try {
    return { name: "npm", status: "ok", message: `npm ${await npmVersion()}, Node ${process.versions.node}` };
  } catch (error) {
    const fix = "install npm; installing plugins needs it";
    return { name: "npm", status: "warning", message: messageOf(error), fix };
  }
}

async function checkRecords({ paths, fix }: DoctorOptions): Promise<DoctorCheck> {
  const name = "install records";
  const { problem, installs } = await readRecords(paths);
  if (problem === undefined) {
    const count = Object.keys(installs).length;
    return { name, status: "ok", message: `${count} ${count === 1 ? "install" : "installs"} recorded` };
  }
  if (!fix)
    return {
      name,
      status: "error",
      message: problem,
      fix: `${RUN_FIX}: the file is set aside, folders stay`,
    };
  const aside = `${paths.recordsFile}.broken-${Date.now()}`;
  await rename(paths.recordsFile, aside);
  return {
    name,
    status: "fixed",
    message: `the broken records file is now ${aside}; reinstall to record plugins again`,
  };
}

async function checkLeftovers({ paths, fix }: DoctorOptions): Promise<DoctorCheck> {
  const name = "unfinished changes";
  const [stale, journals] = await Promise.all([staleStages(paths), readJournals(paths)]);
  const left = stale.length;
  if (left === 0 && journals.length === 0) return { name, status: "ok", message: "none" };
  const message = `${left} left by killed commands, ${journals.length} of them while folders moved`;
  if (!fix) return { name, status: "warning", message, fix: `${RUN_FIX}, and so does the next install` };
  await recoverState(paths);
  return { name, status: "fixed", message: `${message}; cleaned up` };
}

/** Whether `openclaw` inside an installed plugin is this package. */
async function hostLinkIsOurs(rootDir: string): Promise<boolean> {
  try {
    return (await realpath(join(rootDir, "node_modules", "openclaw"))) === (await realpath(packageRoot()));
  } catch {
    return false;
  }
}

async function checkHostLinks(plugins: readonly DiscoveredPlugin[], fix: boolean): Promise<DoctorCheck> {
  const name = "host links";
  const wrong: DiscoveredPlugin[] = [];
  for (const plugin of plugins) {
    if (
      plugin.origin === "installed" &&
      plugin.error === undefined &&
      !(await hostLinkIsOurs(plugin.rootDir))
    ) {
      wrong.push(plugin);
    }
  }
  if (wrong.length === 0)
    return { name, status: "ok", message: "every installed plugin resolves openclaw to this toolchain" };
  const ids = wrong.map((plugin) => plugin.id).join(", ");
  if (!fix) {
    return {
      name,
      status: "warning",
      message: `openclaw is another copy or absent in: ${ids}`,
      fix: RUN_FIX,
    };
  }
  for (const plugin of wrong) await linkHost(plugin.rootDir);
  return { name, status: "fixed", message: `linked openclaw to this toolchain in: ${ids}` };
}

async function checkFolders(paths: StatePaths, plugins: readonly DiscoveredPlugin[]): Promise<DoctorCheck> {
  const name = "extensions folder";
  const names = await readdir(paths.extensionsDir).catch(() => []);
  const known = new Set(plugins.map((plugin) => plugin.rootDir));
  const strays: string[] = [];
  for (const entry of names.sort()) {
    const path = join(paths.extensionsDir, entry);
    if (known.has(path) || entry.startsWith(".")) continue;
    if ((await lstat(path)).isDirectory()) strays.push(entry);
  }
  const untracked = plugins.filter((plugin) => plugin.origin === "untracked").map((plugin) => plugin.id);
  if (strays.length > 0) {
    const message = `folders without a manifest, which nothing loads: ${strays.join(", ")}`;
    return { name, status: "warning", message, fix: "remove them, or add an openclaw.plugin.json" };
  }
  const note = untracked.length === 0 ? "" : `; not installed by this toolchain: ${untracked.join(", ")}`;
  return { name, status: "ok", message: `${paths.extensionsDir}${note}` };
}

function checkNames(loaded: readonly LoadedPlugin[]): DoctorCheck {
  const owners = new Map<string, string[]>();
  for (const { tools, plugin } of loaded) {
    for (const { name } of tools) owners.set(name, [...(owners.get(name) ?? []), plugin.id]);
  }
  const shared = [...owners].filter(([, ids]) => ids.length > 1);
  if (shared.length === 0) return { name: "tool names", status: "ok", message: "no two plugins share one" };
  const list = shared.map(([name, ids]) => `${name} (${ids.join(", ")})`).join("; ");
  return {
    name: "tool names",
    status: "warning",
    message: `only the first plugin's tool is used: ${list}`,
    fix: "disable one of them",
  };
}

function checkPlugin(loaded: LoadedPlugin): DoctorCheck {
  const name = `plugin ${loaded.plugin.id}`;
  if (loaded.status === "error")
    return { name, status: "error", message: `${loaded.failurePhase}: ${loaded.error}` };
  const worst =
    loaded.diagnostics.find(({ level }) => level === "error") ??
    loaded.diagnostics.find(({ level }) => level === "warning");
  if (worst === undefined) {
    const count = loaded.tools.length;
    return {
      name,
      status: "ok",
      message: `imports and registers; ${count} ${count === 1 ? "tool" : "tools"}`,
    };
  }
  return {
    name,
    status: worst.level === "error" ? "error" : "warning",
    message: worst.message,
    ...(worst.fix === undefined ? {} : { fix: worst.fix }),
  };
}

/**
 * Checks everything this toolchain keeps and every enabled plugin, by importing it. Each check says what
 * it looked at, also when it is fine.
 */
export async function diagnose(options: DoctorOptions): Promise<DoctorReport> {
  const { paths, config } = options;
  const checks = [await checkNpm(), await checkRecords(options), await checkLeftovers(options)];
  const plugins = await discoverPlugins({ paths, config });
  checks.push(await checkFolders(paths, plugins), await checkHostLinks(plugins, options.fix));
  const loaded: LoadedPlugin[] = [];
  for (const plugin of plugins.filter(({ enabled }) => enabled)) {
    loaded.push(await loadPlugin(plugin, { config, factories: "unnamed", stateDir: paths.stateDir }));
  }
  checks.push(checkNames(loaded), ...loaded.map(checkPlugin));
  const disabled = plugins.filter(({ enabled }) => !enabled).map(({ id }) => id);
  if (disabled.length > 0) {
    checks.push({ name: "disabled plugins", status: "ok", message: `not imported: ${disabled.join(", ")}` });
  }
  return {
    ok: checks.every(({ status }) => status !== "error"),
    checks,
    pluginErrors: loaded
      .filter(({ status }) => status === "error")
      .map(({ plugin, failurePhase, error }) => ({
        id: plugin.id,
        failurePhase: failurePhase ?? "import",
        error: error ?? "",
        source: plugin.entries[0] ?? plugin.rootDir,
      })),
    diagnostics: loaded.flatMap(({ plugin, diagnostics }) =>
      diagnostics.map((d) => ({ pluginId: plugin.id, ...d })),
    ),
  };
}
