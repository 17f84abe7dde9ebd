import type { Command } from "commander";
import type { CatalogEntry } from "../../catalog/types.js";
import { applyToolPolicy } from "../../config/policy.js";
import { CommandFailure } from "../../errors.js";
import { nearest } from "../../text/nearest.js";
import { escapeUntrusted, escapeUntrustedLine } from "../../ui/escape.js";
import { type CommandContext, examples } from "../command.js";
import {
  type AskedServers,
  configuredServers,
  type ServerFlags,
  serverOptions,
  target,
  withServers,
} from "./servers.js";

export function configure(command: Command, context: CommandContext): void {
  command.argument("<server>", "name of the server as configured");
  serverOptions(command).action(async (name: string, flags: ServerFlags) => {
    const { config, servers } = await configuredServers(flags, context);
    const server = Object.hasOwn(servers, name) ? servers[name] : undefined;
    if (server === undefined) throw unknownServer(name, Object.keys(servers));
    // Asked for by name, a server is started also when runs leave it out.
    const only = { config, servers: { [name]: { ...server, enabled: true } } };
    await withServers(only, flags, context, async (asked) => {
      const state = asked.connections.servers[0];
      if (state?.status !== "ready") {
        throw new CommandFailure(
          "server_unavailable",
          `MCP server ${JSON.stringify(name)} is unavailable: ${state?.reason ?? "it did not start"}`,
          { hint: `It is configured as: ${target(server)}`, details: { server: state } },
        );
      }
      show(asked, name, server.enabled === false, context);
    });
  });
  examples(command, ["openclaw mcp inspect github", "openclaw mcp inspect files --mcp ./mcp.json --json"]);
}

function unknownServer(name: string, known: readonly string[]): CommandFailure {
  const [close] = nearest(name, known);
  return new CommandFailure("unknown_server", `no MCP server is called \`${name}\``, {
    hint:
      close !== undefined
        ? `Did you mean \`${close}\`?`
        : known.length === 0
          ? "None is configured: add one under mcp.servers, or pass --mcp <file>."
          : `Configured: ${known.join(", ")}.`,
  });
}

function show(
  { config, servers, connections, catalog }: AskedServers,
  name: string,
  disabled: boolean,
  { reporter }: CommandContext,
): void {
  const [state] = connections.servers;
  const entries = catalog.mcpEntries;
  const path = entries[0]?.apiPath;
  const declarations = path === undefined ? "" : catalog.readFile(path).content;
  const { removed } = applyToolPolicy(connections.tools, config);
  reporter.document({
    server: { ...state, disabled, target: target(servers[name] ?? {}) },
    tools: entries.map(describeTool),
    declarations,
    leftOut: removed.map(({ tool, reason }) => ({ toolName: tool.mcp?.toolName ?? tool.name, reason })),
    diagnostics: connections.diagnostics,
  });
  const { paint } = reporter;
  const reported = state?.server;
  reporter.print(
    escapeUntrustedLine(
      `${name}: ${reported?.name ?? "?"} ${reported?.version ?? ""}, ${state?.toolCount ?? 0} tools${disabled ? " (enabled: false, runs leave it out)" : ""}`,
    ),
  );
  if (state?.instructions !== undefined) {
    reporter.print(`\n${paint.bold("Instructions of the server")}\n${escapeUntrusted(state.instructions)}`);
  }
  if (declarations !== "") {
    reporter.print(`\n${paint.bold(`Declarations (${path})`)}\n${escapeUntrusted(declarations)}`);
  }
  for (const { tool, reason } of removed) {
    reporter.warn(`runs leave out ${tool.mcp?.toolName ?? tool.name}: ${reason}`);
  }
  for (const { message } of connections.diagnostics) reporter.warn(message);
}

function describeTool({ callableName, toolName, description, tool }: CatalogEntry): Record<string, unknown> {
  return {
    callableName,
    toolName,
    registeredName: tool.name,
    description,
    inputSchema: tool.parameters ?? {},
  };
}
