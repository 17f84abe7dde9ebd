import type { DiscoveredPlugin, LoadedPlugin, PluginDiagnostic, RegisteredToolInfo } from "../types.js";
import type { InstallRecord } from "./records.js";

/** One plugin as `list --json` and `inspect --json` show it. */
export interface PluginView {
  id: string;
  name: string;
  version?: string;
  description?: string;
  /** `enabled` and `disabled` are read from files; `loaded` means that it was imported and registered. */
  status: "enabled" | "disabled" | "loaded" | "error";
  /** What the status rests on. */
  basis: "manifest" | "imported";
  enabled: boolean;
  format: "openclaw";
  /** How it was installed; for others, where it was found. */
  source: string;
  origin: DiscoveredPlugin["origin"];
  rootDir: string;
  packageName?: string;
  /** Entry files, absolute. */
  entries: string[];
  /** Declared names without an import; afterwards those a run would get. */
  toolNames: string[];
  contracts: Record<string, unknown>;
  configJsonSchema?: Record<string, unknown>;
  imported: boolean;
  error?: string;
  failurePhase?: LoadedPlugin["failurePhase"];
}

export interface ToolView {
  names: string[];
  optional: boolean;
  declared: boolean;
  /** What a run makes of it; `declared` for names that are only known from the manifest. */
  state: RegisteredToolInfo["state"] | "declared" | "missing";
  label?: string;
  description?: string;
  /** Compact hints, as a cell would see them. */
  input?: string;
  output?: string;
}

function base(
  plugin: DiscoveredPlugin,
  record: InstallRecord | undefined,
): Omit<PluginView, "status" | "basis" | "toolNames" | "imported"> {
  const { manifest } = plugin;
  const version = manifest?.version ?? plugin.packageVersion;
  return {
    id: plugin.id,
    name: manifest?.name ?? plugin.id,
    ...(version === undefined ? {} : { version }),
    ...(manifest?.description === undefined ? {} : { description: manifest.description }),
    enabled: plugin.enabled,
    format: "openclaw",
    source: record?.source ?? plugin.origin,
    origin: plugin.origin,
    rootDir: plugin.rootDir,
    ...(plugin.packageName === undefined ? {} : { packageName: plugin.packageName }),
    entries: plugin.entries,
    contracts: manifest?.contracts ?? { tools: [] },
    ...(manifest === undefined ? {} : { configJsonSchema: manifest.configSchema }),
  };
}

/** A plugin by its files alone. */
export function coldView(plugin: DiscoveredPlugin, record?: InstallRecord): PluginView {
  const { error } = plugin;
  return {
    ...base(plugin, record),
    status: error !== undefined ? "error" : plugin.enabled ? "enabled" : "disabled",
    basis: "manifest",
    toolNames: plugin.manifest?.contracts.tools ?? [],
    imported: false,
    ...(error === undefined ? {} : { error, failurePhase: "manifest" as const }),
  };
}

/** A plugin after it was imported and registered. */
export function loadedView(loaded: LoadedPlugin, record?: InstallRecord): PluginView {
  const imported = loaded.failurePhase !== "manifest" && loaded.failurePhase !== "import";
  return {
    ...base(loaded.plugin, record),
    status: loaded.status,
    basis: loaded.failurePhase === "manifest" ? "manifest" : "imported",
    toolNames: loaded.status === "error" ? [] : usableNames(loaded.registered),
    imported,
    ...(loaded.error === undefined ? {} : { error: loaded.error }),
    ...(loaded.failurePhase === undefined ? {} : { failurePhase: loaded.failurePhase }),
  };
}

/** Names a run could get: dropped and shadowed ones are not among them. */
function usableNames(registered: readonly RegisteredToolInfo[]): string[] {
  const dropped = new Set(["undeclared", "conflict", "failed"]);
  return [...new Set(registered.filter(({ state }) => !dropped.has(state)).map(({ name }) => name))];
}

/** The tools a manifest declares. */
export function declaredTools(
  plugin: DiscoveredPlugin,
  state: "declared" | "missing" = "declared",
): ToolView[] {
  const { manifest } = plugin;
  return (manifest?.contracts.tools ?? []).map((name) => {
    const metadata = Object.hasOwn(manifest?.toolMetadata ?? {}, name)
      ? manifest?.toolMetadata[name]
      : undefined;
    return { names: [name], optional: metadata?.optional === true, declared: true, state };
  });
}

/** Every registered tool with its hints, then those that were declared but not registered. */
export async function registeredTools(loaded: LoadedPlugin): Promise<ToolView[]> {
  const { inputHint, outputHint } = await import("../../schema/hints.js");
  const views = loaded.registered.map((tool): ToolView => {
    const output = tool.outputSchema === undefined ? undefined : outputHint(tool.outputSchema);
    return {
      names: [tool.name],
      optional: tool.optional,
      declared: tool.declared,
      state: tool.state,
      ...(tool.label === undefined ? {} : { label: tool.label }),
      ...(tool.description === undefined ? {} : { description: tool.description }),
      ...(tool.parameters === undefined ? {} : { input: inputHint(tool.parameters) }),
      ...(output === undefined ? {} : { output }),
    };
  });
  const seen = new Set(loaded.registered.map(({ name }) => name));
  return [
    ...views,
    ...declaredTools(loaded.plugin, "missing").filter(({ names }) => !seen.has(names[0] ?? "")),
  ];
}

/** A diagnostic with the plugin it belongs to, for lists over several. */
export function withId(
  id: string,
  diagnostics: readonly PluginDiagnostic[],
): (PluginDiagnostic & { pluginId: string })[] {
  return diagnostics.map((diagnostic) => ({ pluginId: id, ...diagnostic }));
}
