import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CliRun, projectRoot, runCli } from "./cli.js";
import { tempDir, writeFiles } from "./temp.js";

/** Links packages a plugin would have installed, so that no registry is needed. */
export function linkModules(dir: string, ...names: string[]): void {
  for (const name of names) {
    const link = join(dir, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(name === "openclaw" ? projectRoot : join(projectRoot, "node_modules", name), link);
  }
}

/**
 * Source of an ES module entry. `tools` is code of the list, `fields` further members of the definition.
 * TypeBox is imported only when they use it, since that is most of what an import costs.
 */
export function entrySource(id: string, tools = "", fields = ""): string {
  const typebox = usesTypebox({ tools, fields }) ? 'import { Type } from "typebox";\n' : "";
  return `${typebox}import { defineToolPlugin } from "openclaw/plugin-sdk/tool-plugin";
export default defineToolPlugin({ id: "${id}", name: "${id}", description: "Fixture plugin.", ${fields}
  tools: (tool) => [${tools}] });
`;
}

function usesTypebox({ tools = "", fields = "" }: ProjectOptions): boolean {
  return `${tools}${fields}`.includes("Type.");
}

/** Code of one tool that takes and returns nothing of interest. */
export function toolSource(name: string, fields = ""): string {
  return `tool({ name: ${JSON.stringify(name)}, description: "A tool.", parameters: { type: "object", properties: {} }, execute: () => "x", ${fields} }),`;
}

export interface ProjectOptions {
  id?: string;
  /** Code of the list of tools. */
  tools?: string;
  /** Further members of the definition. */
  fields?: string;
  packageJson?: Record<string, unknown>;
  /** Further files, or others in place of the usual ones. */
  files?: Record<string, string>;
}

export interface PluginFixture {
  dir: string;
  cli(...args: string[]): Promise<CliRun>;
  /** `plugins build`, which must succeed. */
  build(...args: string[]): Promise<CliRun>;
  read(path: string): string;
  json(path: string): any;
  write(files: Record<string, string>): void;
}

/** A plugin project as `npm run build` leaves it: a compiled entry, package.json, no manifest yet. */
export function pluginProject(options: ProjectOptions = {}): PluginFixture {
  const id = options.id ?? "weather";
  const dir = tempDir({
    "package.json": `${JSON.stringify(
      {
        name: `openclaw-plugin-${id}`,
        version: "0.1.0",
        type: "module",
        files: ["dist", "openclaw.plugin.json", "README.md"],
        peerDependencies: { openclaw: ">=2026.5.17" },
        dependencies: usesTypebox(options) ? { typebox: "^1.1.38" } : {},
        openclaw: { extensions: ["./dist/index.js"] },
        ...options.packageJson,
      },
      null,
      2,
    )}\n`,
    "dist/index.js": entrySource(id, options.tools ?? toolSource(`${id}_today`), options.fields),
    ...options.files,
  });
  linkModules(dir, "openclaw", "typebox");
  const cli = (...args: string[]): Promise<CliRun> => runCli(["plugins", ...args], { cwd: dir });
  return {
    dir,
    cli,
    async build(...args) {
      const run = await cli("build", ...args);
      if (run.code !== 0) throw new Error(`build failed:\n${run.stdout}${run.stderr}`);
      return run;
    },
    read: (path) => readFileSync(join(dir, path), "utf8"),
    json: (path) => JSON.parse(readFileSync(join(dir, path), "utf8").replace(/^\ufeff/, "")),
    write: (files) => writeFiles(dir, files),
  };
}
