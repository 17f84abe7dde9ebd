import { CommandFailure, messageOf } from "../../errors.js";
import { tellLoadFault } from "../../plugin-events.js";
import { type DefinitionProblem, pluginProblems, toolListProblems } from "../../sdk/definition/problems.js";
import type { ToolPluginMetadata } from "../../sdk/types/tool-definition.js";
import { isRecord, MANIFEST_NAME } from "../load/manifest.js";
import { entryLabel } from "../load/package-info.js";
import { alignExtensions, otherEntries } from "./align-package.js";
import { type AuthoredEntry, importAuthored, noMetadata } from "./authored-entry.js";
import { checkHandWritten } from "./check-hand-written.js";
import { manifestProblem, staleFindings } from "./check-metadata.js";
import { idFindings, nameFindings } from "./check-names.js";
import { packageFindings } from "./check-package.js";
import { schemaFindings } from "./check-schemas.js";
import type { Finding } from "./finding.js";
import {
  type BuildPlan,
  type ExistingManifest,
  planBuild,
  plannedPackage,
  readExistingManifest,
} from "./plan-build.js";
import { type OpenProjectOptions, openProject, type PluginProject } from "./project.js";

export interface CheckPluginOptions extends OpenProjectOptions {
  /** Wall time an entry may take to import, in ms (15,000). */
  timeoutMs?: number;
  /** JSON document for stdout should the import hang; the usual error envelope by default. */
  hangDocument?: (failure: { code: string; message: string; hint: string }) => unknown;
}

export interface PluginCheck {
  /** What is wrong whatever is built: errors first to last in the order of the work, then warnings. */
  findings: Finding[];
  /** What is wrong only because a build is due: `plan` removes all of it. */
  stale: Finding[];
  project?: PluginProject;
  /** Id of the definition, when the entry could be read. */
  pluginId?: string;
  metadata?: ToolPluginMetadata;
  /** Whether the plugin is made with `definePluginEntry`, so that there is no plan. */
  handWritten: boolean;
  /** What a build would write; absent when there is nothing to build from. */
  plan?: BuildPlan;
}

/** A failure of a step, as a finding. */
function findingOf(error: unknown, path: string): Finding {
  if (!(error instanceof CommandFailure)) throw error;
  return {
    code: error.code.replaceAll("_", "-"),
    severity: "error",
    path,
    message: error.message,
    fix: error.hint ?? "correct it and try again",
  };
}

/**
 * Checks a plugin's folder in every way this toolchain knows: package.json, entry, metadata, tools, schemas,
 * manifest, and what the package would ship. The entry is imported once (others that the package names,
 * once each) and nothing is written. Problems of the plugin are findings, never exceptions; a hanging
 * import ends the process.
 */
export async function checkPlugin(options: CheckPluginOptions): Promise<PluginCheck> {
  const check: PluginCheck = { findings: [], stale: [], handWritten: false };
  let project: PluginProject;
  try {
    project = await openProject(options);
  } catch (error) {
    check.findings.push(findingOf(error, "package.json"));
    return check;
  }
  check.project = project;
  let existing: ExistingManifest | undefined;
  try {
    existing = await readExistingManifest(project.rootDir);
  } catch (error) {
    check.findings.push(findingOf(error, MANIFEST_NAME));
  }
  const entry = await importOrReport(project, project.entryFile, options, check.findings);
  if (entry === undefined) {
    const problem = existing === undefined ? undefined : manifestProblem(existing, MANIFEST_NAME);
    if (problem !== undefined) check.findings.push(problem);
    return check;
  }
  if (entry.metadata !== undefined) {
    await checkToolPlugin(check, project, existing, entry.metadata, options);
  } else if (entry.handWritten) {
    check.handWritten = true;
    const { id } = entry.definition as { id: string };
    check.findings.push(...idFindings(id));
    await checkHandWritten(check, project, existing, id, options.timeoutMs);
  } else {
    const failure = noMetadata(entry, project.entry);
    tellLoadFault({ plugin: project.entryFile, phase: "metadata" }, failure, { ...entry.namespace });
    check.findings.push(findingOf(failure, project.entry));
  }
  check.findings.sort((a, b) => Number(a.severity === "warning") - Number(b.severity === "warning"));
  return check;
}

async function importOrReport(
  project: PluginProject,
  file: string,
  options: CheckPluginOptions,
  findings: Finding[],
): Promise<AuthoredEntry | undefined> {
  const { timeoutMs, hangDocument } = options;
  try {
    return await importAuthored({
      file,
      rootDir: project.rootDir,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(hangDocument === undefined ? {} : { hangDocument }),
    });
  } catch (error) {
    findings.push(...importFindings(error, entryLabel(project.rootDir, file)));
    return undefined;
  }
}

/** A definition error lists what it found, and each becomes a finding of its own. */
function importFindings(error: unknown, entry: string): Finding[] {
  const cause = error instanceof CommandFailure ? error.cause : undefined;
  const problems = isRecord(cause) ? (cause as { problems?: unknown }).problems : undefined;
  if (!Array.isArray(problems) || (cause as Error).name !== "ToolPluginDefinitionError") {
    return [findingOf(error, entry)];
  }
  return definitionFindings(problems as DefinitionProblem[]);
}

function definitionFindings(problems: readonly DefinitionProblem[]): Finding[] {
  return problems.map(({ tool, field, message }) => ({
    code: "definition-invalid",
    severity: "error",
    path: tool === undefined ? field : `tools.${tool}.${field}`,
    message: tool === undefined ? `plugin ${field} ${message}` : `tool ${tool}: ${field} ${message}`,
    fix: "correct the definition, rebuild, then try again",
  }));
}

async function checkToolPlugin(
  check: PluginCheck,
  project: PluginProject,
  existing: ExistingManifest | undefined,
  metadata: ToolPluginMetadata,
  options: CheckPluginOptions,
): Promise<void> {
  const malformed = metadataProblems(metadata);
  if (malformed.length > 0) {
    check.findings.push(...definitionFindings(malformed));
    return;
  }
  check.metadata = metadata;
  check.pluginId = metadata.id;
  const others = await otherPlugins(project, existing, options, check.findings);
  const tools = [metadata, ...others.known].flatMap((entry) => entry.tools);
  check.findings.push(...duplicateFindings(tools.map(({ name }) => name)));
  check.findings.push(...idFindings(metadata.id), ...nameFindings(tools), ...schemaFindings(metadata, tools));
  check.findings.push(...(await packageFindings(project)));
  // Without a readable manifest and with unusable schemas there is nothing to compare with.
  if (existing === undefined || check.findings.some(({ code }) => code === "schema-unusable")) return;
  try {
    const packageJson = await plannedPackage(project);
    const handDeclared = others.unknown ? declaredBeside(existing, tools) : [];
    check.plan = await planBuild(
      project,
      existing,
      { metadata, others: others.known, handDeclared },
      packageJson,
    );
  } catch (error) {
    check.findings.push({
      code: "build-impossible",
      severity: "error",
      path: MANIFEST_NAME,
      message: `generated metadata cannot be computed: ${messageOf(error)}`,
      fix: "see the other findings; a value of the definition is not JSON",
    });
    return;
  }
  check.stale.push(...staleFindings(project, existing, metadata, check.plan));
}

/** A plugin may carry another copy of the SDK, one that checks nothing when a plugin is defined. */
function metadataProblems(metadata: ToolPluginMetadata): DefinitionProblem[] {
  const tools: unknown = metadata.tools;
  const complete = Array.isArray(tools) ? tools.map((tool) => ({ ...tool, execute: () => {} })) : tools;
  return [...pluginProblems({ ...metadata, tools: () => [] }), ...toolListProblems(complete)];
}

/** Metadata of the package's further entries; `unknown` when one of them carries none. */
async function otherPlugins(
  project: PluginProject,
  existing: ExistingManifest | undefined,
  options: CheckPluginOptions,
  findings: Finding[],
): Promise<{ known: ToolPluginMetadata[]; unknown: boolean }> {
  const aligned = structuredClone(project.packageJson);
  alignExtensions(aligned, project);
  const known: ToolPluginMetadata[] = [];
  let unknown = false;
  for (const file of otherEntries(aligned, project)) {
    const entry = await importOrReport(project, file, options, findings);
    if (entry?.metadata === undefined) unknown = true;
    else known.push(entry.metadata);
  }
  return { known, unknown: unknown && existing !== undefined };
}

/** Tools the manifest declares that no metadata accounts for. */
function declaredBeside(existing: ExistingManifest, tools: readonly { name: string }[]): string[] {
  const contracts = isRecord(existing.value) ? existing.value.contracts : undefined;
  const declared = isRecord(contracts) && Array.isArray(contracts.tools) ? contracts.tools : [];
  return declared.filter((name) => typeof name === "string" && !tools.some((tool) => tool.name === name));
}

/** Within one definition duplicates cannot be defined; two entries may still share a name. */
function duplicateFindings(names: readonly string[]): Finding[] {
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [...repeated].map((name) => ({
    code: "tool-name-duplicate",
    severity: "error",
    path: `tools.${name}.name`,
    message: `tool name ${name} is used more than once in this package`,
    fix: "rename one of the tools; a host keeps only one tool of a name",
  }));
}
