import type { OpenClawConfig } from "../../config/config.js";
import { CommandFailure, messageOf } from "../../errors.js";
import type { DiscoveredPlugin, LoadedPlugin, PluginDiagnostic } from "../types.js";
import { type Assembled, assembleTools, contractDiagnostics } from "./assemble-tools.js";
import { definitionOf, registerOf } from "./definition.js";
import { IMPORT_TIMEOUT_MS, importEntry } from "./entry.js";
import { isRecord } from "./manifest.js";
import { checkPluginConfig, configuredFor } from "./plugin-config.js";
import { createRecordingApi, type RegisteredTool } from "./recording-api.js";
import { runPluginCode } from "./run-plugin-code.js";
import { createToolContext, type LocalToolContext } from "./tool-context.js";
import { withWatchdog } from "./watchdog.js";

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

/** How long the watchdog leaves a promise that the softer timer should have ended first, in ms. */
const WATCHDOG_LEAD_MS = 500;
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

async function within<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`${what} did not finish within ${ms / 1000} s`)), ms);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs code of a plugin that should be quick: a promise that stays open fails this plugin, a loop that
 * holds the thread can only be ended with the process.
 */
function guarded<T>(
  pluginId: string,
  what: string,
  timeoutMs: number,
  code: () => T | Promise<T>,
): Promise<T> {
  const message = `plugin ${pluginId}: ${what} did not finish within ${timeoutMs / 1000} s`;
  const hint = "Something it runs loops; move that work into a tool.";
  return withWatchdog(
    { code: "plugin_timeout", message, hint, timeoutMs: timeoutMs + WATCHDOG_LEAD_MS },
    () => within(runPluginCode({ plugin: pluginId }, code), timeoutMs, what),
  );
}

async function register(definition: unknown, api: object): Promise<void> {
  const run = registerOf(definition);
  if (run === undefined) {
    throw new Error("plugin entry exposes neither defineToolPlugin metadata nor a register function");
  }
  const made = await run(api);
  // A function entry may be a factory of the definition instead of the registration itself.
  if (typeof definition === "function" && isRecord(made)) await registerOf(made)?.(api);
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

/** Keeps the first lines a plugin logs while registering: often the only reason why it registered nothing. */
function createLogKeeper(push: (diagnostic: PluginDiagnostic) => void) {
  let kept = 0;
  return (level: "debug" | "info" | "warn" | "error", message: string): void => {
    if (level === "debug" || level === "info" || kept >= MAX_LOG_LINES) return;
    kept += 1;
    push({ level: "info", message: `logs while registering: ${message.slice(0, MAX_LOG_CHARACTERS)}` });
  };
}

/**
 * Imports a plugin's entries, checks its settings, runs `register(api)` against the recording API and
 * makes its tools. Never throws for anything the plugin does wrong: that is `status: "error"` with
 * the phase and the reason, so that other plugins go on.
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
  const fail = (phase: NonNullable<LoadedPlugin["failurePhase"]>, error: string): LoadedPlugin => {
    Object.assign(loaded, { status: "error", error, failurePhase: phase, tools: [] });
    loaded.hooks = { before: [], after: [] };
    if (phase === "import" || phase === "config" || phase === "register") {
      contractDiagnostics(loaded.plugin, []).forEach(push);
    }
    return loaded;
  };
  plugin.diagnostics.forEach(push);
  if (plugin.error !== undefined) return fail("manifest", plugin.error);

  const timeoutMs = options.timeoutMs ?? IMPORT_TIMEOUT_MS;
  const definitions: unknown[] = [];
  try {
    for (const file of plugin.entries) {
      const { namespace } = await importEntry({ file, rootDir: plugin.rootDir, timeoutMs });
      definitions.push(definitionOf(namespace));
    }
  } catch (error) {
    return fail("import", reasonOf(error));
  }
  const first = definitions[0];
  if (plugin.origin === "given" && isRecord(first) && typeof first.id === "string" && first.id !== "") {
    loaded.plugin = { ...plugin, id: first.id };
  }

  const tools: RegisteredTool[] = [];
  for (const definition of definitions) {
    const schema = configSchemaOf(plugin, definition);
    const configured = configuredFor(loaded.plugin.id, options.config);
    const checked =
      schema === undefined
        ? { ok: true as const, config: isRecord(configured) ? structuredClone(configured) : {} }
        : await checkPluginConfig(loaded.plugin.id, schema, configured);
    if (!checked.ok) return fail("config", checked.problems.join("; "));
    const { api, recording: own } = createRecordingApi({
      plugin: loaded.plugin,
      config: options.config,
      pluginConfig: checked.config,
      stateDir: options.stateDir ?? plugin.rootDir,
      log: createLogKeeper(push),
    });
    try {
      await guarded(loaded.plugin.id, "register()", timeoutMs, () => register(definition, api));
    } catch (error) {
      Object.assign(loaded.registrations, own.registrations);
      return fail("register", reasonOf(error));
    }
    tools.push(...own.tools);
    loaded.hooks.before.push(...own.hooks.before);
    loaded.hooks.after.push(...own.hooks.after);
    for (const [kind, count] of Object.entries(own.registrations)) {
      loaded.registrations[kind] = (loaded.registrations[kind] ?? 0) + count;
    }
  }

  const assemble = () =>
    assembleTools(tools, {
      plugin: loaded.plugin,
      config: options.config,
      allow: options.allow ?? [],
      toolContext: options.toolContext ?? createToolContext({ config: options.config }),
      factories: options.factories ?? "all",
    });
  let assembled: Assembled;
  try {
    const quick = tools.every(({ kind }) => kind === "tool");
    assembled = await (quick ? assemble() : guarded(loaded.plugin.id, "its factories", timeoutMs, assemble));
  } catch (error) {
    return fail("factory", reasonOf(error));
  }
  loaded.tools = assembled.tools;
  loaded.registered = assembled.registered;
  assembled.diagnostics.forEach(push);
  contractDiagnostics(loaded.plugin, assembled.registered).forEach(push);
  if (assembled.failures.length > 0 && assembled.failures.length === tools.length) {
    return fail("factory", assembled.failures.join("; "));
  }
  return loaded;
}
