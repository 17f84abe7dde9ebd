import type { OpenClawConfig } from "../../config/config.js";
import { messageOf } from "../../errors.js";
import type { DiscoveredPlugin, LoadedPlugin, PluginDiagnostic } from "../types.js";
import { assembleTools, contractDiagnostics } from "./assemble-tools.js";
import { isRecord } from "./manifest.js";
import { checkPluginConfig, configuredFor } from "./plugin-config.js";
import { createRecordingApi, type Recording } from "./recording-api.js";
import { createToolContext, type LocalToolContext } from "./tool-context.js";

export interface LoadPluginOptions {
  config: OpenClawConfig;
  /** Imports an entry file and gives its plugin definition. */
  importEntry: (file: string, plugin: DiscoveredPlugin) => Promise<unknown>;
  /** Tool names and plugin ids whose optional tools are wanted, beside `tools.allow`. */
  allow?: readonly string[];
  /** What factories are told; a fresh local context by default. */
  toolContext?: LocalToolContext;
  /** `unnamed` runs only factories that registered no name. */
  factories?: "all" | "unnamed";
  /** Folder the plugin may keep state in. */
  stateDir?: string;
  /** Longest wait for an asynchronous `register`, in ms. */
  registerTimeoutMs?: number;
  /** Hears every diagnostic as it arises; the result carries them all the same. */
  onDiagnostic?: (diagnostic: PluginDiagnostic, plugin: DiscoveredPlugin) => void;
}

const REGISTER_TIMEOUT_MS = 15_000;
/** Of what a plugin logs while it registers, this much is kept. */
const MAX_LOG_LINES = 10;
const MAX_LOG_CHARACTERS = 300;

type Definition = Record<string, unknown>;

/** A definition's `register`, `activate`, or the definition itself when it is a function. */
function registerOf(definition: unknown): ((api: object) => unknown) | undefined {
  if (typeof definition === "function") return definition as (api: object) => unknown;
  if (!isRecord(definition)) return undefined;
  const register = definition.register ?? definition.activate;
  return typeof register === "function" ? (api) => register.call(definition, api) : undefined;
}

/** The schema settings are checked against: the manifest's, or a given plugin's own. */
function configSchemaOf(plugin: DiscoveredPlugin, definition: unknown): Record<string, unknown> | undefined {
  const own = isRecord(definition) ? (definition as Definition).configSchema : undefined;
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

async function register(definition: unknown, api: object, timeoutMs: number): Promise<void> {
  const run = registerOf(definition);
  if (run === undefined) {
    throw new Error("plugin entry exposes neither defineToolPlugin metadata nor a register function");
  }
  const made = await within(
    Promise.resolve().then(() => run(api)),
    timeoutMs,
    "register()",
  );
  // A function entry may be a factory of the definition instead of the registration itself.
  if (typeof definition === "function" && isRecord(made) && registerOf(made) !== undefined) {
    await within(
      Promise.resolve().then(() => registerOf(made)?.(api)),
      timeoutMs,
      "register()",
    );
  }
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
    return loaded;
  };
  plugin.diagnostics.forEach(push);
  if (plugin.error !== undefined) return fail("manifest", plugin.error);

  const definitions: unknown[] = [];
  try {
    for (const file of plugin.entries) definitions.push(await options.importEntry(file, plugin));
  } catch (error) {
    return fail("import", messageOf(error));
  }
  const first = definitions[0];
  if (plugin.origin === "given" && isRecord(first) && typeof first.id === "string" && first.id !== "") {
    loaded.plugin = { ...plugin, id: first.id };
  }

  const recording: Recording = { tools: [], hooks: loaded.hooks, registrations: {}, diagnostics: [] };
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
      await register(definition, api, options.registerTimeoutMs ?? REGISTER_TIMEOUT_MS);
    } catch (error) {
      Object.assign(loaded.registrations, own.registrations);
      contractDiagnostics(loaded.plugin, []).forEach(push);
      return fail("register", messageOf(error));
    }
    recording.tools.push(...own.tools);
    loaded.hooks.before.push(...own.hooks.before);
    loaded.hooks.after.push(...own.hooks.after);
    for (const [kind, count] of Object.entries(own.registrations)) {
      loaded.registrations[kind] = (loaded.registrations[kind] ?? 0) + count;
    }
  }

  const assembled = await assembleTools(recording.tools, {
    plugin: loaded.plugin,
    config: options.config,
    allow: options.allow ?? [],
    toolContext: options.toolContext ?? createToolContext({ config: options.config }),
    factories: options.factories ?? "all",
  });
  loaded.tools = assembled.tools;
  loaded.registered = assembled.registered;
  assembled.diagnostics.forEach(push);
  contractDiagnostics(loaded.plugin, assembled.registered).forEach(push);
  if (assembled.failures.length > 0 && assembled.failures.length === recording.tools.length) {
    return fail("factory", assembled.failures.join("; "));
  }
  return loaded;
}
