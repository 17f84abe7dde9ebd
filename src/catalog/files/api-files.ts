import type { McpServer } from "../mcp-namespace.js";
import type { CatalogEntry } from "../types.js";
import { INDEX_PATH, mcpIndexFile, mcpServerFile } from "./mcp-files.js";
import { nativeFile } from "./native-file.js";
import { RESULTS_FILE } from "./results-file.js";
import { type FileSource, VirtualFiles } from "./virtual-files.js";

/** The virtual files of a run in listing order: results, MCP servers, then one file a native or client tool. */
export function apiFiles(entries: readonly CatalogEntry[], servers: readonly McpServer[]): VirtualFiles {
  return new VirtualFiles([
    {
      path: RESULTS_FILE.path,
      description: RESULTS_FILE.description,
      sized: true,
      render: () => RESULTS_FILE.content,
    },
    ...mcpSources(servers),
    ...entries.map(
      (entry): FileSource => ({
        path: entry.apiPath,
        sized: false,
        render: () => nativeFile(entry),
      }),
    ),
  ]);
}

function mcpSources(all: readonly McpServer[]): FileSource[] {
  const servers = all.filter(({ unavailable }) => unavailable === undefined);
  if (servers.length === 0) return [];
  const separate = servers.filter(({ apiPath }) => apiPath !== INDEX_PATH);
  return [
    {
      path: INDEX_PATH,
      description: "The MCP servers of this run.",
      sized: true,
      render: () => mcpIndexFile(servers),
    },
    ...separate.map(
      (server): FileSource => ({
        path: server.apiPath,
        description: `Tools of the MCP server ${JSON.stringify(server.serverName)}.`,
        sized: true,
        render: () => mcpServerFile(server),
      }),
    ),
  ];
}
