import type { EffectiveTool } from "../../catalog/tool.js";
import type { Catalog, CatalogDiagnostic } from "../../catalog/types.js";
import type { McpServerConfig, OpenClawConfig } from "../../config/config.js";
import type { CodeModeLimits } from "../../config/limits.js";
import type { CodeModeSettings } from "../../config/settings.js";
import { setUpRun } from "../../toolset/setup.js";
import type { CommandContext } from "../command.js";
import { setupFor, type ToolFlags } from "../tool-flags.js";

/** Flags that decide which tools a catalog has. */
export interface CatalogFlags extends ToolFlags {
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

/** Builds the catalog a cell would see under `flags`, hands it to `use`, and ends what was started for it. */
export async function withCatalog(
  flags: CatalogFlags,
  context: CommandContext,
  use: (loaded: LoadedCatalog) => Promise<void> | void,
): Promise<void> {
  const { config, catalog, settings, limits, toolset, diagnostics } = await setUpRun({
    ...setupFor(flags, context),
    agentId: flags.agent,
    model: flags.model,
  });
  try {
    const { tools, servers } = toolset;
    await use({ config, catalog, settings, limits, servers, tools, diagnostics });
  } finally {
    await toolset.close();
  }
}
