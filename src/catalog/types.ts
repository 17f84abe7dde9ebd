import type { EffectiveTool, McpOperation, ToolSource } from "./tool.js";

/** A tool with everything a cell can learn of it without its full schema. */
export interface CatalogEntry {
  id: string;
  tool: EffectiveTool;
  /** Final name: a bare global for native and client tools, `MCP.<server>.<method>` for MCP tools. */
  callableName: string;
  toolName: string;
  label?: string;
  description: string;
  source: ToolSource;
  /** Compact input hint; `unknown` for MCP and client tools. */
  input: string;
  /** Compact output hint, only when complete and trusted. */
  output?: string;
  /** Virtual declaration file: `tools/<callableName>.d.ts` or the server's. */
  apiPath: string;
  /** Where an MCP tool lives in the `MCP` global. */
  member?: {
    /** Identifier of the namespace. */
    server: string;
    /** Path below it joined by `.`, as `$api` selects it. */
    method: string;
  };
}

/** One callable of an MCP server namespace. */
export interface McpMember {
  /** Path below the server: `["createIssue"]` or `["resources", "read"]`. */
  path: readonly string[];
  entryId: string;
  operation: McpOperation;
  /** Top-level defaults to fill when a field is missing or undefined. */
  defaults: Readonly<Record<string, unknown>>;
  /** Top-level required names without a default. */
  required: readonly string[];
}

/** One server of the `MCP` global. */
export interface McpNamespace {
  identifier: string;
  serverName: string;
  members: readonly McpMember[];
  /**
   * Why the server cannot be reached. It then has no members and no declaration file, and every call on
   * its namespace, whatever its path, rejects with `server "<serverName>" is unavailable: <reason>`.
   */
  unavailable?: string;
}

/** A virtual file of the guest's `API`. Native files have a path only until they are read. */
export interface ApiFileInfo {
  path: string;
  description?: string;
  bytes?: number;
}

export interface ApiFile extends ApiFileInfo {
  content: string;
  bytes: number;
}

export interface CatalogDiagnostic {
  level: "error" | "warning";
  owner?: string;
  tool?: string;
  message: string;
}

/**
 * What a search answers: `handles` as `catalog.search` gives them, MCP tools among them; `entries` for the
 * older `tools.search`, which knows no MCP tools and ranks its neighbours behind an exact name.
 */
export type SearchView = "handles" | "entries";

/**
 * The effective tools of one run, ready to be discovered. Built once a run; pure: it never runs a tool.
 */
export interface Catalog {
  /** Native and client tools in `catalog.all()` order. */
  readonly entries: readonly CatalogEntry[];
  /** MCP tools, sorted by id. */
  readonly mcpEntries: readonly CatalogEntry[];
  readonly namespaces: readonly McpNamespace[];
  readonly diagnostics: readonly CatalogDiagnostic[];
  /** Sizes by source for telemetry. */
  readonly sources: Readonly<Record<ToolSource, number>>;
  byId(id: string): CatalogEntry | undefined;
  /** Best first. Throws `CatalogInputError` for a bad query or limit. */
  search(query: unknown, options?: { limit?: unknown }, view?: SearchView): CatalogEntry[];
  /** All virtual files in listing order; with `prefix`, a file or folder. */
  listFiles(prefix?: unknown): ApiFileInfo[];
  /** Throws `CatalogInputError` for a bad or unknown path, `ContractError` for a malformed discriminator. */
  readFile(path: unknown): ApiFile;
  /** `describe()` of a handle: callable form without an id. */
  describe(entry: CatalogEntry): Record<string, unknown>;
  /** The block a model gets in the `exec` description; at most `budget` characters (8,000). */
  quickIndex(budget?: number): string;
  /** `MCP.$api()` and `MCP.<server>.$api(name?, {schema}?)`. */
  mcpApi(server?: string, selector?: unknown, options?: unknown): Record<string, unknown>;
}

/** A query, limit or path the cell got wrong: `invalid_input` to the guest unless `plain`. */
export class CatalogInputError extends Error {
  constructor(
    message: string,
    /** Path errors carry no code in the guest. */
    readonly plain = false,
  ) {
    super(message);
    this.name = "CatalogInputError";
  }
}

/** A tool's contract is broken in a way that a cell must hear of; `tool_error` to the guest. */
export class ContractError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ContractError";
  }
}
