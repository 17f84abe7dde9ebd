import type { EffectiveTool } from "../catalog/tool.js";
import type { CatalogDiagnostic } from "../catalog/types.js";
import type { McpServerConfig } from "../config/config.js";

export interface ConnectOptions {
  /** By the user's name, in declaration order. */
  servers: Readonly<Record<string, McpServerConfig>>;
  /** How long a server may take to start and to list its tools, in ms. */
  startMs: number;
  /** How long one request may take, in ms; without it only the signal of the call ends it. */
  requestTimeoutMs?: number | undefined;
  /** Aborting closes every connection. */
  signal?: AbortSignal | undefined;
  /** Where tool lists are kept between runs; without it every server is started to be asked. */
  cacheDir?: string | undefined;
  /** `false` asks every server afresh and only writes the cache. */
  readCache?: boolean | undefined;
  env?: NodeJS.ProcessEnv | undefined;
  /** Working directory of servers that name none. */
  cwd?: string | undefined;
  /** Hears of each problem when it is known; all are in the result too. */
  onDiagnostic?: ((diagnostic: CatalogDiagnostic) => void) | undefined;
  /** Lines servers write to stderr, and what they print to stdout beside the protocol. */
  onLog?: ((serverName: string, line: string) => void) | undefined;
  /** A connected server says that its tools changed; the next run sees the new list. */
  onToolsChanged?: ((serverName: string) => void) | undefined;
}

/** One configured server, for `mcp list` and `mcp inspect`. */
export interface ServerState {
  serverName: string;
  safeServerName: string;
  status: "ready" | "cached" | "unavailable" | "disabled";
  /** Why it is unavailable. */
  reason?: string;
  transport: "stdio" | "http";
  /** As the server reports itself. */
  server?: { name: string; version: string; title?: string };
  instructions?: string;
  toolCount: number;
  resources: boolean;
  prompts: boolean;
}

export interface McpConnections {
  /** Tools and resource and prompt operations of every server, ready to be called. */
  tools: EffectiveTool[];
  diagnostics: CatalogDiagnostic[];
  servers: ServerState[];
  /** Cancels what is in flight and ends every server; never rejects. */
  close(): Promise<void>;
}

/** What a server offers, as it is cached: only claims of the server itself. */
export interface ServerListing {
  server: { name: string; version: string; title?: string };
  instructions?: string;
  resources: boolean;
  prompts: boolean;
  tools: ListedTool[];
  /** Set when a cap ended the listing: what it was. */
  incomplete?: string;
}

export interface ListedTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema?: unknown;
}
