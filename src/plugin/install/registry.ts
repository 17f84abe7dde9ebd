import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailure } from "../../errors.js";
import { isRecord } from "../load/manifest.js";
import { runNpm } from "./npm.js";

/** One exact version of a registry package. */
export interface ResolvedPackage {
  name: string;
  version: string;
  integrity?: string;
  /** Why this Node may not suit it. */
  engineWarning?: string;
  deprecated?: string;
}

/** The last JSON document in npm's output; banners of other tools may stand before it. */
export function lastJson(text: string): unknown {
  for (let at = 0; at >= 0; ) {
    const brace = text.slice(at).search(/[[{"]/);
    if (brace < 0) return undefined;
    try {
      return JSON.parse(text.slice(at + brace));
    } catch {
      at = text.indexOf("\n", at + brace);
      if (at >= 0) at += 1;
      else return undefined;
    }
  }
  return undefined;
}

function field(view: Record<string, unknown>, ...path: string[]): unknown {
  // npm prints requested nested fields flat ("dist.integrity") or nested, by version.
  const flat = view[path.join(".")];
  return flat ?? path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), view);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

async function engineWarning(view: Record<string, unknown>): Promise<string | undefined> {
  const wanted = text(field(view, "engines", "node"));
  if (wanted === undefined) return undefined;
  const { default: semver } = await import("semver");
  const fits = semver.satisfies(process.versions.node, wanted, { includePrerelease: true });
  return fits ? undefined : `it asks for Node ${wanted}; this is ${process.versions.node}`;
}

export interface RegistryOptions {
  cwd: string;
  signal?: AbortSignal | undefined;
}

/**
 * The exact version npm's registry has for a name and a version, range or tag. A range takes `latest`
 * when that fits, else the highest release; versions whose `engines` do not fit are not stepped over
 * silently, they give a warning.
 * @throws CommandFailure `package_not_found`, `version_not_found`, `registry_unreachable`, `npm_failed`
 */
export async function resolvePackage(
  name: string,
  wanted: string,
  options: RegistryOptions,
): Promise<ResolvedPackage> {
  const what = `looking up ${name}@${wanted}`;
  const fields = ["name", "version", "dist.integrity", "engines", "deprecated", "dist-tags"];
  const output = await runNpm(["view", `${name}@${wanted}`, ...fields, "--json"], { ...options, what });
  const parsed = lastJson(output);
  const views = (Array.isArray(parsed) ? parsed : [parsed]).filter(isRecord);
  const { default: semver } = await import("semver");
  const latest = text(field(views[0] ?? {}, "dist-tags", "latest"));
  const ranked = views
    .filter((view) => text(view.version) !== undefined)
    .sort((a, b) => semver.rcompare(String(a.version), String(b.version)));
  const view = ranked.find((candidate) => candidate.version === latest) ?? ranked[0];
  if (view === undefined) {
    throw new CommandFailure("version_not_found", `${what}: the registry has no such version`);
  }
  const integrity = text(field(view, "dist", "integrity"));
  const warning = await engineWarning(view);
  const deprecated = text(view.deprecated);
  return {
    name: text(view.name) ?? name,
    version: String(view.version),
    ...(integrity === undefined ? {} : { integrity }),
    ...(warning === undefined ? {} : { engineWarning: warning }),
    ...(deprecated === undefined ? {} : { deprecated }),
  };
}

/** The one archive in a folder that was empty before npm wrote there: npm's own words about names vary. */
export async function onlyArchive(dir: string, what: string): Promise<string> {
  const archives = (await readdir(dir)).filter((name) => name.endsWith(".tgz"));
  const [archive] = archives;
  if (archive === undefined || archives.length > 1) {
    throw new CommandFailure("npm_failed", `${what}: npm left ${archives.length} archives, one was expected`);
  }
  return join(dir, archive);
}

/** Downloads one exact version into the empty folder `dir`; answers the archive's path. */
export async function downloadPackage(
  resolved: ResolvedPackage,
  dir: string,
  options: RegistryOptions,
): Promise<string> {
  const spec = `${resolved.name}@${resolved.version}`;
  const what = `downloading ${spec}`;
  await runNpm(["pack", spec, "--pack-destination", dir, "--workspaces=false"], { ...options, what });
  return onlyArchive(dir, what);
}
