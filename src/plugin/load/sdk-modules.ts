import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { importedNames, missingModule } from "./sdk-missing.js";

/** The SDK modules this package ships: subpath below `openclaw/` → exported names. */
export interface SdkIndex {
  /** Folder of the built modules. */
  dir: string;
  modules: Record<string, { file: string; exports: string[] }>;
}

/** Reads what the build wrote beside the SDK modules. */
export function readSdkIndex(sdkDir: string): SdkIndex {
  return { dir: sdkDir, modules: JSON.parse(readFileSync(join(sdkDir, "index.json"), "utf8")) };
}

export function isSdkSpecifier(specifier: string): boolean {
  return specifier === "openclaw" || specifier.startsWith("openclaw/");
}

/** `plugin-sdk/core` of `openclaw/plugin-sdk/core.js`. */
export function subpathOf(specifier: string): string {
  return specifier.slice("openclaw/".length).replace(/\.(js|mjs|cjs|ts)$/, "");
}

/**
 * The module that answers `specifier` for an importing file: our own when it has every name the importer
 * asks for, else one that adds the missing names as values that fail when used. Only reads the importer.
 * @returns a `file:` or `data:` URL
 */
export function serveSdk(index: SdkIndex, specifier: string, parentUrl: string | undefined): string {
  const subpath = subpathOf(specifier);
  const known = index.modules[subpath];
  const knownUrl = known === undefined ? undefined : pathToFileURL(join(index.dir, known.file)).href;
  const parentFile = parentUrl?.startsWith("file:") ? fileURLToPath(parentUrl) : undefined;
  const wanted = importedNames(parentFile === undefined ? "" : readText(parentFile), specifier);
  const missing = wanted.names.filter((name) => known === undefined || !known.exports.includes(name));
  if (knownUrl !== undefined && missing.length === 0) return knownUrl;
  const source = missingModule({
    specifier: `openclaw/${subpath}`,
    plugin: parentFile === undefined ? "a plugin" : pluginAround(parentFile),
    names: missing,
    ...(knownUrl === undefined ? { failWhenImported: wanted.dynamicOnly } : { knownUrl }),
  });
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** The id in the nearest manifest above `file`, else the nearest package's name: for messages only. */
export function pluginAround(file: string): string {
  let packageName: string | undefined;
  for (let dir = dirname(file); ; dir = dirname(dir)) {
    const id = /["']?\bid["']?\s*:\s*["']([^"']+)["']/.exec(readText(join(dir, "openclaw.plugin.json")))?.[1];
    if (id !== undefined) return id;
    packageName ??= /"name"\s*:\s*"([^"]+)"/.exec(readText(join(dir, "package.json")))?.[1];
    if (dirname(dir) === dir) return packageName ?? file;
  }
}

/** Whether Node's own resolution leads from `file` to `root`, so that nothing has to be redirected. */
export function resolvesTo(root: string, file: string): boolean {
  for (let dir = dirname(file); ; dir = dirname(dir)) {
    const candidate = join(dir, "node_modules", "openclaw");
    if (existsSync(candidate)) return realpathSync(candidate) === root;
    if (dirname(dir) === dir) return false;
  }
}
