import type { EffectiveTool, McpBinding, McpOperation, ToolCall } from "../catalog/tool.js";
import type { McpConnection } from "./connection.js";
import type { ToolNames } from "./names.js";
import type { ServerListing } from "./types.js";

export interface ToolSourceOptions {
  serverName: string;
  safeServerName: string;
  names: ToolNames;
  requestTimeoutMs?: number | undefined;
}

const RESOURCE_OPERATIONS: readonly Operation[] = [
  {
    operation: "resources_list",
    method: "resources/list",
    description: "List the resources of this server, one page at a time.",
    parameters: { type: "object", properties: { cursor: { type: "string" } } },
  },
  {
    operation: "resources_read",
    method: "resources/read",
    description: "Read one resource of this server by its uri.",
    parameters: {
      type: "object",
      properties: { uri: { type: "string", description: "Address as listed" } },
      required: ["uri"],
    },
  },
];

const PROMPT_OPERATIONS: readonly Operation[] = [
  {
    operation: "prompts_list",
    method: "prompts/list",
    description: "List the prompts of this server, one page at a time.",
    parameters: { type: "object", properties: { cursor: { type: "string" } } },
  },
  {
    operation: "prompts_get",
    method: "prompts/get",
    description: "Get one prompt of this server, filled with arguments.",
    parameters: {
      type: "object",
      properties: {
        name: { type: "string", description: "Name as listed" },
        arguments: { type: "object", additionalProperties: { type: "string" } },
      },
      required: ["name"],
    },
  },
];

interface Operation {
  operation: Exclude<McpOperation, "tool">;
  method: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** The tools and operations of a listed server. Calling one connects the server when it is not yet. */
export function serverTools(
  listing: ServerListing,
  connection: McpConnection,
  options: ToolSourceOptions,
): EffectiveTool[] {
  const { serverName, safeServerName, names, requestTimeoutMs } = options;
  const make = (
    toolName: string,
    operation: McpOperation,
    rest: Pick<EffectiveTool, "description" | "parameters" | "label">,
    request: (call: ToolCall) => { method: string; params: Record<string, unknown>; what: string },
  ): EffectiveTool => ({
    name: names.take(safeServerName, toolName),
    source: "mcp",
    owner: safeServerName,
    ...rest,
    mcp: { serverName, safeServerName, toolName, operation },
    execute: (call) => {
      const { method, params, what } = request(call);
      const { onUpdate } = call;
      return connection.request(method, params, {
        timeoutMs: requestTimeoutMs ?? Number.POSITIVE_INFINITY,
        signal: call.signal,
        ...(onUpdate === undefined ? {} : { onProgress: onUpdate }),
        what,
      });
    },
  });
  const operations = [
    ...(listing.resources ? RESOURCE_OPERATIONS : []),
    ...(listing.prompts ? PROMPT_OPERATIONS : []),
  ];
  return [
    ...listing.tools.map((tool) =>
      make(
        tool.name,
        "tool",
        {
          description: tool.description ?? "",
          ...(tool.title === undefined ? {} : { label: tool.title }),
          ...(tool.inputSchema === undefined ? {} : { parameters: tool.inputSchema }),
        },
        (call) => ({
          method: "tools/call",
          params: { name: tool.name, arguments: asObject(call.input) },
          what: `tool ${JSON.stringify(tool.name)}`,
        }),
      ),
    ),
    ...operations.map(({ operation, method, description, parameters }) =>
      make(operation, operation, { description, parameters }, (call) => ({
        method,
        params: asObject(call.input),
        what: method,
      })),
    ),
  ];
}

/** Stands for a server that cannot be reached, so that a cell that calls it hears why. */
export function unavailableServer(serverName: string, safeServerName: string, reason: string): EffectiveTool {
  const binding: McpBinding = {
    serverName,
    safeServerName,
    toolName: "",
    operation: "tool",
    unavailable: reason,
  };
  return {
    name: `${safeServerName}__`,
    source: "mcp",
    owner: safeServerName,
    description: "",
    mcp: binding,
    execute: async () => {
      throw new Error(`server ${JSON.stringify(serverName)} is unavailable: ${reason}`);
    },
  };
}

function asObject(input: unknown): Record<string, unknown> {
  return typeof input === "object" && input !== null && !Array.isArray(input)
    ? (input as Record<string, unknown>)
    : {};
}
