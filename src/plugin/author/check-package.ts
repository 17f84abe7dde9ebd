import { existsSync } from "node:fs";
import { relative, sep } from "node:path";
import { messageOf } from "../../errors.js";
import { entryGraph } from "../load/entry-graph.js";
import { needsTranspiler } from "../load/entry-transpile.js";
import { MANIFEST_NAME } from "../load/manifest.js";
import { type Finding, listed } from "./finding.js";
import { PackList } from "./package-list.js";
import type { PluginProject } from "./project.js";

/** What will go wrong for those who install the package rather than its folder. */
export async function packageFindings(project: PluginProject): Promise<Finding[]> {
  const findings: Finding[] = [];
  const { entry, entryInsteadOf } = project;
  if (entryInsteadOf !== undefined) {
    findings.push({
      code: "entry-absent",
      severity: "warning",
      path: "package.json#openclaw.extensions",
      message: `openclaw.extensions names ${entryInsteadOf}, which is absent; using ${entry}`,
      fix: `run \`openclaw plugins build --entry ${entry}\``,
    });
  }
  if (needsTranspiler(project.entryFile)) {
    findings.push({
      code: "entry-typescript",
      severity: "warning",
      path: "package.json#openclaw.extensions",
      message: `the runtime entry ${entry} is TypeScript source, which hosts load only while developing`,
      fix: "compile it and name the JavaScript file, for example --entry ./dist/index.js",
    });
  }
  return [...findings, ...(await packedFindings(project))];
}

/** Whether the tarball `npm pack` makes would hold what a host needs. */
async function packedFindings(project: PluginProject): Promise<Finding[]> {
  const { rootDir, packageJson, entryFile } = project;
  const packed = new PackList(rootDir, packageJson);
  const missing: string[] = [];
  try {
    if (existsSync(`${rootDir}/${MANIFEST_NAME}`) && !(await packed.has(MANIFEST_NAME)))
      missing.push(MANIFEST_NAME);
    for (const { file } of entryGraph(entryFile)) {
      const path = relative(rootDir, file).split(sep).join("/");
      if (!path.startsWith("..") && !(await packed.has(path))) missing.push(path);
    }
  } catch (error) {
    return [
      {
        code: "pack-unknown",
        severity: "warning",
        path: "package.json#files",
        message: `what \`npm pack\` would ship cannot be told: ${messageOf(error)}`,
        fix: "run `npm pack --dry-run` and look at its list",
      },
    ];
  }
  if (missing.length === 0) return [];
  return [
    {
      code: "pack-incomplete",
      // A package that is never published is only ever used as a folder.
      severity: packageJson.private === true ? "warning" : "error",
      path: "package.json#files",
      message: `\`npm pack\` would leave out what the plugin needs: ${listed(missing, 8)}`,
      fix: `add them to "files" in package.json (\`openclaw plugins build\` does it for the entry's folder and the manifest), and look for .npmignore files`,
    },
  ];
}
