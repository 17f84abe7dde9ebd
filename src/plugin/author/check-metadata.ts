import type { ToolPluginMetadata } from "../../sdk/types/tool-definition.js";
import { isRecord, MANIFEST_NAME, toManifest } from "../load/manifest.js";
import type { Finding } from "./finding.js";
import { describeChange } from "./json-file.js";
import type { BuildPlan, ExistingManifest } from "./plan-build.js";
import { extensionsProblem, type PluginProject } from "./project.js";

const STALE = "openclaw.plugin.json generated metadata is stale";

/** What a build would change, field by field. Every finding here is one that a build removes. */
export function staleFindings(
  project: PluginProject,
  existing: ExistingManifest,
  metadata: ToolPluginMetadata,
  plan: BuildPlan,
): Finding[] {
  const fix = `run \`openclaw plugins build --entry ${project.entry}\` and commit both files`;
  return [...manifestFindings(existing, metadata, plan, fix), ...packageFindings(project, plan, fix)];
}

function manifestFindings(
  existing: ExistingManifest,
  metadata: ToolPluginMetadata,
  plan: BuildPlan,
  fix: string,
): Finding[] {
  const { file, changes } = plan.manifest;
  const finding = (code: string, message: string, at?: string): Finding => ({
    code,
    severity: "error",
    path: at === undefined ? MANIFEST_NAME : `${MANIFEST_NAME}#${at}`,
    message,
    fix,
  });
  if (existing.text === undefined) return [finding("manifest-missing", `plugin manifest not found: ${file}`)];
  if (!isRecord(existing.value)) return [finding("manifest-invalid", "plugin manifest must be an object")];
  const findings: Finding[] = [];
  const manifest = existing.value;
  if (typeof manifest.id === "string" && manifest.id.trim() !== "" && manifest.id !== metadata.id) {
    findings.push(
      finding(
        "manifest-id",
        `openclaw.plugin.json id (${manifest.id}) must match entry id (${metadata.id})`,
        "id",
      ),
    );
  }
  for (const change of changes) {
    const at = change.path.join(".");
    const message = `${STALE}: ${at === "contracts.tools" ? toolsChange(change.before, change.after) : describeChange(change)}`;
    findings.push(finding(at === "contracts.tools" ? "manifest-tools" : "manifest-stale", message, at));
  }
  return findings;
}

/** Missing and surplus names; the order, when only that differs. */
function toolsChange(before: unknown, after: unknown): string {
  const had = Array.isArray(before) ? before.map(String) : [];
  const has = after as string[];
  const missing = has.filter((name) => !had.includes(name));
  const surplus = had.filter((name) => !has.includes(name));
  const parts: string[] = [];
  if (missing.length > 0) parts.push(`contracts.tools is missing: ${missing.join(", ")}`);
  if (surplus.length > 0) parts.push(`contracts.tools has no matching tool: ${surplus.join(", ")}`);
  if (parts.length > 0) return parts.join("; ");
  return `contracts.tools is in another order: ${had.join(", ")} -> ${has.join(", ")}`;
}

/** What makes a manifest unusable for any host, whoever wrote it. */
export function manifestProblem(existing: ExistingManifest, file: string): Finding | undefined {
  if (existing.text === undefined) return undefined;
  try {
    toManifest(existing.value, file);
    return undefined;
  } catch (error) {
    return {
      code: "manifest-invalid",
      severity: "error",
      path: MANIFEST_NAME,
      message: (error as Error).message,
      fix: "run `openclaw plugins build`, or correct the file by hand",
    };
  }
}

function packageFindings(project: PluginProject, plan: BuildPlan, fix: string): Finding[] {
  const findings: Finding[] = [];
  for (const change of plan.packageFile.changes) {
    const at = change.path.join(".");
    if (at.startsWith("openclaw")) continue;
    if (change.path[0] === "devDependencies") continue;
    findings.push({
      code: at.endsWith("typebox") ? "typebox-not-shipped" : "package-unaligned",
      severity: "warning",
      path: `package.json#${at}`,
      message:
        change.path.at(-1) === "typebox"
          ? `the entry imports typebox, but package.json does not ship it: ${describeChange(change)}`
          : `package.json is not aligned with the entry: ${describeChange(change)}`,
      fix,
    });
  }
  if (plan.packageFile.changes.some(({ path }) => path[0] === "openclaw")) {
    findings.unshift(extensionsFinding(project, fix));
  }
  return findings;
}

function extensionsFinding(project: PluginProject, fix: string): Finding {
  const { packageJson, entry } = project;
  const problem = extensionsProblem(packageJson);
  const openclaw = isRecord(packageJson.openclaw) ? packageJson.openclaw : {};
  const list = Array.isArray(openclaw.extensions) ? openclaw.extensions : [];
  const named = list.includes(entry);
  const base = {
    code: "package-extensions",
    path: "package.json#openclaw.extensions",
    fix,
  };
  if (named && problem === undefined) {
    return {
      ...base,
      severity: "warning",
      message: `package.json openclaw.extensions also names files that are absent or twins of ${entry}: ${list
        .filter((item) => item !== entry)
        .join(", ")}`,
    };
  }
  const must = `package.json openclaw.extensions must include ${entry}`;
  const message =
    problem === undefined
      ? `${must} (it names ${list.join(", ")})`
      : problem.includes("must include")
        ? `${must} (the list is missing or empty)`
        : problem;
  return { ...base, severity: "error", message };
}
