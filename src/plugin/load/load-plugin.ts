import type { OpenClawConfig } from "../../config/config.js";
import { CommandFailure, messageOf } from "../../errors.js";
import { tellLoadFault, tracePhase } from "../../plugin-events.js";
import { getToolPluginMetadata } from "../../sdk/tool-plugin.js";
import { escapeUntrustedLine } from "../../ui/escape.js";
import type { DiscoveredPlugin, LoadedPlugin, PluginDiagnostic, RegisteredToolInfo } from "../types.js";
import { assembleTools, contractDiagnostics } from "./assemble-tools.js";
import { definitionOf } from "./definition.js";
import { IMPORT_TIMEOUT_MS, importEntry } from "./entry.js";
import { isRecord } from "./manifest.js";
import { checkPluginConfig, configuredFor } from "./plugin-config.js";
import { createRecordingApi, type RegisteredTool } from "./recording-api.js";
import { runBriefly, runRegister } from "./run-register.js";
import { createToolContext, type LocalToolContext } from "./tool-context.js";

export interface LoadPluginOptions {
  config: OpenClawConfig;
  /**
   * Which optional tools are wanted beside those `tools.allow` and `tools.alsoAllow` name: tool names,
   * plugin ids, patterns. `all` keeps every optional tool, for callers that apply a policy themselves.
   */
  allow?: readonly string[] | "all";
  /** What factories are told; a fresh local context by default. */
  toolContext?: LocalToolContext;
  /** `unnamed` runs only factories that registered no name. */
  factories?: "all" | "unnamed";
  /** Folder the plugin may keep state in. */
  stateDir?: string;
  /** Longest time one entry may take to import, and one plugin to register and make its tools, in ms. */
  timeoutMs?: number;
  /** Hears every diagnostic as it arises; the result carries them all the same. */
  onDiagnostic?: (diagnostic: PluginDiagnostic, plugin: DiscoveredPlugin) => void;
}

/** Of what a plugin logs while it registers, this much is kept. */
const MAX_LOG_LINES = 10;
const MAX_LOG_CHARACTERS = 300;

/** The schema settings are checked against: the manifest's, or a given plugin's own. */
function configSchemaOf(plugin: DiscoveredPlugin, definition: unknown): Record<string, unknown> | undefined {
  const own = isRecord(definition) ? definition.configSchema : undefined;
  const json = isRecord(own) ? own.jsonSchema : undefined;
  if (plugin.origin === "given" && isRecord(json)) return json;
  return plugin.manifest?.configSchema;
}

/** The first line of what was thrown, with the remedy when it has one: reasons stand in tables and lists. */
function reasonOf(error: unknown): string {
  const lines = messageOf(error)
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const rest = lines.length > 1 ? ` (and ${lines.length - 1} more lines)` : "";
  const hint = error instanceof CommandFailure ? error.hint : undefined;
  return `${lines[0] ?? "nothing was said"}${rest}${hint === undefined ? "" : `. ${hint}`}`;
}

type Level = "debug" | "info" | "warn" | "error";

/**
 * Where a plugin's log lines go. While it registers, the first warnings are diagnostics: often they are the
 * only reason why it registered nothing. Afterwards warnings are lines on stderr. `debug` and `info` are
 * for the host's log files, which do not exist here.
 */
function createLog(pluginId: string, push: (diagnostic: PluginDiagnostic) => void) {
  let kept = 0;
  let registering = true;
  return {
    registered: (): void => {
      registering = false;
    },
    write: (level: Level, message: string): void => {
      if (level === "debug" || level === "info") return;
      const text = message.slice(0, MAX_LOG_CHARACTERS);
      if (!registering) process.stderr.write(`${escapeUntrustedLine(`${pluginId}: ${text}`)}\n`);
      else if (kept++ < MAX_LOG_LINES) push({ level: "info", message: `logs while registering: ${text}` });
    },
  };
}

type Phase = NonNullable<LoadedPlugin["failurePhase"]>;

/** Ends the loading of one plugin; never leaves this module. */
class LoadStop extends Error {
  constructor(
    readonly phase: Phase,
    reason: string,
  ) {
    super(reason);
  }
}

/** Runs a step of the loading; what it throws becomes the plugin's reason in that phase. */
async function inPhase<T>(
  plugin: string,
  phase: Phase,
  step: () => Promise<T>,
  definition?: unknown,
): Promise<T> {
  try {
    // The import of an entry tells of itself, whoever asks for it.
    return await (phase === "import" ? step() : tracePhase(phase, plugin, step));
  } catch (error) {
    if (error instanceof LoadStop) throw error;
    if (phase !== "import") tellLoadFault({ plugin, phase }, error, { default: definition });
    throw new LoadStop(phase, reasonOf(error));
  }
}

interface Loading {
  loaded: LoadedPlugin;
  options: LoadPluginOptions;
  timeoutMs: number;
  push: (diagnostic: PluginDiagnostic) => void;
}

async function importDefinitions({ loaded, timeoutMs }: Loading): Promise<unknown[]> {
  const { entries, rootDir, origin } = loaded.plugin;
  const definitions: unknown[] = [];
  for (const file of entries) {
    const { namespace } = await importEntry({ file, rootDir, timeoutMs });
    definitions.push(definitionOf(namespace));
  }
  const [first] = definitions;
  if (origin === "given" && isRecord(first) && typeof first.id === "string" && first.id !== "") {
    loaded.plugin = { ...loaded.plugin, id: first.id };
  }
  return definitions;
}

async function settingsFor(
  { loaded, options }: Loading,
  definition: unknown,
): Promise<Record<string, unknown>> {
  const { plugin } = loaded;
  const schema = configSchemaOf(plugin, definition);
  const configured = configuredFor(plugin.id, options.config);
  if (schema === undefined) return isRecord(configured) ? structuredClone(configured) : {};
  const checked = await checkPluginConfig(plugin.id, schema, configured);
  if (!checked.ok) throw new Error(checked.problems.join("; "));
  return checked.config;
}

/** Registers one definition; hooks and counts are added to the result, tools are returned. */
async function registerOne(loading: Loading, definition: unknown): Promise<RegisteredTool[]> {
  const { loaded, options, timeoutMs, push } = loading;
  const { plugin, registrations, hooks } = loaded;
  const pluginConfig = await inPhase(plugin.id, "config", () => settingsFor(loading, definition), definition);
  const log = createLog(plugin.id, push);
  const { api, recording } = createRecordingApi({
    plugin,
    config: options.config,
    pluginConfig,
    stateDir: options.stateDir ?? plugin.rootDir,
    log: log.write,
  });
  try {
    const register = () => runRegister(definition, api);
    await inPhase(
      plugin.id,
      "register",
      () => runBriefly(plugin.id, "register()", timeoutMs, register),
      definition,
    );
  } finally {
    log.registered();
    for (const [kind, count] of Object.entries(recording.registrations)) {
      registrations[kind] = (registrations[kind] ?? 0) + count;
    }
  }
  hooks.before.push(...recording.hooks.before);
  hooks.after.push(...recording.hooks.after);
  return recording.tools;
}

/** Tools whose factory did not run are described by what `defineToolPlugin` was given. */
function describeUnmade(registered: RegisteredToolInfo[], definitions: readonly unknown[]): void {
  const known = definitions.flatMap((definition) => getToolPluginMetadata(definition)?.tools ?? []);
  for (const tool of registered) {
    const metadata = known.find(({ name }) => name === tool.name);
    if (tool.parameters !== undefined || metadata === undefined) continue;
    const { label, description, parameters, outputSchema } = metadata;
    Object.assign(tool, {
      label,
      description,
      parameters,
      ...(outputSchema === undefined ? {} : { outputSchema }),
    });
  }
}

async function makeTools(
  { loaded, options, timeoutMs, push }: Loading,
  tools: RegisteredTool[],
): Promise<void> {
  const { plugin } = loaded;
  const assemble = () =>
    assembleTools(tools, {
      plugin,
      config: options.config,
      allow: options.allow ?? [],
      toolContext: options.toolContext ?? createToolContext({ config: options.config }),
      factories: options.factories ?? "all",
    });
  const quick = tools.every(({ kind }) => kind === "tool");
  const assembled = await (quick ? assemble() : runBriefly(plugin.id, "its factories", timeoutMs, assemble));
  loaded.tools = assembled.tools;
  loaded.registered = assembled.registered;
  assembled.diagnostics.forEach(push);
  contractDiagnostics(plugin, assembled.registered).forEach(push);
  const { failures } = assembled;
  if (failures.length > 0 && failures.length === tools.length) throw new Error(failures.join("; "));
}

/**
 * Imports a plugin's entries, checks its settings, runs `register(api)` against the recording API and
 * makes its tools. Never throws for anything the plugin does wrong: that is `status: "error"` with
 * the phase and the reason, so that other plugins go on. Code that holds the thread for longer than
 * `timeoutMs` ends the process.
 */
export async function loadPlugin(
  plugin: DiscoveredPlugin,
  options: LoadPluginOptions,
): Promise<LoadedPlugin> {
  const loaded: LoadedPlugin = {
    plugin,
    status: "loaded",
    tools: [],
    registered: [],
    hooks: { before: [], after: [] },
    registrations: {},
    diagnostics: [],
  };
  const push = (diagnostic: PluginDiagnostic): void => {
    loaded.diagnostics.push(diagnostic);
    options.onDiagnostic?.(diagnostic, loaded.plugin);
  };
  const loading: Loading = { loaded, options, timeoutMs: options.timeoutMs ?? IMPORT_TIMEOUT_MS, push };
  plugin.diagnostics.forEach(push);
  try {
    if (plugin.error !== undefined) throw new LoadStop("manifest", plugin.error);
    const definitions = await inPhase(plugin.id, "import", () => importDefinitions(loading));
    const tools: RegisteredTool[] = [];
    for (const definition of definitions) tools.push(...(await registerOne(loading, definition)));
    await inPhase(loaded.plugin.id, "factory", () => makeTools(loading, tools), definitions[0]);
    describeUnmade(loaded.registered, definitions);
  } catch (error) {
    if (!(error instanceof LoadStop)) throw error;
    const { phase, message } = error;
    Object.assign(loaded, { status: "error", error: message, failurePhase: phase, tools: [] });
    loaded.hooks = { before: [], after: [] };
    if (phase !== "manifest" && phase !== "factory") contractDiagnostics(loaded.plugin, []).forEach(push);
  }
  return loaded;
}
