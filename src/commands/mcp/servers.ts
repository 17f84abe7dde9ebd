import type { Command } from "commander";
import type { Catalog } from "../../catalog/types.js";
import { loadConfig, type McpServerConfig, type OpenClawConfig } from "../../config/config.js";
import { statePaths } from "../../config/paths.js";
import { codeModeSettings } from "../../config/settings.js";
import { debugFlags } from "../../debug/flags.js";
import type { McpConnections } from "../../mcp/types.js";
import { createRedactor } from "../../text/redact.js";
import { type CommandContext, collect } from "../command.js";
import { limitsFromFlags } from "../limit-flags.js";

export interface ServerFlags {
  mcp?: string[];
  limit?: string[];
}

export interface AskedServers {
  config: OpenClawConfig;
  servers: Record<string, McpServerConfig>;
  connections: McpConnections;
  catalog: Catalog;
}

export function serverOptions(command: Command): Command {
  return command
    .option("--mcp <file>", 'servers of this file too, as {"mcpServers": {...}}; repeatable', collect)
    .option("--limit <name=value>", "set a limit, as in mcpStartMs=30000; repeatable", collect)
    .option("--json", "print one JSON document");
}

/** The configured servers with those of `--mcp` files, not started. */
export async function configuredServers(
  flags: ServerFlags,
  { reporter, env, cwd }: CommandContext,
): Promise<{ config: OpenClawConfig; servers: Record<string, McpServerConfig> }> {
  const { config, warnings } = await loadConfig(statePaths(env));
  for (const warning of warnings) reporter.warn(warning);
  const servers = { ...config.mcp?.servers };
  const [{ readMcpFile }, { resolve }] = await Promise.all([
    import("../../mcp/read-file.js"),
    import("node:path"),
  ]);
  for (const file of flags.mcp ?? []) Object.assign(servers, await readMcpFile(resolve(cwd, file)));
  return { config, servers };
}

/** Starts these servers, asks each for its tools, and ends them when `use` is done. */
export async function withServers<T>(
  asked: { config: OpenClawConfig; servers: Record<string, McpServerConfig> },
  flags: ServerFlags,
  context: CommandContext,
  use: (asked: AskedServers) => Promise<T>,
): Promise<T> {
  const { reporter, env, cwd, signal } = context;
  const limits = limitsFromFlags(codeModeSettings(asked.config).limitSettings, flags.limit, reporter);
  const [{ connectServers }, { buildCatalog }, { startProgress }] = await Promise.all([
    import("../../mcp/connect.js"),
    import("../../catalog/build.js"),
    import("../../ui/progress.js"),
  ]);
  const count = Object.keys(asked.servers).length;
  const progress = await startProgress(reporter, `Starting ${count} MCP server${count === 1 ? "" : "s"}`);
  const debugging = debugFlags(env).codeMode;
  const redact = debugging ? createRedactor(env, [asked.config, asked.servers]) : String;
  const connections = await connectServers({
    servers: asked.servers,
    startMs: limits.mcpStartMs,
    signal,
    env,
    cwd,
    cacheDir: statePaths(env).mcpCacheDir,
    // What is shown is what the servers say now, and the next run may rely on it.
    readCache: false,
    ...(debugging
      ? { onLog: (server: string, line: string) => reporter.note(redact(`[mcp ${server}] ${line}`)) }
      : {}),
  });
  progress.done();
  try {
    signal.throwIfAborted();
    const catalog = buildCatalog(connections.tools, limits);
    return await use({ ...asked, connections, catalog });
  } finally {
    await connections.close();
  }
}

/** What the configuration says to start or to reach, placeholders as they are written. */
export function target(config: McpServerConfig): string {
  return config.url ?? [config.command, ...(config.args ?? [])].join(" ");
}
