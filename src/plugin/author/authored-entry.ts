import { types } from "node:util";
import { CommandFailure } from "../../errors.js";
import { pluginEntrySymbol } from "../../sdk/plugin-entry.js";
import { getToolPluginMetadata } from "../../sdk/tool-plugin.js";
import type { ToolPluginMetadata } from "../../sdk/types/tool-definition.js";
import { definitionOf, exportedNames } from "../load/definition.js";
import { type ImportEntryOptions, importEntry } from "../load/entry.js";
import { entryFailure } from "../load/entry-failure.js";
import { entryLabel } from "../load/package-info.js";
import { runPluginCode } from "../load/run-plugin-code.js";

export interface AuthoredEntry {
  /** Set for what `defineToolPlugin` made. */
  metadata?: ToolPluginMetadata;
  /** The definition as exported, factories called. */
  definition: unknown;
  /** Whether `definePluginEntry` made it. */
  handWritten: boolean;
  namespace: Record<string, unknown>;
}

/**
 * Imports an entry and finds the plugin it defines. A function without parameters is taken for a factory
 * of the definition and called.
 * @throws CommandFailure as `importEntry` does
 */
export async function importAuthored(options: ImportEntryOptions): Promise<AuthoredEntry> {
  const { namespace } = await importEntry(options);
  let definition = definitionOf(namespace);
  if (typeof definition === "function" && definition.length === 0 && !types.isProxy(definition)) {
    const factory = definition as () => unknown;
    try {
      definition = await runPluginCode({ plugin: entryLabel(options.rootDir, options.file) }, factory);
    } catch (error) {
      throw await entryFailure(error, options.file, options.rootDir);
    }
  }
  const metadata = getToolPluginMetadata(definition);
  return {
    ...(metadata === undefined ? {} : { metadata }),
    definition,
    handWritten: isMarked(definition),
    namespace,
  };
}

function isMarked(definition: unknown): boolean {
  return (
    typeof definition === "object" &&
    definition !== null &&
    (definition as { [pluginEntrySymbol]?: true })[pluginEntrySymbol] === true
  );
}

/** The failure for an entry that is no tool plugin, with what it exports instead. */
export function noMetadata(entry: AuthoredEntry, label: string): CommandFailure {
  const names = exportedNames(entry.namespace);
  const elsewhere = names.find((name) => getToolPluginMetadata(atPath(entry.namespace, name)) !== undefined);
  const found = names.length === 0 ? "nothing" : names.slice(0, 8).join(", ");
  const hint =
    elsewhere !== undefined
      ? `The plugin is the export \`${elsewhere}\`; make it the default export.`
      : `Make the default export the result of defineToolPlugin, or name another file with --entry (found: ${found}).`;
  return new CommandFailure(
    "entry_without_metadata",
    `plugin entry does not expose defineToolPlugin metadata: ${label}`,
    { hint },
  );
}

/** The answer of a build to a plugin whose manifest nothing can generate. */
export function noManifestToBuild(label: string): CommandFailure {
  return new CommandFailure(
    "entry_hand_written",
    `plugin entry does not expose defineToolPlugin metadata: ${label} is made with definePluginEntry, whose manifest is written by hand`,
    { hint: "Edit openclaw.plugin.json yourself; `openclaw plugins validate` checks it." },
  );
}

function atPath(namespace: Record<string, unknown>, name: string): unknown {
  if (!name.startsWith("default.")) return namespace[name];
  return (namespace.default as Record<string, unknown>)[name.slice("default.".length)];
}
