import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { StatePaths } from "../../config/paths.js";
import { CommandFailure, messageOf, UsageFailure } from "../../errors.js";
import { stepTimer } from "../../plugin-events.js";
import { shellWord } from "../../text/shell-word.js";
import { version as toolchainVersion } from "../../version.js";
import { isEnabled } from "../load/discover.js";
import { installedFolder } from "../load/records.js";
import { checkImport } from "./check-plugin.js";
import type { InstallOptions, InstallResult } from "./install-options.js";
import { prepare, prepareLink, type Work } from "./prepare.js";
import { publish } from "./publish.js";
import { type ResolvedPackage, resolvePackage } from "./registry.js";
import { type PluginSource, parseSource } from "./source-spec.js";
import { makeStage, removeStage, type Stage } from "./stage.js";
import type { OnStep } from "./steps.js";

function refuseUntracked(id: string, paths: StatePaths): CommandFailure {
  return new CommandFailure(
    "untracked_folder",
    `${installedFolder(paths, id)} exists, but no install of this toolchain made it`,
    { hint: "Pass --force to replace it, or move it away first." },
  );
}

async function perform(work: Work, resolved: ResolvedPackage | undefined): Promise<InstallResult> {
  const { options, source, stage, step, warnings } = work;
  const { paths } = options;
  const linked = source.kind === "link" ? source.path : undefined;
  const prepared = linked === undefined ? await prepare(work, resolved) : await prepareLink(work, linked);
  const { checked, origin, dependencies, staged } = prepared;
  const { manifest, info } = checked;
  work.say("Checking that its entry imports");
  warnings.push(...checked.warnings);
  warnings.push(...(await checkImport(linked ?? staged ?? "", checked, options.signal)));
  await step("entry-checked");

  const { id } = manifest;
  const version = info.version ?? manifest.version;
  const rootDir = linked ?? installedFolder(paths, id);
  let hadFolder = false;
  const previous = await publish(
    paths,
    {
      kind: "install",
      id,
      stage,
      ...(staged === undefined ? {} : { staged }),
      record: {
        ...origin,
        spec: options.spec,
        installPath: rootDir,
        ...(version === undefined ? {} : { version }),
        ...(info.name === undefined ? {} : { packageName: info.name }),
        installedAt: new Date().toISOString(),
        toolchain: toolchainVersion,
      },
      admit: ({ records, folderExists }) => {
        hadFolder = folderExists;
        const tracked = records.installs[id] !== undefined && records.installs[id].source !== "link";
        if (folderExists && !tracked && options.force !== true) throw refuseUntracked(id, paths);
      },
    },
    step,
  );
  const enabled = isEnabled(id, options.config);
  if (!enabled)
    warnings.push(
      `${id} is disabled in ${paths.configFile}; \`openclaw plugins enable ${shellWord(id)}\` enables it`,
    );
  return {
    id,
    ...(manifest.name === undefined ? {} : { name: manifest.name }),
    ...(version === undefined ? {} : { version }),
    ...(info.name === undefined ? {} : { packageName: info.name }),
    source: origin.source,
    rootDir,
    ...(previous === undefined && !hadFolder
      ? {}
      : {
          replaced: {
            ...(previous?.version === undefined ? {} : { version: previous.version }),
            ...(previous === undefined ? {} : { source: previous.source }),
          },
        }),
    dependencies,
    enabled,
    warnings,
  };
}

async function resolveSource(
  options: InstallOptions,
  source: PluginSource,
  warnings: string[],
): Promise<ResolvedPackage | undefined> {
  if (source.kind !== "npm") return undefined;
  const refused = new CommandFailure(
    "confirmation_required",
    `not installed: ${source.name} comes from a registry and its code will run with your permissions`,
    { hint: consentHint(source, options.cwd) },
  );
  if (options.canConsent === false) throw refused;
  options.onProgress?.(`Looking up ${source.name}@${source.wanted}`);
  const resolved = await resolvePackage(source.name, source.wanted, {
    cwd: options.cwd,
    signal: options.signal,
  });
  if (resolved.engineWarning !== undefined) warnings.push(`${resolved.name}: ${resolved.engineWarning}`);
  if (resolved.deprecated !== undefined)
    warnings.push(`${resolved.name} is deprecated: ${resolved.deprecated}`);
  if (!(await options.consent(resolved))) {
    throw new CommandFailure("declined", `not installed: ${resolved.name}@${resolved.version} was declined`);
  }
  return resolved;
}

/** Removes what is left of the work; on the way out of a failure its own trouble comes second. */
async function discard(stage: Stage, cause: unknown): Promise<never> {
  try {
    await removeStage(stage);
  } catch (trouble) {
    const failure = cause instanceof CommandFailure ? cause : undefined;
    throw new CommandFailure(
      failure?.code ?? "install_failed",
      `${messageOf(cause)}; then removing ${stage.dir} failed too: ${messageOf(trouble)}`,
      { cause, ...(failure?.hint === undefined ? {} : { hint: failure.hint }) },
    );
  }
  throw cause;
}

/** Errors of the system (a full disk, missing permissions) are the user's to solve, not faults of ours. */
function asFailure(error: unknown): unknown {
  const system = error as NodeJS.ErrnoException;
  if (error instanceof CommandFailure || typeof system?.code !== "string" || !system.syscall) return error;
  return new CommandFailure("install_failed", `cannot install: ${messageOf(error)}`, { cause: error });
}

/**
 * The same failure with the user's own names for what lies in the stage: that folder is gone when they read
 * of it. Not so where the stage itself was the trouble.
 */
function namedAsGiven(error: unknown, stage: Stage, source: PluginSource): unknown {
  if (!(error instanceof CommandFailure) || ["unpack_failed", "install_failed"].includes(error.code))
    return error;
  const given = source.kind === "npm" ? source.name : source.path;
  const renamed = (text: string): string =>
    text
      .replaceAll(join(stage.dir, "archive", "plugin.tgz"), given)
      .replaceAll(join(stage.dir, "plugin"), given);
  const { code, message, hint, exitCode, details } = error;
  return new CommandFailure(code, renamed(message), {
    exitCode,
    cause: error,
    ...(hint === undefined ? {} : { hint: renamed(hint) }),
    ...(details === undefined ? {} : { details }),
  });
}

/** In a folder that has what the name says, the path is at least as likely to be meant as the package. */
function consentHint(source: { spec: string }, cwd: string): string {
  const way = "Run the command on a terminal to be asked, or pass --force.";
  if (!existsSync(resolve(cwd, source.spec))) return way;
  return `For the folder here: openclaw plugins install ${shellWord(`./${source.spec}`)}. For the package: ${way}`;
}

/**
 * Installs a plugin: resolve, stage, unpack, dependencies without lifecycle scripts, checks, one rename,
 * record. Until the record is written any failure leaves the installed plugins and the records as they
 * were, byte for byte. Writes no configuration and never calls the plugin's `register`.
 * @throws CommandFailure with the first cause
 */
export async function installPlugin(options: InstallOptions): Promise<InstallResult> {
  const tell = stepTimer("install", options.spec);
  const step: OnStep = async (name) => {
    tell(name);
    if (options.signal?.aborted)
      throw new CommandFailure("aborted", "the install was cancelled; nothing was changed");
    await options.onStep?.(name);
  };
  const link = options.link === true;
  const source = await parseSource(options.spec, { cwd: options.cwd, link });
  if (source.kind === "directory" && (await readdir(source.path)).length === 0) {
    throw new UsageFailure(`the folder is empty: ${source.path}`);
  }
  const warnings: string[] = [];
  const resolved = await resolveSource(options, source, warnings);
  await step("resolved");
  const stage = await makeStage(options.paths);
  let result: InstallResult;
  try {
    await step("stage-made");
    const say = options.onProgress ?? (() => {});
    result = await perform({ options, source, stage, step, say, warnings }, resolved);
  } catch (error) {
    return discard(stage, namedAsGiven(asFailure(error), stage, source));
  }
  try {
    await removeStage(stage);
    await step("stage-removed");
  } catch {
    // Installed all the same; the next command sweeps what is left of the stage.
  }
  return result;
}
