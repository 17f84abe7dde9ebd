import { buildCatalog } from "../catalog/build.js";
import type { Catalog, CatalogDiagnostic } from "../catalog/types.js";
import { loadConfig, type OpenClawConfig } from "../config/config.js";
import type { CodeModeLimits } from "../config/limits.js";
import { type StatePaths, statePaths } from "../config/paths.js";
import { type CodeModeSettings, codeModeSettings } from "../config/settings.js";
import { collectTools, type Toolset } from "./collect.js";

export interface SetupOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** `--plugin`, `--mcp` and `--allow` values. */
  plugins?: readonly string[] | undefined;
  mcpFiles?: readonly string[] | undefined;
  allow?: readonly string[] | undefined;
  /** Agent and model whose settings and policy apply. */
  agentId?: string | undefined;
  model?: string | undefined;
  /** Limits of the run from the configured ones; those of the configuration by default. */
  limits?: (settings: CodeModeSettings) => CodeModeLimits;
  /** Lines that MCP servers print beside the protocol. */
  onServerLog?: (serverName: string, line: string) => void;
  /** A connected server says that its tools changed. */
  onToolsChanged?: (serverName: string) => void;
  /** One line each: what is odd or was left out. */
  onWarning: (line: string) => void;
}

/** Everything between an environment and a session: configuration, limits, tools and their catalog. */
export interface RunSetup {
  paths: StatePaths;
  config: OpenClawConfig;
  settings: CodeModeSettings;
  limits: CodeModeLimits;
  toolset: Toolset;
  catalog: Catalog;
  /** What was left out or is odd, of plugins, servers and tools; already told through `onWarning`. */
  diagnostics: CatalogDiagnostic[];
}

/**
 * Loads the configuration, the plugins and servers of a run and builds its catalog. The caller closes `toolset`.
 * @throws CommandFailure for an invalid configuration, or for a plugin, agent or MCP file that does not exist
 */
export async function setUpRun(options: SetupOptions): Promise<RunSetup> {
  const paths = statePaths(options.env);
  const { config, warnings } = await loadConfig(paths);
  warnings.forEach(options.onWarning);
  const scope = {
    ...(options.agentId === undefined ? {} : { agentId: options.agentId }),
    ...(options.model === undefined ? {} : { model: options.model }),
  };
  const settings = codeModeSettings(config, scope);
  const limits = options.limits?.(settings) ?? settings.limits;
  const toolset = await collectTools({
    config,
    paths,
    cwd: options.cwd,
    env: options.env,
    plugins: options.plugins ?? [],
    mcpFiles: options.mcpFiles ?? [],
    allow: options.allow ?? [],
    mcpStartMs: limits.mcpStartMs,
    scope,
    signal: options.signal,
    ...(options.onServerLog === undefined ? {} : { onServerLog: options.onServerLog }),
    ...(options.onToolsChanged === undefined ? {} : { onToolsChanged: options.onToolsChanged }),
    onWarning: ({ message }) => options.onWarning(message),
  });
  const catalog = buildCatalog(toolset.tools, limits);
  for (const { message } of catalog.diagnostics) options.onWarning(message);
  const leftOut = toolset.warnings.map(
    ({ owner, message }): CatalogDiagnostic => ({
      level: "warning",
      ...(owner === undefined ? {} : { owner }),
      message,
    }),
  );
  return {
    paths,
    config,
    settings,
    limits,
    toolset,
    catalog,
    diagnostics: [...leftOut, ...catalog.diagnostics],
  };
}
