import type { Command } from "commander";
import type { EffectiveTool } from "../../catalog/tool.js";
import type { Catalog, CatalogDiagnostic } from "../../catalog/types.js";
import type { McpServerConfig, OpenClawConfig } from "../../config/config.js";
import type { CodeModeLimits } from "../../config/limits.js";
import type { CodeModeSettings } from "../../config/settings.js";
import { setUpRun } from "../../toolset/setup.js";
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
  settings: CodeModeSettings;
  limits: CodeModeLimits;
  /** Servers by name, for what must not be shown of them. */
  servers: Record<string, McpServerConfig>;
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
  const { config, catalog, settings, limits, toolset, diagnostics } = await setUpRun({
    cwd,
    env,
    signal,
    plugins: flags.plugin,
    mcpFiles: flags.mcp,
    allow: flags.allow,
    agentId: flags.agent,
    model: flags.model,
    onWarning: (line) => reporter.warn(line),
  });
  try {
    const { tools, servers } = toolset;
    await use({ config, catalog, settings, limits, servers, tools, diagnostics });
  } finally {
    await toolset.close();
  }
}
