import { isRecord, MANIFEST_NAME } from "../load/manifest.js";
import { manifestProblem } from "./check-metadata.js";
import { packageFindings } from "./check-package.js";
import type { PluginCheck } from "./check-plugin.js";
import type { ExistingManifest } from "./plan-build.js";
import { extensionsProblem, type PluginProject } from "./project.js";

/**
 * Checks a plugin made with `definePluginEntry`: its manifest is the author's own, so only what every host
 * needs of it is looked at; then `register` runs against the recording API.
 */
export async function checkHandWritten(
  check: PluginCheck,
  project: PluginProject,
  existing: ExistingManifest | undefined,
  id: string,
  timeoutMs: number | undefined,
): Promise<void> {
  check.pluginId = id;
  checkFiles(check, project, existing, id);
  check.findings.push(...(await packageFindings(project)));
  await checkRegistration(check, project, timeoutMs);
}

function checkFiles(
  check: PluginCheck,
  project: PluginProject,
  existing: ExistingManifest | undefined,
  id: string,
): void {
  if (existing !== undefined) {
    const problem = manifestProblem(existing, MANIFEST_NAME);
    if (problem !== undefined) check.findings.push({ ...problem, fix: "correct the file by hand" });
    if (existing.text === undefined) {
      check.findings.push({
        code: "manifest-missing",
        severity: "error",
        path: MANIFEST_NAME,
        message: `plugin manifest not found: ${project.rootDir}/${MANIFEST_NAME}`,
        fix: "write it by hand: a plugin made with definePluginEntry has no generated manifest",
      });
    } else if (isRecord(existing.value) && existing.value.id !== id && problem === undefined) {
      check.findings.push({
        code: "manifest-id",
        severity: "error",
        path: `${MANIFEST_NAME}#id`,
        message: `openclaw.plugin.json id (${existing.value.id}) must match entry id (${id})`,
        fix: "use one id in both places",
      });
    }
  }
  const problem = extensionsProblem(project.packageJson);
  const openclaw = isRecord(project.packageJson.openclaw) ? project.packageJson.openclaw : {};
  const named = Array.isArray(openclaw.extensions) && openclaw.extensions.includes(project.entry);
  if (problem === undefined && named) return;
  check.findings.push({
    code: "package-extensions",
    severity: "error",
    path: "package.json#openclaw.extensions",
    message:
      problem !== undefined && !problem.includes("must include")
        ? problem
        : `package.json openclaw.extensions must include ${project.entry}`,
    fix: `set "openclaw": { "extensions": ["${project.entry}"] } in package.json`,
  });
}

async function checkRegistration(
  check: PluginCheck,
  project: PluginProject,
  timeoutMs: number | undefined,
): Promise<void> {
  const [{ describeFolder }, { loadPlugin }] = await Promise.all([
    import("../load/discover.js"),
    import("../load/load-plugin.js"),
  ]);
  const fallbackId = check.pluginId ?? "plugin";
  const found = await describeFolder(project.rootDir, { origin: "given", fallbackId });
  const plugin = { ...found, entries: [project.entryFile] };
  delete plugin.error;
  const loaded = await loadPlugin(plugin, { config: {}, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  // A plugin whose settings are required cannot run without any; that is not its fault.
  if (loaded.status === "error" && loaded.failurePhase !== "config") {
    check.findings.push({
      code: `${loaded.failurePhase ?? "register"}-failed`,
      severity: "error",
      path: project.entry,
      message: `plugin does not register: ${loaded.error}`,
      fix: "correct register() in the entry, rebuild, then try again",
    });
  }
  for (const { level, message, fix } of loaded.diagnostics) {
    if (level === "info") continue;
    check.findings.push({
      code: "register-diagnostic",
      severity: level,
      path: MANIFEST_NAME,
      message,
      fix: fix ?? "correct the manifest or the entry",
    });
  }
}
