import { existsSync, readFileSync, realpathSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CommandFailure } from "../../errors.js";
import { packageRoot } from "../../package-root.js";
import { tellLoadFault, tracePhase } from "../../plugin-events.js";
import { entryFailure, shownPath } from "./entry-failure.js";
import { entryGraph } from "./entry-graph.js";
import { importTranspiled, mayNeedTranspiler, needsTranspiler, offerSyncLoader } from "./entry-transpile.js";
import { runPluginCode } from "./run-plugin-code.js";
import { redirectImports, redirectIsCheap, redirectRequires, sdkIndex } from "./sdk-hooks.js";
import { importedNames } from "./sdk-missing.js";
import { resolvesTo, subpathOf } from "./sdk-modules.js";
import { withWatchdog } from "./watchdog.js";

/** How long an entry may take to import, in ms. */
export const IMPORT_TIMEOUT_MS = 15_000;

export interface ImportEntryOptions {
  /** The entry file, absolute. JavaScript (ES module or CommonJS) or TypeScript. */
  file: string;
  /** The plugin's folder, absolute: messages show paths relative to it. */
  rootDir: string;
  /** Wall time the import may take, in ms (15,000); synchronous loops count too. */
  timeoutMs?: number;
  /** Gets what the entry prints on stdout, escaped; stderr by default. */
  onOutput?: (text: string) => void;
  /** JSON document for stdout when the import hangs and `--json` is on; the error envelope by default. */
  hangDocument?: (failure: { code: string; message: string; hint: string }) => unknown;
}

export interface ImportedEntry {
  /** What the module exports. CommonJS: `default` is `module.exports`. */
  namespace: Record<string, unknown>;
  /** `transpiled`: TypeScript, or JavaScript that Node's own loader refuses. */
  loader: "native" | "transpiled";
}

/**
 * Imports a plugin's entry with `openclaw/*` served by this package, whatever else is installed beside it.
 * Nothing is called. An import that loops or takes too long ends the process (see `withWatchdog`).
 * @throws CommandFailure `entry_not_found`, `entry_exited`, `entry_dependency_missing`, `entry_timeout` (it waits
 *   for what cannot happen) or `entry_import_failed`, with file and line where they are known
 */
export async function importEntry(options: ImportEntryOptions): Promise<ImportedEntry> {
  const { rootDir } = options;
  const timeoutMs = options.timeoutMs ?? IMPORT_TIMEOUT_MS;
  const entry = shownPath(rootDir, options.file);
  if (!existsSync(options.file)) throw entryNotFound(entry);
  const file = realpathSync(options.file);
  const known = imported.get(file);
  if (known !== undefined) return known;
  const realRoot = realpathSync(rootDir);
  const hang = {
    code: "entry_timeout",
    message: `plugin entry did not finish importing within ${timeoutMs / 1000} s: ${entry}`,
    hint: "Something it runs at import waits or loops; move that work into a tool.",
  };
  const entryImported = await tracePhase("import", file, () =>
    withWatchdog(
      {
        ...hang,
        idleMessage: `plugin entry never finishes importing: ${entry}`,
        timeoutMs,
        ...(options.hangDocument === undefined ? {} : { document: options.hangDocument(hang) }),
      },
      () =>
        runPluginCode(
          { plugin: entry, ...(options.onOutput === undefined ? {} : { onOutput: options.onOutput }) },
          () => load(file, realRoot),
        ),
    ),
  ).catch(async (error) => {
    const idle = error instanceof CommandFailure && error.code === hang.code;
    const failure = idle ? error : await entryFailure(error, file, realRoot);
    tellLoadFault({ plugin: file, phase: "import" }, failure);
    throw failure;
  });
  imported.set(file, entryImported);
  return entryImported;
}

/** By real path: code of an entry runs once in a process, whichever loader ran it. */
const imported = new Map<string, ImportedEntry>();

export function entryNotFound(entry: string): CommandFailure {
  return new CommandFailure("entry_not_found", `plugin entry not found: ${entry}`, {
    hint: "Build the plugin first (`npm run build`), or name the right file with --entry.",
  });
}

async function load(file: string, rootDir: string): Promise<ImportedEntry> {
  redirectRequires();
  if (needsTranspiler(file)) {
    redirectImports();
    return { namespace: await importTranspiled(file), loader: "transpiled" };
  }
  if (redirectIsCheap || !nativelyServed(file, rootDir)) redirectImports();
  if (!redirectIsCheap) offerSyncLoader();
  try {
    const namespace = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
    return { namespace, loader: "native" };
  } catch (error) {
    if (!mayNeedTranspiler(error)) throw error;
    try {
      return { namespace: await importTranspiled(file), loader: "transpiled" };
    } catch (second) {
      throw mayNeedTranspiler(second) ? error : second;
    }
  }
}

const MOST_FILES = 40;

/**
 * Whether native resolution already leads every import of the SDK to us, and to names we have. Looks at the
 * entry's own files only; a dependency that may import the SDK, or a large tree, answers no. Worth it where
 * redirecting needs a thread.
 */
function nativelyServed(entry: string, rootDir: string): boolean {
  if (!resolvesTo(packageRoot(), entry)) return false;
  const { modules } = sdkIndex();
  let files = 0;
  for (const { source, specifiers } of entryGraph(entry, MOST_FILES + 1)) {
    files += 1;
    // What is loaded by a computed name, or by require from an ES module, is not in this list.
    if (files > MOST_FILES || /\bcreateRequire\b|\bloadBundledEntry|\bimport\s*\(\s*(?!["'])/.test(source)) {
      return false;
    }
    for (const specifier of specifiers) {
      if (specifier.startsWith("openclaw/")) {
        const known = modules[subpathOf(specifier)];
        const { names } = importedNames(source, specifier);
        if (known === undefined || !names.every((name) => known.exports.includes(name))) return false;
      } else if (!/^(?:\.|typebox$)/.test(specifier) && usesSdk(specifier, rootDir)) {
        return false;
      }
    }
  }
  return true;
}

/** Whether a dependency says that it has to do with openclaw; unknown ones are taken to. */
function usesSdk(specifier: string, rootDir: string): boolean {
  if (isBuiltin(specifier)) return false;
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  try {
    return readFileSync(join(rootDir, "node_modules", name, "package.json"), "utf8").includes('"openclaw"');
  } catch {
    return true;
  }
}
