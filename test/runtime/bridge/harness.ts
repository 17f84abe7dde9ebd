import { buildCatalog } from "../../../src/catalog/build.js";
import type { EffectiveTool, ToolCall } from "../../../src/catalog/tool.js";
import { resolveLimits } from "../../../src/config/limits.js";
import {
  createSessionBridge,
  type SessionBridgeOptions,
} from "../../../src/runtime/bridge/session-bridge.js";
import type { BridgeReply, CellBridge, SessionBridge } from "../../../src/runtime/bridge/types.js";

/** A plugin tool whose result has `details`, unless `raw` says that `run` makes the whole result. */
export function tool(
  name: string,
  run: (input: any, call: ToolCall) => unknown,
  more: Partial<EffectiveTool> & { raw?: boolean } = {},
): EffectiveTool {
  const { raw, ...rest } = more;
  return {
    name,
    source: "openclaw",
    owner: "demo",
    description: `The tool ${name}.`,
    parameters: { type: "object" },
    execute: async (call) => {
      const value = await run(call.input, call);
      return raw ? value : { content: [{ type: "text", text: "ok" }], details: value };
    },
    ...rest,
  };
}

export function mcpTool(
  server: string,
  toolName: string,
  run: (input: any) => unknown,
  more: Partial<EffectiveTool> & { operation?: NonNullable<EffectiveTool["mcp"]>["operation"] } = {},
): EffectiveTool {
  const { operation = "tool", ...rest } = more;
  return {
    name: `${server}__${toolName}`,
    source: "mcp",
    owner: server,
    description: `${toolName} of ${server}.`,
    parameters: { type: "object", properties: {} },
    mcp: { serverName: server, safeServerName: server, toolName, operation },
    execute: async (call) => run(call.input),
    ...rest,
  };
}

export interface Desk {
  session: SessionBridge;
  cell: CellBridge;
  /** Sends one request and returns the reply as it crosses. */
  ask: (method: string, ...args: unknown[]) => Promise<BridgeReply>;
  /** The reply's value; throws the reply itself when it is an error. */
  value: (method: string, ...args: unknown[]) => Promise<any>;
  /** The error reply; throws when there is none. */
  failure: (method: string, ...args: unknown[]) => Promise<Extract<BridgeReply, { ok: false }>>;
  /** Calls a tool by name. */
  call: (name: string, input?: unknown) => Promise<any>;
  refused: (name: string, input?: unknown) => Promise<Extract<BridgeReply, { ok: false }>>;
  abort: AbortController;
}

let runs = 0;

export function desk(
  tools: EffectiveTool[],
  options: Omit<Partial<SessionBridgeOptions>, "catalog" | "limits"> & {
    limits?: Parameters<typeof resolveLimits>[0];
    restartSafe?: boolean;
    session?: SessionBridge;
    toolCallId?: string;
  } = {},
): Desk {
  const limits = resolveLimits(options.limits);
  const { restartSafe = false, session: shared, toolCallId, ...rest } = options;
  const session = shared ?? createSessionBridge({ ...rest, catalog: buildCatalog(tools, limits), limits });
  const cell = session.openCell({
    runId: `cm_test${++runs}`,
    restartSafe,
    ...(toolCallId === undefined ? {} : { toolCallId }),
  });
  const abort = new AbortController();
  let requests = 0;
  const ask: Desk["ask"] = (method, ...args) =>
    cell.handle({ id: `bridge:${method}:${++requests}`, method, args: JSON.stringify(args) }, abort.signal);
  const value: Desk["value"] = async (method, ...args) => {
    const reply = await ask(method, ...args);
    if (!reply.ok) throw reply;
    return JSON.parse(reply.json);
  };
  const failure: Desk["failure"] = async (method, ...args) => {
    const reply = await ask(method, ...args);
    if (reply.ok) throw new Error(`expected a failure, got ${reply.json}`);
    return reply;
  };
  return {
    session,
    cell,
    ask,
    value,
    failure,
    call: (name, input = {}) => value("callValue", name, input),
    refused: (name, input = {}) => failure("callValue", name, input),
    abort,
  };
}
