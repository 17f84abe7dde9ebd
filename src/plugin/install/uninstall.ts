import { basename, dirname } from "node:path";
import type { StatePaths } from "../../config/paths.js";
import { CommandFailure } from "../../errors.js";
import { stepTimer } from "../../plugin-events.js";
import { installedFolder, readRecords } from "../load/records.js";
import type { DiscoveredPlugin } from "../types.js";
import { publish } from "./publish.js";
import { makeStage, removeStage } from "./stage.js";
import type { OnStep } from "./steps.js";

/** What an uninstall takes away. */
export interface UninstallPlan {
  id: string;
  /** The folder that is deleted; none for a link. */
  folder?: string;
  /** A linked folder, which stays. */
  linkedFolder?: string;
  /** Whether an install record is removed. */
  record: boolean;
}

/**
 * What uninstalling would do.
 * @throws CommandFailure `not_installed` for plugins that only the configuration names
 */
export async function planUninstall(plugin: DiscoveredPlugin, paths: StatePaths): Promise<UninstallPlan> {
  const { installs } = await readRecords(paths);
  const record = installs[plugin.id];
  if (plugin.origin === "config" && record === undefined) {
    throw new CommandFailure(
      "not_installed",
      `${plugin.id} is not installed; plugins.load.paths names ${plugin.rootDir}`,
      { hint: `Remove that path from ${paths.configFile}.` },
    );
  }
  const tracked = record !== undefined;
  if (record?.source === "link") return { id: plugin.id, linkedFolder: record.installPath, record: tracked };
  // A folder that hides the install (plugins.load.paths) is not what was installed.
  const folder = tracked ? installedFolder(paths, plugin.id) : plugin.rootDir;
  return { id: plugin.id, folder, record: tracked };
}

/** Only untracked folders may be called otherwise than their plugin. */
function folderName(plan: UninstallPlan, paths: StatePaths): { folder?: string | null } {
  if (plan.folder === undefined) return { folder: null };
  const name = basename(plan.folder);
  return dirname(plan.folder) === paths.extensionsDir && name !== plan.id ? { folder: name } : {};
}

/**
 * Removes an installed, linked or untracked plugin: its folder under extensions/ and its record. Linked
 * folders and the user's configuration stay. A failure leaves everything as it was.
 */
export async function uninstallPlugin(
  plan: UninstallPlan,
  paths: StatePaths,
  listener: OnStep = () => {},
): Promise<void> {
  const tell = stepTimer("uninstall", plan.id);
  const onStep: OnStep = (name) => {
    tell(name);
    return listener(name);
  };
  await onStep("resolved");
  const stage = await makeStage(paths);
  try {
    await onStep("stage-made");
    await publish(paths, { kind: "uninstall", id: plan.id, stage, ...folderName(plan, paths) }, onStep);
  } catch (error) {
    await removeStage(stage).catch(() => {});
    throw error;
  }
  try {
    await removeStage(stage);
    await onStep("stage-removed");
  } catch {
    // Uninstalled all the same; the next command sweeps what is left of the stage.
  }
}
