import type { Command } from "commander";
import { statePaths } from "../../config/paths.js";
import type { ServerState } from "../../mcp/types.js";
import { renderTable } from "../../ui/table.js";
import { type CommandContext, examples } from "../command.js";
import { configuredServers, type ServerFlags, serverOptions, target, withServers } from "./servers.js";

export function configure(command: Command, context: CommandContext): void {
  const { reporter, env } = context;
  serverOptions(command).action(async (flags: ServerFlags) => {
    const asked = await configuredServers(flags, context);
    if (Object.keys(asked.servers).length === 0) {
      reporter.document({ servers: [], diagnostics: [] });
      reporter.print(`No MCP server is configured in ${statePaths(env).configFile}.`);
      reporter.note("Add one under mcp.servers, or pass --mcp <file>.");
      return;
    }
    await withServers(asked, flags, context, async ({ connections, servers }) => {
      const { servers: states, diagnostics } = connections;
      reporter.document({
        servers: states.map((state) => ({ ...state, target: target(servers[state.serverName] ?? {}) })),
        diagnostics,
      });
      reporter.print(
        renderTable(
          ["Server", "Status", "Tools", "Offers", "Reports", "Target"],
          states.map((state) => row(state, target(servers[state.serverName] ?? {}))),
        ),
      );
      for (const { message } of diagnostics) reporter.warn(message);
    });
  });
  examples(command, [
    "openclaw mcp list",
    "openclaw mcp list --mcp ./mcp.json --limit mcpStartMs=30000 --json",
  ]);
}

function row(state: ServerState, where: string): string[] {
  const offers = [...(state.resources ? ["resources"] : []), ...(state.prompts ? ["prompts"] : [])];
  return [
    state.serverName,
    state.status,
    state.status === "ready" ? String(state.toolCount) : "-",
    offers.join(", ") || "-",
    state.server === undefined ? "-" : `${state.server.name} ${state.server.version}`,
    where,
  ];
}
