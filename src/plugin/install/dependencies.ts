import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { version as toolchainVersion } from "../../version.js";
import { declaredDependencies, HOST_PACKAGE, installedDependencies } from "./dependency-tree.js";
import { runNpm } from "./npm.js";
import type { OnStep } from "./steps.js";

export interface DependencyOptions {
  /** The staged plugin. */
  pluginDir: string;
  packageJson: Record<string, unknown>;
  /** Folder of the stage for npm to work in. */
  workDir: string;
  /** The folder the plugin was packed from, when it was one. */
  sourceDir?: string;
  /** Where the user stands: registries that the project there names count, as they do for npm. */
  cwd: string;
  signal?: AbortSignal | undefined;
  onStep: OnStep;
}

/** How the dependencies came. */
export type DependencyOutcome = "none" | "copied" | "fetched";

/** `file:` specs are relative to the plugin's own folder, not to where npm works. */
function absoluteSpecs(specs: Record<string, string>, sourceDir: string | undefined): Record<string, string> {
  if (sourceDir === undefined) return specs;
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => {
      const path = /^(?:file:|link:)(.+)$/.exec(spec)?.[1] ?? (/^\.{1,2}\//.test(spec) ? spec : undefined);
      return [name, path === undefined ? spec : `file:${resolve(sourceDir, path)}`];
    }),
  );
}

/** Packages the archive brought along itself. */
async function bundledNames(pluginDir: string): Promise<Set<string>> {
  const modules = join(pluginDir, "node_modules");
  const names = await readdir(modules).catch(() => []);
  const scoped = await Promise.all(
    names
      .filter((name) => name.startsWith("@"))
      .map(async (scope) => (await readdir(join(modules, scope))).map((name) => `${scope}/${name}`)),
  );
  return new Set([
    ...names.filter((name) => !name.startsWith("@") && !name.startsWith(".")),
    ...scoped.flat(),
  ]);
}

/** Settings of a project that say where packages come from; others are about its own installs. */
const SOURCES =
  /^\s*(@[^:=\s]+:registry|registry|\/\/[^=]*|(https?-)?proxy|noproxy|cafile|ca|cert|key|strict-ssl)(\[\])?\s*=/;

/** What a project says about registries: private packages resolve for a plugin as they do there. */
async function projectConfig(dir: string): Promise<string> {
  const text = await readFile(join(dir, ".npmrc"), "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((line) => SOURCES.test(line))
    .join("\n");
}

/** Moves packages npm fetched beside those the archive brought; what is already there stays. */
async function mergeModules(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from).catch(() => [])) {
    if (name.startsWith(".")) continue;
    const present = (await readdir(to)).includes(name);
    if (!present) await rename(join(from, name), join(to, name));
    else if (name.startsWith("@")) await mergeModules(join(from, name), join(to, name));
  }
}

async function copyFolders(folders: readonly string[], sourceDir: string, pluginDir: string): Promise<void> {
  for (const folder of folders) {
    await cp(folder, join(pluginDir, relative(sourceDir, folder)), {
      recursive: true,
      dereference: true,
      force: true,
      // Nested packages are in the list themselves when they are needed.
      filter: (path) => path === folder || basename(path) !== "node_modules",
    });
  }
}

async function fetchDependencies(
  options: DependencyOptions,
  wanted: ReturnType<typeof declaredDependencies>,
): Promise<void> {
  const { workDir, pluginDir, sourceDir } = options;
  const stub = join(workDir, "host");
  await mkdir(stub, { recursive: true });
  await writeFile(
    join(stub, "package.json"),
    JSON.stringify({ name: HOST_PACKAGE, version: toolchainVersion }),
  );
  const project = {
    name: "plugin-dependencies",
    version: "0.0.0",
    private: true,
    dependencies: absoluteSpecs(wanted.required, sourceDir),
    optionalDependencies: absoluteSpecs(wanted.optional, sourceDir),
    // A dependency that asks for the host gets a stub here and this toolchain afterwards.
    overrides: { [HOST_PACKAGE]: "file:./host" },
  };
  await writeFile(join(workDir, "package.json"), JSON.stringify(project));
  const npmrc = await projectConfig(sourceDir ?? options.cwd);
  if (npmrc !== "") await writeFile(join(workDir, ".npmrc"), npmrc, { mode: 0o600 });
  const args = ["install", "--omit=dev", "--omit=peer", "--no-package-lock", "--install-links"];
  // The engines of a dependency are as much a guess as those of the plugin, for which they are a warning.
  await runNpm([...args, "--install-strategy=hoisted", "--engine-strict=false"], {
    cwd: workDir,
    what: "installing the plugin's dependencies",
    signal: options.signal,
  });
  await options.onStep("dependencies-fetched");
  const modules = join(workDir, "node_modules");
  await rm(join(modules, HOST_PACKAGE), { recursive: true, force: true });
  // npm's note to itself about a folder that will not exist any more.
  await rm(join(modules, ".package-lock.json"), { force: true });
  const names = await readdir(pluginDir);
  if (names.includes("node_modules")) await mergeModules(modules, join(pluginDir, "node_modules"));
  else if ((await readdir(workDir)).includes("node_modules")) {
    await rename(modules, join(pluginDir, "node_modules"));
  }
}

/**
 * Puts the run-time dependencies into a staged plugin without running any script of theirs: copied from
 * the plugin's own folder when all are there, else fetched by npm. Development and peer dependencies are
 * left out, and the host itself is never fetched.
 * @throws CommandFailure in npm's words when a dependency cannot be had
 */
export async function placeDependencies(options: DependencyOptions): Promise<DependencyOutcome> {
  const { pluginDir, packageJson, sourceDir } = options;
  const declared = declaredDependencies(packageJson);
  const bundled = await bundledNames(pluginDir);
  const missing = (specs: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(specs).filter(([name]) => !bundled.has(name)));
  const wanted = { required: missing(declared.required), optional: missing(declared.optional) };
  const nothing = Object.keys({ ...wanted.required, ...wanted.optional }).length === 0;
  const local =
    nothing || sourceDir === undefined ? undefined : await installedDependencies(sourceDir, packageJson);
  await options.onStep("dependencies-planned");
  if (nothing) return "none";
  if (local !== undefined && sourceDir !== undefined) {
    await copyFolders(local, sourceDir, pluginDir);
    return "copied";
  }
  await fetchDependencies(options, wanted);
  return "fetched";
}
