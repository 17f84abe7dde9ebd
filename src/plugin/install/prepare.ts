import { copyFile, mkdir, realpath, rm } from "node:fs/promises";
import { join, sep } from "node:path";
import { CommandFailure, UsageFailure } from "../../errors.js";
import { readPackageInfo } from "../load/package-info.js";
import type { InstallRecord } from "../load/records.js";
import { checkArchive, fileHashes, unpackArchive } from "./archive.js";
import { type CheckedPlugin, checkManifest } from "./check-plugin.js";
import { copyFolder } from "./copy-folder.js";
import { type DependencyOutcome, placeDependencies } from "./dependencies.js";
import { linkHost } from "./host-link.js";
import type { InstallOptions } from "./install-options.js";
import { downloadPackage, type ResolvedPackage } from "./registry.js";
import type { PluginSource } from "./source-spec.js";
import type { Stage } from "./stage.js";
import type { OnStep } from "./steps.js";

/** Where a plugin came from, as its record tells. */
export type Origin = Pick<InstallRecord, "source" | "sourcePath" | "resolvedSpec" | "integrity" | "shasum">;

/** A plugin that passed every check short of its import. */
export interface Prepared {
  checked: CheckedPlugin;
  origin: Origin;
  dependencies: DependencyOutcome;
  /** The staged plugin; none for links. */
  staged?: string;
}

/** One running install. */
export interface Work {
  options: InstallOptions;
  source: PluginSource;
  stage: Stage;
  step: OnStep;
  say: (text: string) => void;
  warnings: string[];
}

async function fetchPackage(
  work: Work,
  resolved: ResolvedPackage,
): Promise<{ file: string; origin: Origin }> {
  const { options, stage } = work;
  const dir = join(stage.dir, "archive");
  const file = await downloadPackage(resolved, dir, { cwd: options.cwd, signal: options.signal });
  const hashes = await fileHashes(file);
  if (resolved.integrity?.startsWith("sha512-") && resolved.integrity !== hashes.integrity) {
    throw new CommandFailure(
      "integrity_mismatch",
      `${resolved.name}@${resolved.version} is not what the registry announced`,
    );
  }
  return { file, origin: { source: "npm", resolvedSpec: `${resolved.name}@${resolved.version}`, ...hashes } };
}

/** Brings an archive into the stage, checks every entry of it and unpacks it. */
async function placeArchive(
  work: Work,
  resolved: ResolvedPackage | undefined,
  pluginDir: string,
): Promise<Origin> {
  const { source, stage, step } = work;
  const dir = join(stage.dir, "archive");
  await mkdir(dir, { recursive: true });
  let file = join(dir, "plugin.tgz");
  let origin: Origin;
  if (resolved !== undefined) {
    work.say(`Downloading ${resolved.name}@${resolved.version}`);
    ({ file, origin } = await fetchPackage(work, resolved));
  } else {
    const path = source.kind === "archive" ? source.path : "";
    // A copy, so that what is checked is what is unpacked.
    await copyFile(path, file);
    const kind = source.kind === "archive" && source.npmPack ? "npm-pack" : "archive";
    origin = { source: kind, sourcePath: path, ...(await fileHashes(file)) };
  }
  await step("fetched");
  await checkArchive(file);
  await step("archive-checked");
  await unpackArchive(file, pluginDir);
  await rm(dir, { recursive: true, force: true });
  return origin;
}

async function placeFolder(work: Work, folder: string, pluginDir: string): Promise<Origin> {
  work.say(`Copying ${folder}`);
  const { raw } = await readPackageInfo(folder);
  await work.step("fetched");
  const links = await copyFolder(folder, pluginDir, raw);
  if (links.length > 0)
    work.warnings.push(`links are not copied, as \`npm pack\` ships none: ${links.join(", ")}`);
  return { source: "directory", sourcePath: folder };
}

/** Fetch, unpack, dependencies, host link and checks: everything before the state is touched. */
export async function prepare(work: Work, resolved: ResolvedPackage | undefined): Promise<Prepared> {
  const { options, source, stage, step } = work;
  const pluginDir = join(stage.dir, "plugin");
  const origin =
    source.kind === "directory"
      ? await placeFolder(work, source.path, pluginDir)
      : await placeArchive(work, resolved, pluginDir);
  await step("unpacked");
  // Before npm is asked for anything: a broken plugin should not cost a download.
  const rules = { rootDir: pluginDir, config: options.config, force: options.force === true };
  const checked = await checkManifest(rules);
  await step("manifest-checked");
  work.say("Installing its dependencies");
  const workDir = join(stage.dir, "dependencies");
  await mkdir(workDir, { recursive: true });
  const dependencies = await placeDependencies({
    pluginDir,
    packageJson: checked.info.raw,
    workDir,
    ...(source.kind === "directory" ? { sourceDir: source.path } : {}),
    cwd: options.cwd,
    signal: options.signal,
    onStep: step,
  });
  await rm(workDir, { recursive: true, force: true });
  await step("dependencies-placed");
  await linkHost(pluginDir);
  await step("host-linked");
  return { staged: pluginDir, checked, origin, dependencies };
}

/** A folder under extensions/ is used without a link, and replacing "it" by a link would remove it. */
async function refuseInnerLink(path: string, extensionsDir: string): Promise<void> {
  const [real, realDir] = await Promise.all([
    realpath(path),
    realpath(extensionsDir).catch(() => extensionsDir),
  ]);
  if (real !== realDir && !real.startsWith(realDir + sep)) return;
  throw new UsageFailure(
    `${path} already lies in the extensions folder, where it is found without a link`,
    "Link the folder you develop in, or install without --link.",
  );
}

/** As `prepare`, for a folder that stays where it is. */
export async function prepareLink(work: Work, path: string): Promise<Prepared> {
  const { options, step } = work;
  await refuseInnerLink(path, options.paths.extensionsDir);
  const checked = await checkManifest({
    rootDir: path,
    config: options.config,
    force: options.force === true,
  });
  await step("manifest-checked");
  return { checked, origin: { source: "link", sourcePath: path }, dependencies: "none" };
}
