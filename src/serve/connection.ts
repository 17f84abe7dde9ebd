import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Approver } from "../catalog/hooks.js";
import type { RunObserver } from "../debug/observe.js";
import type { CellResult, RuntimeEvent } from "../runtime/types.js";
import { version } from "../version.js";
import type { ToolAnswer } from "./direct.js";
import type { Generations } from "./generations.js";
import { ConnectionScope } from "./scope.js";

export interface ConnectionOptions {
  generations: Generations;
  approve: Approver;
  observer: RunObserver;
}

export interface Connection {
  /** Resolves once no call is running. */
  idle(): Promise<void>;
  /** Drops the cells of this connection and closes its transport. */
  close(): Promise<void>;
}

/** What the protocol tells of one request. */
interface CallExtra {
  signal: AbortSignal;
  _meta?: { progressToken?: string | number } | undefined;
  sendNotification: (notification: never) => Promise<void>;
}

interface OpenCall {
  name: string;
  input: Record<string, unknown>;
  toolCallId: string;
  signal: AbortSignal;
}

let connections = 0;

function answerOf(result: CellResult): ToolAnswer {
  return {
    content: [{ type: "text", text: JSON.stringify(result) }],
    structuredContent: result,
    ...(result.status === "failed" ? { isError: true } : {}),
  };
}

function messageFor(event: RuntimeEvent): string | undefined {
  if (event.type === "call") {
    const { tool, error, ms } = event;
    return `${tool} ${error === undefined ? "finished" : "failed"} after ${Math.round(ms)} ms`;
  }
  if (event.type !== "update") return undefined;
  const { tool, update } = event;
  return `${tool}: ${(typeof update === "string" ? update : JSON.stringify(update)).slice(0, 500)}`;
}

/** Serves `exec` and `wait` to one MCP client: sessions, saved results and runs are this connection's own. */
export async function openConnection(
  transport: Transport,
  { generations, approve, observer }: ConnectionOptions,
): Promise<Connection> {
  const [{ Server }, types] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  connections += 1;
  const connection = connections;
  const listeners = new Set<(event: RuntimeEvent) => void>();
  const scope = new ConnectionScope({
    generations,
    approve,
    onEvent: (event) => {
      observer.onEvent?.(event, connection);
      for (const listener of listeners) listener(event);
    },
  });
  const server: Server = new Server(
    { name: "openclaw", version },
    { capabilities: { tools: { listChanged: true } } },
  );
  const running = new Set<Promise<unknown>>();
  let calls = 0;

  /** Tells a client that asked for progress what its call's tools do. */
  function reportProgress(extra: CallExtra, isMine: (event: RuntimeEvent) => boolean): () => void {
    const token = extra._meta?.progressToken;
    if (token === undefined) return () => {};
    let progress = 0;
    const listener = (event: RuntimeEvent): void => {
      const message = isMine(event) ? messageFor(event) : undefined;
      if (message === undefined) return;
      progress += 1;
      const params = { progressToken: token, progress, message };
      extra.sendNotification({ method: "notifications/progress", params } as never).catch(() => {});
    };
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  const visibleNames = (): string[] => generations.current.visible.map(({ definition }) => definition.name);

  function unknownTool(name: string): Error {
    const known = visibleNames();
    const list = known.length > 12 ? `${known.slice(0, 12).join(", ")}, ...` : known.join(", ");
    const message = `unknown tool ${name.slice(0, 80)}; this server has ${list || "no tools"}`;
    return new types.McpError(types.ErrorCode.InvalidParams, message);
  }

  async function answer({ name, input, toolCallId, signal }: OpenCall): Promise<[unknown, ToolAnswer]> {
    if (scope.offers(name)) {
      const direct = await scope.direct({ name, input, toolCallId, signal });
      return [direct, direct];
    }
    if (name !== "exec" && name !== "wait") throw unknownTool(name);
    const result =
      name === "exec" ? await scope.exec(input, { signal, toolCallId }) : await scope.wait(input, { signal });
    return [result, answerOf(result)];
  }

  async function call(name: string, input: Record<string, unknown>, extra: CallExtra): Promise<ToolAnswer> {
    if (!visibleNames().includes(name)) throw unknownTool(name);
    calls += 1;
    const toolCallId = `${connection}_${name}_${calls}`;
    const stop = reportProgress(extra, (event) =>
      name === "wait"
        ? "runId" in event && event.runId === input.runId
        : "parentToolCallId" in event && event.parentToolCallId === toolCallId,
    );
    const startedAt = performance.now();
    try {
      const [result, whole] = await answer({ name, input, toolCallId, signal: extra.signal });
      const ms = performance.now() - startedAt;
      observer.onOuterCall({ connection, toolCallId, tool: name, input, result, ms });
      return whole;
    } finally {
      stop();
    }
  }

  server.setRequestHandler(types.ListToolsRequestSchema, () => {
    const tools = generations.current.visible.map(({ definition }) => definition);
    observer.onModelTools(() => tools);
    return { tools: tools.map(({ parameters, ...tool }) => ({ ...tool, inputSchema: parameters })) } as never;
  });
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, extra) => {
    const work = call(params.name, params.arguments ?? {}, extra as unknown as CallExtra);
    running.add(work);
    try {
      return (await work) as never;
    } finally {
      running.delete(work);
    }
  });

  const unsubscribe = generations.onChange(() => {
    server.sendToolListChanged().catch(() => {});
  });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    // A microtask later, because closing the server calls back here at once.
    closed ??= Promise.resolve().then(async () => {
      unsubscribe();
      observer.log("connection", { connection, state: "closed", calls });
      await Promise.all([scope.close(), server.close().catch(() => {})]);
    });
    return closed;
  };
  server.oninitialized = () => {
    const client = server.getClientVersion();
    observer.log("connection", { connection, state: "open", client: client?.name, version: client?.version });
  };
  server.onclose = () => void close().catch(() => {});
  await server.connect(transport);
  return {
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
    close,
  };
}
