import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { userHome } from "../../config/paths.js";
import { CommandFailure, UsageFailure } from "../../errors.js";

/** Where a plugin comes from, after the words of the user have been understood. */
export type PluginSource =
  | { kind: "directory"; spec: string; path: string }
  | { kind: "link"; spec: string; path: string }
  | { kind: "archive"; spec: string; path: string; npmPack: boolean }
  | {
      kind: "npm";
      spec: string;
      name: string /** Version, range or tag; `latest` without one. */;
      wanted: string;
    };

const NPM_NAME = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/i;

function looksLikePath(text: string): boolean {
  return (
    /^\.{0,2}[/\\]/.test(text) ||
    text === "." ||
    text === ".." ||
    text.startsWith("~/") ||
    text.startsWith("~\\") ||
    /^[A-Za-z]:[/\\]/.test(text) ||
    text.includes("\\") ||
    /\.(tgz|tar\.gz|tar)$/i.test(text)
  );
}

function refuse(message: string, hint: string): UsageFailure {
  return new UsageFailure(message, hint);
}

/** Kinds of spec the real host knows and this toolchain leaves to it, each with what to do instead. */
function refuseForeign(text: string): void {
  if (text.startsWith("clawhub:")) {
    throw refuse(
      `installing from ClawHub is not supported here: ${text}`,
      "Use npm:<package> when it is on npm, or download the package and install its folder or .tgz.",
    );
  }
  if (/^(git:|git\+|git@|github:|gitlab:|bitbucket:|ssh:)/.test(text) || /\.git(#.*)?$/.test(text)) {
    throw refuse(
      `installing from git is not supported here: ${text}`,
      "Clone the repository, build it, then install its folder: openclaw plugins install ./<folder>",
    );
  }
  if (/^https?:/.test(text)) {
    throw refuse(
      `installing from a URL is not supported here: ${text}`,
      "Download the archive, then install the file: openclaw plugins install ./<file>.tgz",
    );
  }
}

function parseNpm(spec: string, text: string): PluginSource {
  const at = text.indexOf("@", 1);
  const name = at < 0 ? text : text.slice(0, at);
  const wanted = at < 0 ? "latest" : text.slice(at + 1);
  if (!NPM_NAME.test(name)) {
    throw refuse(
      `not the name of an npm package: ${text}`,
      "Use <name> or <name>@<version>; a folder needs ./ in front.",
    );
  }
  // Aliases, URLs and paths behind the @ would make npm fetch something else than the name says.
  if (!/^[\w.*^~<>=| +-]+$/.test(wanted) || wanted.startsWith("-")) {
    throw refuse(`not a version, range or tag: ${wanted}`, `For example ${name}@1.2.3 or ${name}@^1.2.0.`);
  }
  return { kind: "npm", spec, name, wanted };
}

async function kindOfPath(path: string): Promise<"directory" | "file" | "absent"> {
  try {
    return (await stat(path)).isDirectory() ? "directory" : "file";
  } catch {
    return "absent";
  }
}

async function parsePath(spec: string, text: string, cwd: string, link: boolean): Promise<PluginSource> {
  const path = resolve(cwd, /^~[/\\]/.test(text) ? join(userHome(), text.slice(2)) : text);
  const kind = await kindOfPath(path);
  if (kind === "absent") {
    throw new CommandFailure("source_not_found", `no such folder or file: ${path}`);
  }
  if (kind === "directory") return { kind: link ? "link" : "directory", spec, path };
  if (link)
    throw refuse(`--link needs a folder, this is a file: ${path}`, "Leave --link out to install the file.");
  if (!/\.(tgz|tar\.gz)$/i.test(path)) {
    throw refuse(
      `cannot install a single file: ${path}`,
      "Install the plugin's folder, or an archive made by `npm pack` (.tgz or .tar.gz).",
    );
  }
  return { kind: "archive", spec, path, npmPack: false };
}

/**
 * Understands what the user asked to install. Paths begin with `.`, `/`, `~` or a drive, or end in
 * `.tgz`; `npm-pack:` and `npm:` say what follows; anything else is the name of an npm package.
 * @throws UsageFailure for specs that are malformed or not supported here
 * @throws CommandFailure `source_not_found`
 */
export async function parseSource(
  spec: string,
  options: { cwd: string; link?: boolean },
): Promise<PluginSource> {
  const text = spec.trim();
  const link = options.link === true;
  if (text === "")
    throw refuse("nothing to install: the spec is blank", "Name a folder, an archive or a package.");
  if (text.startsWith("npm-pack:")) {
    if (link) throw refuse("--link does not go with npm-pack:", "Use --link <folder>.");
    const source = await parsePath(spec, text.slice("npm-pack:".length), options.cwd, false);
    if (source.kind === "archive") return { ...source, npmPack: true };
    throw refuse(
      `npm-pack: needs an archive made by \`npm pack\`: ${text}`,
      "Install a folder by its path alone.",
    );
  }
  if (text.startsWith("npm:")) {
    if (link) throw refuse("--link needs a folder", "Use --link <folder>.");
    return parseNpm(spec, text.slice("npm:".length));
  }
  if (text.startsWith("file:")) return parsePath(spec, text.slice("file:".length), options.cwd, link);
  refuseForeign(text);
  if (link || looksLikePath(text)) return parsePath(spec, text, options.cwd, link);
  if (NPM_NAME.test(text.replace(/(?<=.)@.*$/, ""))) return parseNpm(spec, text);
  // Not a possible package name, so a folder written without ./ can only be meant as one.
  if ((await kindOfPath(resolve(options.cwd, text))) !== "absent") {
    return parsePath(spec, text, options.cwd, link);
  }
  if (/^[\w.-]+\/[\w.-]+$/.test(text)) {
    throw refuse(
      `${text} names a ClawHub package, and installing from ClawHub is not supported here`,
      `Use npm:@${text} when it is on npm, or ./${text} for a folder.`,
    );
  }
  return parseNpm(spec, text);
}
