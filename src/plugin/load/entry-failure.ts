import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandFailure, messageOf } from "../../errors.js";
import { entryGraph } from "./entry-graph.js";
import { PluginExitError } from "./run-plugin-code.js";

/** `file` as messages show it: `./dist/index.js` inside the plugin, the whole path elsewhere. */
export function shownPath(rootDir: string, file: string): string {
  const path = relative(rootDir, file);
  return path.startsWith("..") || path === "" ? file : `./${path.split(sep).join("/")}`;
}

function pathOfFrame(text: string): string | undefined {
  if (text.startsWith("file:")) {
    try {
      return fileURLToPath(text.replace(/[?#].*$/, ""));
    } catch {
      return undefined;
    }
  }
  return /^(\/|[A-Za-z]:[\\/])/.test(text) ? text : undefined;
}

/**
 * Where an error of an import happened, as `./dist/index.js:3:7`: the first frame inside the plugin's
 * folder, else the line Node puts before a syntax error.
 */
export function placeOf(error: unknown, rootDir: string): string | undefined {
  const stack = error instanceof Error ? String(error.stack ?? "") : "";
  const [first = "", ...frames] = stack.split("\n");
  const heading = /^(\S.*?):(\d+)$/.exec(first);
  if (heading !== null) {
    const file = pathOfFrame(heading[1] ?? "");
    if (file !== undefined) return `${shownPath(rootDir, file)}:${heading[2]}`;
  }
  for (const frame of frames) {
    const match = /^\s+at (?:.*\()?(.+?):(\d+):(\d+)\)?$/.exec(frame);
    const file = match === null ? undefined : pathOfFrame(match[1] ?? "");
    if (file?.startsWith(rootDir + sep)) return `${shownPath(rootDir, file)}:${match?.[2]}:${match?.[3]}`;
  }
  return undefined;
}

/** The package an import did not find, when that is what happened. */
export function missingPackage(error: unknown): string | undefined {
  return /Cannot find (?:package|module) '((?:@[^/']+\/)?[^/'.][^/']*)/.exec(messageOf(error))?.[1];
}

/** Node tells no place for a syntax error in an ES module that is caught; a parser finds it. Loads acorn. */
async function placeOfSyntaxError(entry: string, rootDir: string): Promise<string | undefined> {
  const { parse } = await import("acorn");
  for (const { file, source } of entryGraph(entry)) {
    try {
      parse(source.replace(/^\ufeff/, ""), {
        ecmaVersion: "latest",
        sourceType: "module",
        allowHashBang: true,
        allowReturnOutsideFunction: true,
      });
    } catch (error) {
      const { loc } = error as { loc?: { line: number; column: number } };
      if (loc !== undefined) return `${shownPath(rootDir, file)}:${loc.line}:${loc.column + 1}`;
    }
  }
  return undefined;
}

/** Turns whatever importing an entry threw into one line with place and remedy. */
export async function entryFailure(error: unknown, file: string, rootDir: string): Promise<CommandFailure> {
  const entry = shownPath(rootDir, file);
  if (error instanceof PluginExitError) {
    return new CommandFailure(
      "entry_exited",
      `plugin entry called process.exit(${error.exitCode ?? ""}) while it was imported: ${entry}`,
      { hint: "Importing an entry must not end the process; move that code into a tool.", cause: error },
    );
  }
  const name = missingPackage(error);
  if (name !== undefined) {
    const importer = placeOf(error, rootDir) ?? entry;
    return new CommandFailure(
      "entry_dependency_missing",
      `Cannot find package '${name}', which ${importer} imports`,
      {
        hint: `Keep ${name} in "dependencies" of package.json, run \`npm install\`, rebuild, then try again.`,
        details: { package: name },
        cause: error,
      },
    );
  }
  const place =
    placeOf(error, rootDir) ??
    (error instanceof SyntaxError ? await placeOfSyntaxError(file, rootDir) : undefined);
  const kind = error instanceof Error && error.name !== "Error" ? `${error.name}: ` : "";
  const message = messageOf(error).split("\n")[0];
  return new CommandFailure(
    "entry_import_failed",
    `plugin entry failed to import: ${place ?? entry}: ${kind}${message}`,
    {
      hint:
        place === undefined || place.startsWith(entry)
          ? "Fix the error in the source, rebuild, then try again."
          : `The entry is ${entry}. Fix the error in the source, rebuild, then try again.`,
      cause: error,
    },
  );
}
