import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { ToolHooks } from "../catalog/hooks.js";
import type { EffectiveTool } from "../catalog/tool.js";
import type { McpServerConfig, OpenClawConfig } from "../config/config.js";
import type { StatePaths } from "../config/paths.js";
import { CommandFailure } from "../errors.js";
import type { McpConnections } from "../mcp/types.js";
import type { DiscoveredPlugin, LoadedPlugin } from "../plugin/types.js";
import { nearest } from "../text/nearest.js";
import { createRedactor, type Redactor } from "../text/redact.js";

export interface ToolsetOptions {
  config: OpenClawConfig;
  paths: StatePaths;
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** `--plugin` values: folders or ids. Empty means every enabled installed plugin. */
  plugins: readonly string[];
  /** `--mcp` files, read in order; later ones win over earlier and configured ones of the same name. */
  mcpFiles: readonly string[];
  /** Optional tools allowed for this run beside `tools.allow`. */
  allow: readonly string[];
  /** How long MCP servers may take to start, ms. */
  mcpStartMs: number;
  /** Agent and model whose policy applies. */
  scope?: { agentId?: string; model?: string };
  signal: AbortSignal;
  /** Lines that MCP servers print beside the protocol. */
  onServerLog?: (serverName: string, line: string) => void;
  /** A connected server says that its tools changed. */
  onToolsChanged?: (serverName: string) => void;
  /** One line each, as it happens. */
  onWarning: (warning: ToolsetWarning) => void;
}

/** Something left out or odd; never a reason to fail the run. */
export interface ToolsetWarning {
  /** Plugin id or MCP server name. */
  owner?: string;
  kind: "plugin" | "mcp" | "config";
  message: string;
}

/** What a run can call, and what must be ended with it. */
export interface Toolset {
  tools: EffectiveTool[];
  hooks: ToolHooks;
  plugins: LoadedPlugin[];
  /** Configured servers and those of `--mcp` files, by name. */
  servers: Record<string, McpServerConfig>;
  warnings: ToolsetWarning[];
  /** Ends MCP servers; idempotent. */
  close(): Promise<void>;
}

async function chooseServers(options: ToolsetOptions): Promise<Record<string, McpServerConfig>> {
  const servers = { ...options.config.mcp?.servers };
  if (options.mcpFiles.length > 0) {
    const { readMcpFile } = await import("../mcp/read-file.js");
    for (const file of options.mcpFiles)
      Object.assign(servers, await readMcpFile(resolve(options.cwd, file)));
  }
  return servers;
}

async function connectMcp(
  options: ToolsetOptions,
  servers: Record<string, McpServerConfig>,
  warn: (warning: ToolsetWarning) => void,
): Promise<McpConnections | undefined> {
  if (Object.values(servers).every(({ enabled }) => enabled === false)) return undefined;
  const { connectServers } = await import("../mcp/connect.js");
  return connectServers({
    servers,
    startMs: options.mcpStartMs,
    signal: options.signal,
    cacheDir: options.paths.mcpCacheDir,
    env: options.env,
    cwd: options.cwd,
    onLog: options.onServerLog,
    onToolsChanged: options.onToolsChanged,
    onDiagnostic: ({ owner, message }) =>
      warn({ kind: "mcp", ...(owner === undefined ? {} : { owner }), message }),
  });
}

function looksLikePath(value: string, cwd: string): boolean {
  return /^[.~]|[\\/]/.test(value) || existsSync(resolve(cwd, value));
}

async function choosePlugins(options: ToolsetOptions): Promise<DiscoveredPlugin[]> {
  const { discoverPlugins } = await import("../plugin/load/discover.js");
  if (options.plugins.length === 0) {
    return (await discoverPlugins(options)).filter((plugin) => plugin.enabled);
  }
  const chosen = new Map<string, DiscoveredPlugin>();
  let installed: DiscoveredPlugin[] | undefined;
  for (const value of options.plugins) {
    if (looksLikePath(value, options.cwd)) {
      const { discoverGiven } = await import("../plugin/load/given.js");
      const plugin = await discoverGiven(resolve(options.cwd, value));
      chosen.set(plugin.id, plugin);
      continue;
    }
    installed ??= await discoverPlugins(options);
    const plugin = installed.find(({ id }) => id === value);
    if (plugin === undefined) {
      const [close] = nearest(
        value,
        installed.map(({ id }) => id),
      );
      throw new CommandFailure(
        "plugin_not_found",
        `no plugin is called \`${value}\` and no folder has that name`,
        {
          hint:
            close === undefined
              ? "`openclaw plugins list` shows what is installed."
              : `Did you mean \`${close}\`?`,
        },
      );
    }
    if (!chosen.has(plugin.id)) chosen.set(plugin.id, plugin);
  }
  return [...chosen.values()];
}

/** The first lines a user needs of a plugin: why it is out, or what is odd about it. */
function warningsOf({ plugin, status, error, diagnostics }: LoadedPlugin): ToolsetWarning[] {
  const warning = (message: string): ToolsetWarning => ({ kind: "plugin", owner: plugin.id, message });
  if (status === "error")
    return [warning(`plugin ${plugin.id} is left out: ${error ?? "it failed to load"}`)];
  return diagnostics
    .filter(({ level }) => level !== "info" || plugin.origin === "given")
    .map(({ message, fix }) =>
      warning(`plugin ${plugin.id}: ${message}${fix === undefined ? "" : ` (${fix})`}`),
    );
}

async function loadPlugins(options: ToolsetOptions): Promise<LoadedPlugin[]> {
  const chosen = await choosePlugins(options);
  if (chosen.length === 0) return [];
  const [{ loadPlugin }, { createToolContext }] = await Promise.all([
    import("../plugin/load/load-plugin.js"),
    import("../plugin/load/tool-context.js"),
  ]);
  const toolContext = createToolContext({
    config: options.config,
    workspaceDir: options.cwd,
    signal: options.signal,
  });
  const loaded: LoadedPlugin[] = [];
  // Policy decides below which optional tools stay, with the agent and model of the run in view.
  // One after the other: an entry that hangs or exits must be known by name.
  for (const plugin of chosen) {
    loaded.push(await loadPlugin(plugin, { config: options.config, allow: "all", toolContext }));
  }
  return loaded;
}

/**
 * Everything a run can call: tools of the chosen plugins and of the MCP servers, after policy. Plugins that fail and
 * servers that do not answer are left out with a warning.
 * @throws CommandFailure for a plugin or MCP file that was named but does not exist
 */
export async function collectTools(options: ToolsetOptions): Promise<Toolset> {
  const warnings: ToolsetWarning[] = [];
  const servers = await chooseServers(options);
  let redact: Redactor | undefined;
  const warn = (warning: ToolsetWarning): void => {
    // What servers, plugins and libraries say of a failure may quote the settings they were given.
    redact ??= createRedactor(options.env, [options.config, servers]);
    const shown = { ...warning, message: redact(warning.message) };
    warnings.push(shown);
    options.onWarning(shown);
  };
  // Servers start while plugins load; a plugin that cannot be found must not leave them behind.
  const connecting = connectMcp(options, servers, warn);
  const plugins = await loadPlugins(options).catch(async (error: unknown) => {
    await (await connecting)?.close();
    throw error;
  });
  for (const plugin of plugins) warningsOf(plugin).forEach(warn);
  const connections = await connecting;
  const all: EffectiveTool[] = [...plugins.flatMap(({ tools }) => tools), ...(connections?.tools ?? [])];
  const { applyToolPolicy } = await import("../config/policy.js");
  const { tools, removed, unmatched } = applyToolPolicy(all, options.config, {
    ...options.scope,
    allow: options.allow,
  });
  for (const { entry, from, close } of unmatched) {
    if (from !== "--allow" && close === undefined) continue;
    const hint = close === undefined ? "" : `; did you mean ${close}?`;
    warn({ kind: "config", message: `${from} names ${entry}, which no tool of this run matches${hint}` });
  }
  // Who names a plugin wants its tools, and would look for the fault in the plugin.
  for (const { tool, reason } of removed) {
    const given = plugins.some(({ plugin }) => plugin.origin === "given" && plugin.id === tool.owner);
    if (given && tool.optional !== true) {
      warn({ kind: "config", owner: tool.owner, message: `${tool.name} is left out: ${reason}` });
    }
  }
  return {
    tools,
    hooks: {
      before: plugins.flatMap(({ hooks }) => hooks.before),
      after: plugins.flatMap(({ hooks }) => hooks.after),
    },
    plugins,
    servers,
    warnings,
    close: async () => connections?.close(),
  };
}
