import type { Command } from "commander";
import { buildCatalog } from "../../catalog/build.js";
import type { EffectiveTool } from "../../catalog/tool.js";
import type { Catalog, CatalogDiagnostic } from "../../catalog/types.js";
import { loadConfig, type OpenClawConfig } from "../../config/config.js";
import { statePaths } from "../../config/paths.js";
import { codeModeSettings } from "../../config/settings.js";
import { collectTools } from "../../toolset/collect.js";
import { type CommandContext, collect } from "../command.js";

/** Flags that decide which tools a catalog has. */
export interface CatalogFlags {
  plugin?: string[];
  mcp?: string[];
  allow?: string[];
  agent?: string;
  model?: string;
}

export interface LoadedCatalog {
  config: OpenClawConfig;
  catalog: Catalog;
  /** Before anything was left out of the catalog. */
  tools: readonly EffectiveTool[];
  /** What was left out or is odd, of plugins, servers and tools. Already told on stderr. */
  diagnostics: CatalogDiagnostic[];
}

export function catalogOptions(command: Command): Command {
  return command
    .option(
      "--plugin <dir|id>",
      "use this plugin; repeatable (default: every enabled installed plugin)",
      collect,
    )
    .option("--mcp <file>", 'MCP servers as {"mcpServers": {...}}; repeatable', collect)
    .option("--allow <tool>", "allow an optional tool; repeatable", collect);
}

/** Builds the catalog a cell would see under `flags`, hands it to `use`, and ends what was started for it. */
export async function withCatalog(
  flags: CatalogFlags,
  { reporter, env, cwd, signal }: CommandContext,
  use: (loaded: LoadedCatalog) => Promise<void> | void,
): Promise<void> {
  const paths = statePaths(env);
  const { config, warnings } = await loadConfig(paths);
  for (const warning of warnings) reporter.warn(warning);
  const scope = {
    ...(flags.agent === undefined ? {} : { agentId: flags.agent }),
    ...(flags.model === undefined ? {} : { model: flags.model }),
  };
  const { limits } = codeModeSettings(config, scope);
  const toolset = await collectTools({
    config,
    paths,
    cwd,
    env,
    plugins: flags.plugin ?? [],
    mcpFiles: flags.mcp ?? [],
    allow: flags.allow ?? [],
    mcpStartMs: limits.mcpStartMs,
    scope,
    signal,
    onWarning: ({ message }) => reporter.warn(message),
  });
  try {
    const catalog = buildCatalog(toolset.tools, limits);
    for (const { message } of catalog.diagnostics) reporter.warn(message);
    await use({
      config,
      catalog,
      tools: toolset.tools,
      diagnostics: [
        ...toolset.warnings.map(
          ({ owner, message }): CatalogDiagnostic => ({
            level: "warning",
            ...(owner === undefined ? {} : { owner }),
            message,
          }),
        ),
        ...catalog.diagnostics,
      ],
    });
  } finally {
    await toolset.close();
  }
}
