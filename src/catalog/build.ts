import { describeEntry } from "./describe.js";
import { effectiveTools } from "./effective.js";
import { mcpEntries, nativeEntries } from "./entries.js";
import { apiFiles } from "./files/api-files.js";
import { mcpRootApi, mcpServerApi } from "./mcp-api.js";
import { mcpServers } from "./mcp-namespace.js";
import { quickIndex } from "./quick-index.js";
import { CatalogSearch, type SearchLimits } from "./search/catalog-search.js";
import type { EffectiveTool } from "./tool.js";
import { type Catalog, CatalogInputError } from "./types.js";

/**
 * The catalog of one run. What is malformed is left out with a diagnostic of its own. Names and hints
 * are made at once, the search index and the declaration files when they are first asked for.
 */
export function buildCatalog(tools: readonly EffectiveTool[], limits: SearchLimits): Catalog {
  const effective = effectiveTools(tools);
  const servers = mcpServers(effective.mcp);
  const entries = nativeEntries(effective.native);
  const remote = mcpEntries(servers);
  const byId = new Map([...entries, ...remote].map((entry) => [entry.id, entry]));
  const search = new CatalogSearch(entries, remote, limits);
  const files = apiFiles(entries, servers);

  const serverOf = (identifier: string) => {
    const server = servers.find((one) => one.identifier === identifier);
    if (server === undefined) throw new CatalogInputError(`there is no MCP server "${identifier}"`);
    return server;
  };

  return {
    entries,
    mcpEntries: remote,
    namespaces: servers,
    diagnostics: effective.diagnostics,
    sources: {
      openclaw: entries.filter(({ source }) => source === "openclaw").length,
      mcp: remote.length,
      client: entries.filter(({ source }) => source === "client").length,
    },
    byId: (id) => byId.get(id),
    search: (query, options, view) => search.search(query, options, view),
    listFiles: (prefix) => files.list(prefix),
    readFile: (path) => files.read(path),
    describe: (entry) =>
      entry.member === undefined
        ? describeEntry(entry)
        : mcpServerApi(serverOf(entry.member.server), entry.member.method, { schema: true }),
    quickIndex: (budget) => quickIndex(entries, budget).text,
    mcpApi: (identifier, selector, options) =>
      identifier === undefined ? mcpRootApi(servers) : mcpServerApi(serverOf(identifier), selector, options),
  };
}
