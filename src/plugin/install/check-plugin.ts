import { basename } from "node:path";
import type { OpenClawConfig } from "../../config/config.js";
import { CommandFailure } from "../../errors.js";
import { isRecord, readManifest } from "../load/manifest.js";
import { type PackageInfo, readPackageInfo, resolveEntries } from "../load/package-info.js";
import { checkPluginConfig, configuredFor } from "../load/plugin-config.js";
import { idRemark } from "../plugin-id.js";
import type { PluginManifest } from "../types.js";
import { checkEntry } from "./check-entry.js";

export interface CheckedPlugin {
  manifest: PluginManifest;
  info: PackageInfo;
  entries: string[];
  warnings: string[];
}

export interface CheckPluginOptions {
  rootDir: string;
  config: OpenClawConfig;
  /** Install even if the user's settings do not fit the plugin's schema. */
  force: boolean;
}

/** A package without a manifest is usually not broken but something else. */
async function readBoth(rootDir: string): Promise<[PluginManifest, PackageInfo]> {
  const info = await readPackageInfo(rootDir);
  try {
    return [await readManifest(rootDir), info];
  } catch (error) {
    if (!(error instanceof CommandFailure) || error.code !== "manifest_missing") throw error;
    if (isRecord(info.raw.openclaw)) throw error;
    throw new CommandFailure(
      "not_a_plugin",
      `${info.name ?? basename(rootDir)} is not an OpenClaw plugin: it has no openclaw.plugin.json and no openclaw.extensions`,
    );
  }
}

/**
 * Checks all that can be checked without running the plugin: package.json, manifest, id, entry files,
 * the settings schema, and that the user's settings still fit it.
 * @throws CommandFailure with the first reason why it cannot be installed
 */
export async function checkManifest(options: CheckPluginOptions): Promise<CheckedPlugin> {
  const { rootDir, config } = options;
  const [manifest, info] = await readBoth(rootDir);
  const { id } = manifest;
  const remark = idRemark(id);
  if (remark?.fatal === true) throw new CommandFailure("plugin_id_unsafe", remark.message);
  const warnings = remark === undefined ? [] : [remark.message];
  const resolved = await resolveEntries(rootDir, info);
  if (resolved.error !== undefined) {
    const absent = resolved.error.startsWith("plugin entry not found");
    throw new CommandFailure(absent ? "entry_not_found" : "package_invalid", resolved.error, {
      ...(absent
        ? { hint: 'Build the plugin first, and see that "files" in package.json holds the entry\'s folder.' }
        : {}),
    });
  }
  warnings.push(
    ...resolved.diagnostics.map(({ message, fix }) => (fix === undefined ? message : `${message}; ${fix}`)),
  );
  const configured = configuredFor(id, config);
  const checked = await checkPluginConfig(id, manifest.configSchema, configured);
  if (!checked.ok) {
    const [problem] = checked.problems;
    if (checked.badSchema)
      throw new CommandFailure("config_schema_invalid", `openclaw.plugin.json: ${problem}`);
    const all = checked.problems.join("; ");
    if (configured === undefined) warnings.push(`it needs settings before its tools work: ${all}`);
    else if (options.force) warnings.push(`its settings do not fit: ${all}`);
    else {
      throw new CommandFailure(
        "plugin_config_invalid",
        `the settings do not fit this version of ${id}: ${all}`,
        {
          hint: "Change them with `openclaw config set`, or pass --force to install all the same.",
        },
      );
    }
  }
  return { manifest, info, entries: resolved.entries, warnings };
}

/**
 * Checks that every entry of a plugin imports and has something to register. Runs its module code in a
 * process of its own; `register` is not called.
 * @returns warnings
 * @throws CommandFailure with the reason
 */
export async function checkImport(
  rootDir: string,
  plugin: CheckedPlugin,
  signal?: AbortSignal,
): Promise<string[]> {
  const { ids, empty } = await checkEntry({ rootDir, files: plugin.entries, signal });
  if (empty.length > 0) {
    throw new CommandFailure(
      "entry_without_plugin",
      `plugin entry exposes neither defineToolPlugin metadata nor a register function: ${basename(empty[0] ?? "")}`,
      { hint: "Its default export must be what defineToolPlugin or definePluginEntry returns." },
    );
  }
  const other = ids.find((id) => id !== plugin.manifest.id);
  if (other === undefined) return [];
  return [`the entry calls itself ${other}, the manifest ${plugin.manifest.id}; the manifest counts`];
}
