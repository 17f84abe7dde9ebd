import type { EffectiveTool } from "../catalog/tool.js";
import type { CatalogDiagnostic } from "../catalog/types.js";
import type { McpServerConfig } from "../config/config.js";
import { messageOf } from "../errors.js";
import { ListCache } from "./cache.js";
import { McpConnection, type ServerFacts, UnavailableServer } from "./connection.js";
import { type ResolvedServer, resolveServer } from "./expand.js";
import { listServer } from "./listing.js";
import { safeServerNames, ToolNames } from "./names.js";
import { serverTools, unavailableServer } from "./tools.js";
import type { ConnectOptions, McpConnections, ServerListing, ServerState } from "./types.js";

/** A server's outcome, before names are handed out in declaration order. */
interface Outcome {
  serverName: string;
  safeServerName: string;
  config: McpServerConfig;
  connection?: McpConnection;
  listing?: ServerListing;
  cached?: boolean;
  reason?: string;
}

/**
 * The tools of all configured servers. With a cached list a server is started when one of its tools is
 * first called; without one it is started now, all at once, and asked for its list. A server that is late
 * or broken costs one diagnostic and stands in the result as unavailable. Never rejects.
 */
export async function connectServers(options: ConnectOptions): Promise<McpConnections> {
  const { servers, cacheDir, signal } = options;
  const cache = cacheDir === undefined ? undefined : new ListCache(cacheDir);
  const diagnostics: CatalogDiagnostic[] = [];
  const report = (diagnostic: CatalogDiagnostic): void => {
    diagnostics.push(diagnostic);
    options.onDiagnostic?.(diagnostic);
  };
  const connections: McpConnection[] = [];
  const background = new Set<Promise<void>>();
  let closed = false;
  const close = async (): Promise<void> => {
    closed = true;
    signal?.removeEventListener("abort", close);
    await Promise.all(connections.map((connection) => connection.close()));
    await Promise.all(background);
  };
  if (signal?.aborted) closed = true;
  signal?.addEventListener("abort", close, { once: true });

  const enabled = Object.entries(servers).filter(([, config]) => config.enabled !== false);
  const safeNames = safeServerNames(enabled.map(([name]) => name));
  const outcomes = await Promise.all(
    enabled.map(async ([serverName, config]): Promise<Outcome> => {
      const base = { serverName, safeServerName: safeNames.get(serverName) as string, config };
      try {
        const resolved = resolveServer(config, options.env ?? process.env, options.cwd ?? process.cwd());
        const kept = options.readCache === false ? undefined : await cache?.read(resolved);
        const connection = openConnection(resolved, serverName, kept);
        if (kept !== undefined) return { ...base, connection, listing: kept, cached: true };
        const started = Date.now();
        const facts = await connection.connect();
        const left = Math.max(500, options.startMs - (Date.now() - started));
        const listing = await listServer(connection, facts, left).catch((error: unknown) => {
          void connection.close();
          throw error;
        });
        keep(resolved, listing);
        return { ...base, connection, listing };
      } catch (error) {
        return { ...base, reason: error instanceof UnavailableServer ? error.reason : messageOf(error) };
      }
    }),
  );

  /** A connection that keeps the cached list true to what the server says once it runs. */
  function openConnection(
    resolved: ResolvedServer,
    serverName: string,
    kept: ServerListing | undefined,
  ): McpConnection {
    const connection: McpConnection = new McpConnection(resolved, {
      serverName,
      startMs: options.startMs,
      onLog: (line) => options.onLog?.(serverName, line),
      onReady: (facts) => {
        if (kept !== undefined) refresh(connection, resolved, facts);
      },
      onListChanged: (facts) => {
        refresh(connection, resolved, facts);
        options.onToolsChanged?.(serverName);
      },
    });
    connections.push(connection);
    if (closed) void connection.close();
    return connection;
  }

  function refresh(connection: McpConnection, resolved: ResolvedServer, facts: ServerFacts): void {
    if (cache === undefined) return;
    track(listServer(connection, facts, options.startMs).then((listing) => cache.write(resolved, listing)));
  }

  function keep(resolved: ResolvedServer, listing: ServerListing): void {
    if (cache !== undefined) track(cache.write(resolved, listing));
  }

  function track(work: Promise<void>): void {
    const settled: Promise<void> = work.catch(() => {}).finally(() => background.delete(settled));
    background.add(settled);
  }

  const names = new ToolNames();
  const tools = outcomes.flatMap((outcome) => toolsOf(outcome, names, options, report));
  const states = Object.entries(servers).map(
    ([serverName, config]): ServerState =>
      stateOf(
        serverName,
        config,
        outcomes.find((outcome) => outcome.serverName === serverName),
      ),
  );
  return { tools, diagnostics, servers: states, close };
}

function toolsOf(
  { serverName, safeServerName, connection, listing, reason }: Outcome,
  names: ToolNames,
  options: ConnectOptions,
  report: (diagnostic: CatalogDiagnostic) => void,
): EffectiveTool[] {
  const warn = (message: string): void => report({ level: "warning", owner: safeServerName, message });
  if (connection === undefined || listing === undefined) {
    warn(`MCP server ${JSON.stringify(serverName)} is left out: ${reason}`);
    return [unavailableServer(serverName, safeServerName, reason ?? "it was not started")];
  }
  if (listing.incomplete !== undefined) {
    warn(
      `the tool list of MCP server ${JSON.stringify(serverName)} is incomplete (${listing.tools.length} tools kept): ${listing.incomplete}`,
    );
  }
  const { requestTimeoutMs } = options;
  return serverTools(listing, connection, { serverName, safeServerName, names, requestTimeoutMs });
}

function stateOf(serverName: string, config: McpServerConfig, outcome: Outcome | undefined): ServerState {
  const { listing, reason } = outcome ?? {};
  const status =
    outcome === undefined
      ? "disabled"
      : listing === undefined
        ? "unavailable"
        : outcome.cached === true
          ? "cached"
          : "ready";
  return {
    serverName,
    safeServerName: outcome?.safeServerName ?? "",
    status,
    ...(reason === undefined ? {} : { reason }),
    transport: config.url === undefined ? "stdio" : "http",
    ...(listing === undefined ? {} : { server: listing.server }),
    ...(listing?.instructions === undefined ? {} : { instructions: listing.instructions }),
    toolCount: listing?.tools.length ?? 0,
    resources: listing?.resources ?? false,
    prompts: listing?.prompts ?? false,
  };
}
