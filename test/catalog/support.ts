import { buildCatalog } from "../../src/catalog/build.js";
import type { EffectiveTool, McpOperation } from "../../src/catalog/tool.js";
import type { Catalog } from "../../src/catalog/types.js";

export const LIMITS = { searchDefaultLimit: 8, maxSearchLimit: 50 };

export function nativeTool(name: string, more: Partial<EffectiveTool> = {}): EffectiveTool {
  return { name, source: "openclaw", owner: "core", description: "", execute: async () => ({}), ...more };
}

export function clientTool(name: string, more: Partial<EffectiveTool> = {}): EffectiveTool {
  return nativeTool(name, { source: "client", owner: "client", ...more });
}

export function mcpTool(
  serverName: string,
  toolName: string,
  more: Partial<EffectiveTool> = {},
  operation: McpOperation = "tool",
): EffectiveTool {
  const safeServerName = serverName.replace(/[^A-Za-z0-9_-]/g, "-");
  return nativeTool(`${safeServerName}__${toolName}`, {
    source: "mcp",
    owner: safeServerName,
    mcp: { serverName, safeServerName, toolName, operation },
    ...more,
  });
}

export function catalogOf(...tools: EffectiveTool[]): Catalog {
  return buildCatalog(tools, LIMITS);
}

/** Tools as the vectors describe them. */
export interface VectorTools {
  tools?: {
    name: string;
    description: string;
    label?: string;
    plugin?: string;
    parameters?: unknown;
    outputSchema?: unknown;
    catalogMode?: "direct-only";
  }[];
  clients?: {
    name: string;
    description: string;
    label?: string;
    parameters?: unknown;
    outputSchema?: unknown;
  }[];
  servers?: {
    serverName: string;
    resources?: boolean;
    prompts?: boolean;
    tools: { toolName: string; description: string; inputSchema: unknown }[];
  }[];
}

const RESOURCES: [McpOperation, unknown][] = [
  ["resources_list", { type: "object" }],
  ["resources_read", closed({ uri: { type: "string" } }, ["uri"])],
];
const PROMPTS: [McpOperation, unknown][] = [
  ["prompts_list", { type: "object" }],
  [
    "prompts_get",
    closed(
      { name: { type: "string" }, arguments: { type: "object", additionalProperties: { type: "string" } } },
      ["name"],
    ),
  ],
];

function closed(properties: Record<string, unknown>, required: string[]): unknown {
  return { type: "object", properties, required, additionalProperties: false };
}

export function toolsOfVector({ tools = [], clients = [], servers = [] }: VectorTools): EffectiveTool[] {
  const safeNames = new Set<string>();
  return [
    ...tools.map(({ plugin, ...tool }) => nativeTool(tool.name, { ...tool, owner: plugin ?? "core" })),
    ...servers.flatMap((server) => {
      const owner = freeServerName(server.serverName, safeNames);
      const operations = [...(server.resources ? RESOURCES : []), ...(server.prompts ? PROMPTS : [])];
      const own = server.tools.map(({ toolName, description, inputSchema }) =>
        mcpTool(server.serverName, toolName, {
          name: `${owner}__${toolName}`,
          owner,
          description,
          parameters: inputSchema,
        }),
      );
      return [
        ...own,
        ...operations.map(([operation, parameters]) =>
          mcpTool(
            server.serverName,
            operation,
            { owner, description: `${operation}.`, parameters },
            operation,
          ),
        ),
      ];
    }),
    ...clients.map((tool) => clientTool(tool.name, tool)),
  ];
}

function freeServerName(name: string, taken: Set<string>): string {
  const base = name.replace(/[^A-Za-z0-9_-]/g, "-");
  let safe = base;
  for (let counter = 2; taken.has(safe.toLowerCase()); counter += 1) safe = `${base}-${counter}`;
  taken.add(safe.toLowerCase());
  return safe;
}
