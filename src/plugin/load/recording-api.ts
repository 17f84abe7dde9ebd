import { isAbsolute, resolve } from "node:path";
import type { ToolHooks } from "../../catalog/hooks.js";
import type { OpenClawConfig } from "../../config/config.js";
import { version as toolchainVersion } from "../../version.js";
import type { DiscoveredPlugin, PluginDiagnostic } from "../types.js";
import { createHookRecorder } from "./hook-recorder.js";
import { isRecord } from "./manifest.js";
import { partlyAvailable, recorder } from "./unavailable.js";

/** One `api.registerTool` call, its shape checked but nothing of it run. */
export interface RegisteredTool {
  /** A finished tool, or what makes one from the tool context. */
  kind: "tool" | "factory";
  tool?: Record<string, unknown>;
  create?: (context: unknown) => unknown;
  /** 2 for `{contextVersion: 2, create}`. */
  contextVersion: 1 | 2;
  /** Names given beside it or on the tool; empty when only the factory knows. */
  names: string[];
  optional: boolean;
}

export interface Recording {
  tools: RegisteredTool[];
  hooks: ToolHooks;
  /** Every registration by kind: `tool`, `hook`, `provider`, ... */
  registrations: Record<string, number>;
  diagnostics: PluginDiagnostic[];
}

export interface RecordingApiOptions {
  plugin: DiscoveredPlugin;
  config: OpenClawConfig;
  pluginConfig: Record<string, unknown>;
  stateDir: string;
  /** Hears what the plugin logs. */
  log: (level: "debug" | "info" | "warn" | "error", message: string) => void;
}

function namesOf(tool: unknown, options: unknown): string[] {
  const names = new Set<string>();
  const add = (name: unknown): void => {
    if (typeof name === "string" && name !== "") names.add(name);
  };
  if (isRecord(tool)) add(tool.name);
  if (isRecord(options)) {
    add(options.name);
    if (Array.isArray(options.names)) options.names.forEach(add);
  }
  return [...names];
}

/** Throws, as the real host does, for a registration that can never become a tool. */
function toRegisteredTool(tool: unknown, options: unknown): RegisteredTool {
  const shared = { names: namesOf(tool, options), optional: isRecord(options) && options.optional === true };
  if (typeof tool === "function") {
    return { kind: "factory", create: tool as (context: unknown) => unknown, contextVersion: 1, ...shared };
  }
  if (!isRecord(tool)) throw new TypeError("registerTool needs a tool object or a factory");
  if ("contextVersion" in tool) {
    const { create } = tool;
    if (tool.contextVersion !== 2 || typeof create !== "function") {
      throw new TypeError("registerTool knows {contextVersion: 2, create(context)} and no other version");
    }
    return { kind: "factory", create: (context) => create.call(tool, context), contextVersion: 2, ...shared };
  }
  return { kind: "tool", tool, contextVersion: 1, ...shared };
}

/** `registerHttpRoute` → `httpRoute`; other paths stay as they are. */
function kindOf(path: string): string {
  const rest = /^register(?=[A-Z])(.+)$/.exec(path)?.[1];
  return rest === undefined ? path : rest.charAt(0).toLowerCase() + rest.slice(1);
}

function createLogger(log: RecordingApiOptions["log"], prefix = ""): Record<string, unknown> {
  const at =
    (level: "debug" | "info" | "warn" | "error") =>
    (...parts: unknown[]): void =>
      log(
        level,
        prefix + parts.map((part) => (part instanceof Error ? part.message : String(part))).join(" "),
      );
  return {
    trace: at("debug"),
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    fatal: at("error"),
    child: (): unknown => createLogger(log, prefix),
  };
}

function createRuntime(options: RecordingApiOptions, logger: unknown): object {
  const { config, plugin } = options;
  const known = {
    version: toolchainVersion,
    config: partlyAvailable(
      { loadConfig: () => config, current: () => config },
      "api.runtime.config",
      plugin.id,
    ),
    logging: partlyAvailable(
      { shouldLogVerbose: () => false, getChildLogger: () => logger },
      "api.runtime.logging",
      plugin.id,
    ),
    state: partlyAvailable({ resolveStateDir: () => options.stateDir }, "api.runtime.state", plugin.id),
  };
  return partlyAvailable(known, "api.runtime", plugin.id);
}

/**
 * What `register(api)` gets: the tool and hook registrations are kept, every other registration is
 * counted by kind, whether this toolchain knows it or not, so that a plugin written for the whole host
 * registers here too. Host services under `api.runtime` fail only when they are called.
 */
export function createRecordingApi(options: RecordingApiOptions): { api: object; recording: Recording } {
  const { plugin, config } = options;
  const recording: Recording = {
    tools: [],
    hooks: { before: [], after: [] },
    registrations: Object.create(null) as Record<string, number>,
    diagnostics: [],
  };
  const count = (kind: string): void => {
    recording.registrations[kind] = (recording.registrations[kind] ?? 0) + 1;
  };
  const logger = createLogger(options.log);
  const hooks = createHookRecorder(recording);
  const manifest = plugin.manifest;
  const known: Record<string, unknown> = {
    id: plugin.id,
    name: manifest?.name ?? plugin.id,
    version: manifest?.version,
    description: manifest?.description,
    source: plugin.entries[0] ?? plugin.rootDir,
    rootDir: plugin.rootDir,
    registrationMode: "full",
    config,
    pluginConfig: options.pluginConfig,
    logger,
    runtime: createRuntime(options, logger),
    resolvePath: (path: string): string => (isAbsolute(path) ? path : resolve(plugin.rootDir, path)),
    registerTool: (tool: unknown, toolOptions?: unknown): void => {
      recording.tools.push(toRegisteredTool(tool, toolOptions));
      count("tool");
    },
    registerHook: (events: unknown, handler: unknown, hookOptions?: unknown): void => {
      hooks.add(events, handler, hookOptions);
      count("hook");
    },
    on: (event: unknown, handler: unknown, hookOptions?: unknown): void => {
      hooks.add(event, handler, hookOptions);
      count("hook");
    },
  };
  const api = new Proxy(known, {
    get: (target, name) => {
      if (typeof name === "symbol" || Object.hasOwn(target, name)) return Reflect.get(target, name);
      // A thenable api would be awaited away; object basics behave as on any object.
      if (name === "then" || name === "toJSON" || name in Object.prototype) return Reflect.get(target, name);
      return recorder(name, (path) => count(kindOf(path)));
    },
    has: (target, name) =>
      Reflect.has(target, name) || (typeof name === "string" && name.startsWith("register")),
  });
  return { api, recording };
}
