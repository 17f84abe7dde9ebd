import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./cli.js";
import { writeFiles } from "./temp.js";

export interface PluginProject {
  id: string;
  /** Entry source, complete; without it one tool `<id with _>_hello` that answers its input. */
  entry?: string;
  /** `contracts.tools`. */
  tools?: string[];
  manifest?: Record<string, unknown>;
  packageJson?: Record<string, unknown>;
  entryPath?: string;
  files?: Record<string, string>;
  /** Makes `typebox` resolvable from the project; a real folder would be copied on install. */
  typebox?: boolean;
}

/** The name of the tool a project without its own entry has. */
export function helloTool(id: string): string {
  return `${id.replace(/[^A-Za-z0-9]/g, "_")}_hello`;
}

export function helloEntry(id: string, answer = "hello"): string {
  return `import { defineToolPlugin } from "openclaw/plugin-sdk/tool-plugin";
export default defineToolPlugin({
  id: ${JSON.stringify(id)}, name: ${JSON.stringify(id)}, description: "Test plugin.",
  tools: (tool) => [tool({
    name: ${JSON.stringify(helloTool(id))}, description: "Says hello.",
    parameters: { type: "object", properties: { who: { type: "string" } } },
    execute: ({ who }) => ({ answer: ${JSON.stringify(answer)}, who: who ?? null }),
  })],
});
`;
}

/** Writes a plugin that is ready to install into `dir` and answers `dir`. */
export function writePlugin(dir: string, project: PluginProject): string {
  const { id } = project;
  const entryPath = project.entryPath ?? "dist/index.js";
  const manifest = {
    id,
    name: id,
    description: "Test plugin.",
    version: "1.0.0",
    configSchema: { type: "object", properties: {}, additionalProperties: false },
    activation: { onStartup: true },
    contracts: { tools: project.tools ?? [helloTool(id)] },
    ...project.manifest,
  };
  const packageJson = {
    name: `openclaw-plugin-${id.toLowerCase().replace(/[^a-z0-9-]/g, "-")}`,
    version: "1.0.0",
    type: "module",
    files: ["dist", "openclaw.plugin.json"],
    peerDependencies: { openclaw: ">=2026.5.17" },
    openclaw: { extensions: [`./${entryPath}`] },
    ...project.packageJson,
  };
  mkdirSync(dir, { recursive: true });
  writeFiles(dir, {
    "package.json": JSON.stringify(packageJson, null, 2),
    "openclaw.plugin.json": JSON.stringify(manifest, null, 2),
    [entryPath]: project.entry ?? helloEntry(id),
    ...project.files,
  });
  if (project.typebox) {
    mkdirSync(join(dir, "node_modules"), { recursive: true });
    symlinkSync(join(projectRoot, "node_modules/typebox"), join(dir, "node_modules/typebox"), "dir");
  }
  return dir;
}
