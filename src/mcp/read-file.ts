import { dirname, resolve } from "node:path";
import { issueFailure, type McpServerConfig, readConfigText } from "../config/config.js";
import { type ConfigPath, lineColumn, offsetOf, valueAt } from "../config/document.js";
import { parseDocument, placedFailure } from "../config/parse.js";
import { MCP_SERVER_SHAPE } from "../config/schema.js";
import { validateShape } from "../config/validate.js";
import { CommandFailure } from "../errors.js";

/** Where the files of the usual clients, and our own configuration, keep their servers. */
const PLACES: readonly ConfigPath[] = [
  ["mcpServers"],
  ["servers"],
  ["mcp", "servers"],
  ["mcp", "mcpServers"],
];

/**
 * The servers of a file for `--mcp`: JSON5 with `mcpServers` or `servers`, each a command with arguments
 * or a url. A relative `cwd` is taken from the file's folder; `"disabled": true` leaves a server out.
 * @throws CommandFailure `mcp_file_not_found`, `config_unreadable`, or `config_invalid` with its place
 */
export async function readMcpFile(file: string): Promise<Record<string, McpServerConfig>> {
  const text = await readConfigText(file);
  if (text === undefined) {
    throw new CommandFailure("mcp_file_not_found", `there is no MCP server file ${file}`);
  }
  const document = await parseDocument(text.replace(/^\ufeff/, ""), file);
  const place = PLACES.find((path) => valueAt(document.value, path) !== undefined);
  if (place === undefined) {
    throw placedFailure(
      file,
      document.text,
      lineColumn(document.text, document.root.start),
      "no `mcpServers` here",
      {
        hint: 'Servers are written as {"mcpServers": {"name": {"command": "npx", "args": ["-y", "some-server"]}}}.',
      },
    );
  }
  const found = valueAt(document.value, place);
  const issues = validateShape(found, { type: "map", values: MCP_SERVER_SHAPE }, place)
    .map((issue) => ({ issue, offset: offsetOf(document, issue.path, issue.at) }))
    .sort((a, b) => a.offset - b.offset)
    .map(({ issue, offset }) => ({ ...issue, ...lineColumn(document.text, offset) }));
  const errors = issues.filter(({ level }) => level === "error");
  if (errors[0] !== undefined) throw issueFailure(file, document, errors[0], errors.length - 1);
  const servers = found as Record<string, McpServerConfig & { disabled?: unknown }>;
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => {
      const { disabled, ...config } = server;
      return [
        name,
        {
          ...config,
          ...(config.cwd === undefined || config.cwd.includes("${")
            ? {}
            : { cwd: resolve(dirname(file), config.cwd) }),
          ...(disabled === true ? { enabled: false } : {}),
        },
      ];
    }),
  );
}
