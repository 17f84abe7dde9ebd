import { lstat, readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isRecord } from "../load/manifest.js";

/** The host is served by this toolchain, whichever section of package.json names it. */
export const HOST_PACKAGE = "openclaw";

export interface DeclaredDependencies {
  required: Record<string, string>;
  optional: Record<string, string>;
}

function table(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string" && entry[0] !== HOST_PACKAGE,
    ),
  );
}

/** What a package needs at run time, the host left out. */
export function declaredDependencies(packageJson: Record<string, unknown>): DeclaredDependencies {
  const optional = table(packageJson.optionalDependencies);
  const required = Object.fromEntries(
    Object.entries(table(packageJson.dependencies)).filter(([name]) => !Object.hasOwn(optional, name)),
  );
  return { required, optional };
}

async function readJson(file: string): Promise<Record<string, unknown> | undefined> {
  try {
    const parsed: unknown = JSON.parse((await readFile(file, "utf8")).replace(/^\ufeff/, ""));
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** The folder `name` resolves to from `from`, by Node's rule, not above `root`. */
async function resolveFolder(root: string, from: string, name: string): Promise<string | undefined> {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, "node_modules", name);
    if (await lstat(folder).then(Boolean, () => false)) return folder;
    if (at === root || dirname(at) === at) return undefined;
  }
}

type Satisfies = (version: string, range: string) => boolean;

async function loadSatisfies(): Promise<Satisfies> {
  const { default: semver } = await import("semver");
  // Tags, URLs and paths cannot be compared; a folder of that name is taken as what was meant.
  return (version, range) =>
    semver.validRange(range) === null || semver.satisfies(version, range, { includePrerelease: true });
}

/**
 * The folders of a plugin's run-time dependencies as they lie in its own `node_modules`, deepest names
 * last, when all of them are there in fitting versions and as real folders inside the plugin. `undefined`
 * when one is missing, does not fit, or is a link (workspaces, pnpm, `npm link`): then npm must fetch them.
 */
export async function installedDependencies(
  root: string,
  packageJson: Record<string, unknown>,
): Promise<string[] | undefined> {
  const satisfies = await loadSatisfies();
  const realRoot = await realpath(root);
  const found = new Set<string>();
  const queue = [{ folder: root, json: packageJson }];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
    const { required, optional } = declaredDependencies(item.json);
    for (const [name, range] of [...Object.entries(required), ...Object.entries(optional)]) {
      const folder = await resolveFolder(root, item.folder, name);
      if (folder === undefined) {
        if (Object.hasOwn(optional, name)) continue;
        return undefined;
      }
      if (found.has(folder)) continue;
      const json = await readJson(join(folder, "package.json"));
      const version = typeof json?.version === "string" ? json.version : "";
      if (json === undefined || !satisfies(version, range)) return undefined;
      if ((await realpath(folder)) !== join(realRoot, folder.slice(root.length + 1))) return undefined;
      found.add(folder);
      queue.push({ folder, json });
    }
  }
  return [...found].sort();
}
