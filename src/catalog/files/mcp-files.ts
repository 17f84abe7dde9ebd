import { renderMcpParams } from "../../schema/declare-mcp.js";
import { escapeUntrusted } from "../../ui/escape.js";
import type { McpCallable, McpServer } from "../mcp-namespace.js";
import type { McpOperation } from "../tool.js";
import { docComment } from "./doc-comment.js";

const RESULT_TYPES: Readonly<Record<McpOperation, string>> = {
  tool: "McpToolResult",
  resources_list: "McpResourcesListResult",
  resources_read: "McpResourcesReadResult",
  prompts_list: "McpPromptsListResult",
  prompts_get: "McpPromptsGetResult",
};

/** UTF-16 units after which a server's tools are declared by name alone. */
const MOST_FILE_TEXT = 262_144;

const SERVER_TYPES = [
  "interface McpApiHeader { header: string; tools?: unknown[]; schemas?: Record<string, unknown>; }",
  "interface McpToolResult {",
  "  content: unknown[];",
  "  structuredContent?: unknown;",
  "  isError?: boolean;",
  "}",
  "interface McpResourcesListResult { resources: unknown[]; nextCursor?: string; }",
  "interface McpResourcesReadResult { contents: unknown[]; }",
  "interface McpPromptsListResult { prompts: unknown[]; nextCursor?: string; }",
  "interface McpPromptsGetResult { messages: unknown[]; description?: string; }",
];

/** `mcp/index.d.ts`: the root of `MCP`, followed by a server that happens to be called "index". */
export function mcpIndexFile(servers: readonly McpServer[]): string {
  const shared = servers.filter(({ apiPath }) => apiPath === INDEX_PATH);
  const separate = servers.filter(({ apiPath }) => apiPath !== INDEX_PATH);
  return [
    ...separate.map(({ identifier }) => `/// <reference path="./${identifier}.d.ts" />`),
    ...(separate.length === 0 ? [] : [""]),
    "interface McpRootApiHeader { header: string; servers?: unknown[]; }",
    "",
    "declare namespace MCP {",
    "  /** Lists the servers of this run; each has an $api of its own. */",
    "  function $api(): Promise<McpRootApiHeader>;",
    "}",
    ...shared.flatMap((server) => ["", mcpServerFile(server)]),
  ].join("\n");
}

export const INDEX_PATH = "mcp/index.d.ts";

/** The declarations of one server, of `members` only when they are given. Little more than 256 Ki characters. */
export function mcpServerFile(server: McpServer, members: readonly McpCallable[] = server.members): string {
  const declare = declarer();
  return [
    ...SERVER_TYPES,
    "",
    `declare namespace MCP.${server.identifier} {`,
    "  /** These declarations as text, of one tool when it is named; with { schema: true } its schema too. */",
    "  function $api(toolName?: string, options?: { schema?: boolean }): Promise<McpApiHeader>;",
    "  const $serverName: string;",
    ...members.filter(({ path }) => path.length === 1).flatMap((member) => ["", ...declare(member, "  ")]),
    ...["prompts", "resources"].flatMap((group) => operations(group, members, declare)),
    "}",
  ].join("\n");
}

type Declare = (member: McpCallable, indent: string) => string[];

/** Declares members in full until the file has its size, and by name alone from there on. */
function declarer(): Declare {
  let used = 0;
  return (member, indent) => {
    if (used > MOST_FILE_TEXT) return brief(member, indent);
    const lines = declared(member, indent);
    used += lines.reduce((sum, line) => sum + line.length + 1, 0);
    return lines;
  };
}

function brief({ path, operation }: McpCallable, indent: string): string[] {
  const method = path.at(-1)!;
  return [
    `${indent}/** The file is too long to tell more: $api(${JSON.stringify(path.join("."))}) does. */`,
    `${indent}function ${method}(input?: Record<string, unknown>): Promise<${RESULT_TYPES[operation]}>;`,
  ];
}

function operations(group: string, members: readonly McpCallable[], declare: Declare): string[] {
  const inside = members.filter(({ path }) => path.length === 2 && path[0] === group);
  if (inside.length === 0) return [];
  return [
    "",
    `  namespace ${group} {`,
    ...inside.flatMap((member) => ["", ...declare(member, "    ")]),
    "  }",
  ];
}

function declared({ path, tool, operation }: McpCallable, indent: string): string[] {
  const method = path.at(-1)!;
  // Types live beside the functions: the method's own name keeps them apart from those of other tools.
  const { optionalInput, typeText, aliases, params } = renderMcpParams(tool.parameters, `${method}_`);
  const description = typeof tool.description === "string" ? tool.description : "";
  return [
    ...aliases.map(({ name, text }) => `${indent}type ${name} = ${escapeUntrusted(text)};`),
    ...docComment(description, params, indent),
    `${indent}function ${method}(`,
    // Only string literals can hold characters that are escaped, and there an escape means the same.
    `${indent}  input${optionalInput ? "?" : ""}: ${escapeUntrusted(typeText)}`,
    `${indent}): Promise<${RESULT_TYPES[operation]}>;`,
  ];
}
