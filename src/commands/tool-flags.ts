import type { Command } from "commander";
import type { SetupOptions } from "../toolset/setup.js";
import { type CommandContext, collect } from "./command.js";

/** Flags that decide which tools there are. */
export interface ToolFlags {
  plugin?: string[];
  mcp?: string[];
  allow?: string[];
}

export function toolOptions(command: Command): Command {
  return command
    .option(
      "--plugin <dir|id>",
      "use this plugin; repeatable (default: every enabled installed plugin)",
      collect,
    )
    .option("--mcp <file>", 'MCP servers as {"mcpServers": {...}}; repeatable', collect)
    .option("--allow <tool>", "allow an optional tool; repeatable", collect);
}

/** What these flags ask of a run. */
export function setupFor(
  { plugin, mcp, allow }: ToolFlags,
  { cwd, env, signal, reporter }: CommandContext,
): SetupOptions {
  return {
    cwd,
    env,
    signal,
    plugins: plugin,
    mcpFiles: mcp,
    allow,
    onWarning: (line) => reporter.warn(line),
  };
}
