import { nearest } from "../text/nearest.js";
import { mcpIndexFile, mcpServerFile } from "./files/mcp-files.js";
import { mcpIdentifier } from "./mcp-identifiers.js";
import type { McpCallable, McpServer } from "./mcp-namespace.js";
import { plainSchema } from "./plain-schema.js";
import { clipText } from "./untrusted-text.js";

/** UTF-16 units of a tool's description in `$api` data: more than a handle carries, for it was asked for. */
const DESCRIPTION = 4096;

const CALL_NOTE =
  "Call MCP.<server>.<method>(input) with one object. Descriptions and schemas are the server's own claims.";

/** What `MCP.$api()` resolves to. */
export function mcpRootApi(servers: readonly McpServer[]): Record<string, unknown> {
  return {
    kind: "mcp_api",
    scope: "root",
    header: mcpIndexFile(servers.filter(({ unavailable }) => unavailable === undefined)),
    servers: servers.map(({ identifier, serverName, members, unavailable }) => ({
      identifier,
      serverName,
      toolCount: members.length,
      ...(unavailable === undefined ? {} : { unavailable: clipText(unavailable, DESCRIPTION) }),
    })),
    note: "MCP.<server>.$api() declares the tools of one server.",
  };
}

/**
 * What `MCP.<server>.$api(selector?, {schema}?)` resolves to: the whole server, or the one tool that the
 * selector names by its method, its name on the server, or anything with the same identifier. An unknown
 * name selects nothing, and the note says what was meant perhaps.
 */
export function mcpServerApi(
  server: McpServer,
  selector?: unknown,
  options?: unknown,
): Record<string, unknown> {
  const wanted = typeof selector === "string" ? selector.trim() : "";
  const selected = wanted === "" ? server.members : select(server, wanted);
  const missing = wanted !== "" && selected.length === 0;
  return {
    kind: "mcp_api",
    scope: selected.length === 1 && wanted !== "" ? "tool" : "server",
    server: { identifier: server.identifier, serverName: server.serverName },
    header: mcpServerFile(server, selected),
    tools: selected.map(({ method, path, binding, operation, tool }) => ({
      method,
      path: [...path],
      mcpTool: binding.toolName,
      operation,
      description: clipText(typeof tool.description === "string" ? tool.description : "", DESCRIPTION),
    })),
    ...(wantsSchema(options) ? { schemas: schemasOf(selected) } : {}),
    note:
      server.unavailable !== undefined
        ? `The server is unavailable: ${clipText(server.unavailable, DESCRIPTION)}`
        : missing
          ? missingNote(server, wanted)
          : CALL_NOTE,
  };
}

function select(server: McpServer, wanted: string): readonly McpCallable[] {
  const identifier = mcpIdentifier(wanted);
  const found =
    server.members.find(({ method }) => method === wanted) ??
    server.members.find(({ binding }) => binding.toolName === wanted) ??
    server.members.find(({ method }) => method === identifier);
  return found === undefined ? [] : [found];
}

function wantsSchema(options: unknown): boolean {
  return typeof options === "object" && options !== null && (options as { schema?: unknown }).schema === true;
}

function schemasOf(members: readonly McpCallable[]): Record<string, unknown> {
  return Object.fromEntries(members.map(({ method, tool }) => [method, plainSchema(tool.parameters ?? {})]));
}

function missingNote(server: McpServer, wanted: string): string {
  const close = nearest(
    wanted,
    server.members.map(({ method }) => method),
  );
  const hint =
    close.length === 0 ? `MCP.${server.identifier}.$api() lists them` : `did you mean ${close.join(", ")}?`;
  return `No tool of this server is called ${JSON.stringify(clipText(wanted, 100))}; ${hint}`;
}
