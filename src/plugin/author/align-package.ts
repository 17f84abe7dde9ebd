import { existsSync, readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { entryGraph } from "../load/entry-graph.js";
import { isRecord, MANIFEST_NAME } from "../load/manifest.js";
import { builtTwins, entryLabel, sourceTwins } from "../load/package-info.js";
import { PackList } from "./package-list.js";
import type { PluginProject } from "./project.js";

/** The first host version plugins made with the SDK run on. */
export const HOST_RANGE = ">=2026.5.17";
const TYPEBOX_RANGE = "^1.1.38";

/** The sections npm installs for whoever installs the package. */
const SHIPPING = ["dependencies", "peerDependencies", "optionalDependencies"];

/**
 * package.json as it should be for this entry: what is there, in its order, with what a host needs added.
 * The same object content when nothing has to change.
 */
export async function alignPackage(project: PluginProject): Promise<Record<string, unknown>> {
  const aligned = structuredClone(project.packageJson);
  if (aligned.type === undefined && (await isModuleSyntax(project.entryFile))) aligned.type = "module";
  alignExtensions(aligned, project);
  await alignFiles(aligned, project);
  const peers = isRecord(aligned.peerDependencies) ? aligned.peerDependencies : {};
  if (peers.openclaw === undefined) aligned.peerDependencies = { ...peers, openclaw: HOST_RANGE };
  alignTypebox(aligned, project);
  return aligned;
}

/** Whether a `.js` or `.ts` file is written as an ES module. Loads acorn. */
async function isModuleSyntax(file: string): Promise<boolean> {
  if (!/\.[jt]s$/.test(file)) return false;
  const source = readFileSync(file, "utf8").replace(/^\ufeff/, "");
  // Only these make a module; a cheap look spares CommonJS the parser.
  if (!/\b(?:import|export)\b/.test(source)) return false;
  if (file.endsWith(".ts")) return /^\s*(?:import|export)\b/m.test(source);
  const { parse } = await import("acorn");
  try {
    const { body } = parse(source, { ecmaVersion: "latest", sourceType: "module", allowHashBang: true });
    return body.some(({ type }) => /^(?:Import|Export)/.test(type));
  } catch {
    return false;
  }
}

const normal = (entry: string): string =>
  posix.normalize(entry.trim().replaceAll("\\", "/")).replace(/^\.\//, "");

/**
 * `openclaw.extensions` with the entry in it: in place of its source or build twin, or of the first entry
 * whose file is gone; all others stay where they are.
 */
export function alignExtensions(packageJson: Record<string, unknown>, project: PluginProject): void {
  const openclaw = isRecord(packageJson.openclaw) ? packageJson.openclaw : {};
  const before = Array.isArray(openclaw.extensions) ? openclaw.extensions : [];
  const same = new Set(
    [project.entry, ...builtTwins(project.entry), ...sourceTwins(project.entry)].map(normal),
  );
  const after: string[] = [];
  let placed = false;
  for (const item of before) {
    if (typeof item !== "string" || item.trim() === "") continue;
    const stands = same.has(normal(item)) || !existsSync(resolve(project.rootDir, item.trim()));
    if (!stands) after.push(item);
    else if (!placed) {
      after.push(project.entry);
      placed = true;
    }
  }
  if (!placed) after.push(project.entry);
  packageJson.openclaw = { ...openclaw, extensions: [...new Set(after)] };
}

/** `files` with the entry's folder and the manifest; npm itself always ships the README. */
async function alignFiles(packageJson: Record<string, unknown>, project: PluginProject): Promise<void> {
  const entry = normal(project.entry);
  const folder = entry.split("/").length > 1 ? (entry.split("/")[0] ?? entry) : entry;
  const { files } = packageJson;
  if (files === undefined) {
    // Without a list npm ships everything; one for an entry in the root would hide what it imports.
    if (folder !== entry) packageJson.files = [folder, MANIFEST_NAME, "README.md"];
    return;
  }
  if (!Array.isArray(files)) return;
  const packed = new PackList(project.rootDir, packageJson);
  const names = files.map((item) => (typeof item === "string" ? normal(item).replace(/^\/|\/$/g, "") : ""));
  const missing: string[] = [];
  if (!(await packed.has(entry)) && !names.includes(folder)) missing.push(folder);
  if (!names.includes(MANIFEST_NAME) && !(await packed.has(MANIFEST_NAME))) missing.push(MANIFEST_NAME);
  if (missing.length === 0) return;
  if (!names.some((name) => /^readme(\.|$)/i.test(name))) missing.push("README.md");
  packageJson.files = [...files, ...missing];
}

/** Whether the code an entry ships with imports a package at run time. */
export function importsPackage(entryFile: string, name: string): boolean {
  for (const { specifiers } of entryGraph(entryFile)) {
    if (specifiers.some((specifier) => specifier === name || specifier.startsWith(`${name}/`))) return true;
  }
  return false;
}

/** The section that makes `name` arrive with the plugin, if any. */
export function shippingSection(packageJson: Record<string, unknown>, name: string): string | undefined {
  return SHIPPING.find((section) => isRecord(packageJson[section]) && name in packageJson[section]);
}

function alignTypebox(packageJson: Record<string, unknown>, project: PluginProject): void {
  if (shippingSection(packageJson, "typebox") !== undefined) return;
  if (!importsPackage(project.entryFile, "typebox")) return;
  const { dependencies, devDependencies } = packageJson;
  const dev = isRecord(devDependencies) ? devDependencies.typebox : undefined;
  const range = typeof dev === "string" ? dev : installedRange(project.rootDir);
  packageJson.dependencies = { ...(isRecord(dependencies) ? dependencies : {}), typebox: range };
  if (!isRecord(devDependencies) || dev === undefined) return;
  const { typebox: _, ...rest } = devDependencies;
  packageJson.devDependencies = rest;
}

function installedRange(rootDir: string): string {
  try {
    const { version } = JSON.parse(readFileSync(join(rootDir, "node_modules/typebox/package.json"), "utf8"));
    return typeof version === "string" ? `^${version}` : TYPEBOX_RANGE;
  } catch {
    return TYPEBOX_RANGE;
  }
}

/** The package's entries beside the chosen one, absolute, as aligned. */
export function otherEntries(packageJson: Record<string, unknown>, project: PluginProject): string[] {
  const openclaw = packageJson.openclaw as { extensions: string[] };
  return openclaw.extensions
    .map((item) => resolve(project.rootDir, item))
    .filter((file) => entryLabel(project.rootDir, file) !== project.entry);
}
