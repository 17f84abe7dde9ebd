import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { emptyPluginConfigSchema } from "./plugin-entry.js";
import type { OpenClawPluginApi } from "./types/plugin-api.js";
import type { PluginConfigSchema } from "./types/tool-definition.js";

/** One export of a file of the same package. */
export interface BundledExport {
  specifier: string;
  exportName?: string;
}

export interface BundledChannelEntryDefinition {
  id: string;
  name: string;
  description: string;
  importMetaUrl: string;
  plugin: BundledExport;
  secrets?: BundledExport;
  runtime?: BundledExport;
  configSchema?: PluginConfigSchema | (() => PluginConfigSchema);
  registerCliMetadata?(api: OpenClawPluginApi): void;
  registerFull?(api: OpenClawPluginApi): void;
  [extra: string]: unknown;
}

type SyncLoader = (file: string) => Record<string, unknown>;

/** Set by hosts whose Node cannot redirect what a required ES module imports. */
const SYNC_LOADER = Symbol.for("openclaw.host.sync-loader");

/** True while a bundle loads: what it prepares of a host it does not run in must not fail yet. */
const LOADING = Symbol.for("openclaw.host.loading-bundle");

/**
 * An export of a file beside the one with this URL, loaded now.
 * @throws Error when the file has no such export, or whatever loading it throws
 */
export function loadBundledEntryExportSync<Value = unknown>(
  importMetaUrl: string,
  wanted: BundledExport,
): Value {
  const require = createRequire(fileURLToPath(importMetaUrl));
  const load = (globalThis as { [SYNC_LOADER]?: SyncLoader })[SYNC_LOADER] ?? require;
  const host = globalThis as { [LOADING]?: boolean };
  const before = host[LOADING];
  host[LOADING] = true;
  let loaded: Record<string, unknown>;
  try {
    loaded = load(require.resolve(wanted.specifier)) as Record<string, unknown>;
  } finally {
    host[LOADING] = before ?? false;
  }
  const name = wanted.exportName ?? "default";
  if (!(name in loaded)) throw new Error(`${wanted.specifier} has no export ${name}`);
  return loaded[name] as Value;
}

/**
 * The entry of a channel plugin. Registering announces the channel without loading it, since no channel
 * runs here, and then registers everything else the plugin brings: its tools above all.
 */
export function defineBundledChannelEntry(definition: BundledChannelEntryDefinition): object {
  const { id, name, description, importMetaUrl, plugin, configSchema } = definition;
  let made: PluginConfigSchema | undefined;
  return {
    id,
    name,
    description,
    kind: "bundled-channel-entry",
    get configSchema() {
      made ??=
        (typeof configSchema === "function" ? configSchema() : configSchema) ?? emptyPluginConfigSchema();
      return made;
    },
    loadChannelPlugin: () => loadBundledEntryExportSync(importMetaUrl, plugin),
    register(api: OpenClawPluginApi) {
      api.registerChannel({ plugin: { id, meta: { id, label: name } } });
      definition.registerCliMetadata?.(api);
      definition.registerFull?.(api);
    },
  };
}

/** The entry a channel plugin shows while it is being set up. */
export function defineBundledChannelSetupEntry(
  definition: Pick<BundledChannelEntryDefinition, "importMetaUrl" | "plugin"> & Record<string, unknown>,
): object {
  return {
    kind: "bundled-channel-setup-entry",
    loadSetupPlugin: () => loadBundledEntryExportSync(definition.importMetaUrl, definition.plugin),
  };
}
