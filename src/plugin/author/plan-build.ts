import { join } from "node:path";
import { CommandFailure, messageOf } from "../../errors.js";
import type { ToolPluginMetadata } from "../../sdk/types/tool-definition.js";
import { isRecord, MANIFEST_NAME, parseManifestText, readManifestText } from "../load/manifest.js";
import { alignPackage } from "./align-package.js";
import { generateManifest } from "./generate-manifest.js";
import { type Change, changedText, changesBetween } from "./json-file.js";
import type { PluginProject } from "./project.js";

/** A file as a build would leave it. */
export interface PlannedFile {
  name: "openclaw.plugin.json" | "package.json";
  /** Absolute. */
  file: string;
  before: string | undefined;
  after: string;
  /** Empty when the file is fine; then `after` equals `before`. */
  changes: Change[];
}

export interface ExistingManifest {
  text?: string;
  value?: unknown;
}

/**
 * Reads the manifest there is, if any.
 * @throws CommandFailure `manifest_invalid` when it cannot be read or parsed
 */
export async function readExistingManifest(rootDir: string): Promise<ExistingManifest> {
  let text: string;
  try {
    text = await readManifestText(rootDir);
  } catch (error) {
    if (error instanceof CommandFailure && error.code === "manifest_missing") return {};
    throw error instanceof CommandFailure
      ? error
      : new CommandFailure("manifest_invalid", `plugin manifest cannot be read: ${messageOf(error)}`);
  }
  return { text, value: await parseManifestText(text, join(rootDir, MANIFEST_NAME)) };
}

export interface BuildPlan {
  manifest: PlannedFile;
  packageFile: PlannedFile;
  /** package.json as it will be. */
  packageJson: Record<string, unknown>;
}

/** What a build writes for this project. Writes nothing, and depends on nothing but the project. */
export async function planBuild(
  project: PluginProject,
  existing: ExistingManifest,
  entries: {
    metadata: ToolPluginMetadata;
    others: readonly ToolPluginMetadata[];
    handDeclared: readonly string[];
  },
  packageJson: Record<string, unknown>,
): Promise<BuildPlan> {
  const manifest = generateManifest({
    ...entries,
    version: project.packageJson.version,
    existing: existing.value,
  });
  const file = join(project.rootDir, MANIFEST_NAME);
  const [manifestFile, packageFile] = await Promise.all([
    planned(
      MANIFEST_NAME,
      file,
      existing.text,
      isRecord(existing.value) ? existing.value : undefined,
      manifest,
    ),
    planned("package.json", project.packageFile, project.packageText, project.packageJson, packageJson),
  ]);
  return { manifest: manifestFile, packageFile, packageJson };
}

/** package.json as a build would leave it, for a project whose entry has been chosen. */
export const plannedPackage = alignPackage;

async function planned(
  name: PlannedFile["name"],
  file: string,
  before: string | undefined,
  current: unknown,
  wanted: unknown,
): Promise<PlannedFile> {
  const changes = changesBetween(current, wanted);
  const after =
    changes.length === 0 && before !== undefined ? before : await changedText(before, wanted, changes, file);
  return { name, file, before, after, changes };
}
