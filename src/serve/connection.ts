import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Approver } from "../catalog/hooks.js";
import { modelTools } from "../catalog/model-view.js";
import type { CellResult, LegOptions, RuntimeEvent } from "../runtime/types.js";
import { version } from "../version.js";
import type { Generations } from "./generations.js";
import { ConnectionScope } from "./scope.js";

export interface ConnectionOptions {
  generations: Generations;
  approve: Approver;
  /** Hears of every event of every cell of this connection. */
  onEvent?: ((event: RuntimeEvent) => void) | undefined;
  /** Hears of the tool definitions each time a client is given them. */
  onToolsListed?: ((tools: readonly unknown[]) => void) | undefined;
}

export interface Connection {
  server: Server;
  /** Drops the cells of this connection and closes its transport. */
  close(): Promise<void>;
}

interface CallExtra {
  signal: AbortSignal;
  requestId: string | number;
  _meta?: { progressToken?: string | number } | undefined;
  sendNotification: (notification: never) => Promise<void>;
}

function toolResult(result: CellResult): Record<string, unknown> {
  return {
    content: [{ type: "text", text: JSON.stringify(result) }],
    structuredContent: result,
    ...(result.status === "failed" ? { isError: true } : {}),
  };
}

/** Serves `exec` and `wait` to one MCP client: sessions, saved results and runs are this connection's own. */
export async function openConnection(transport: Transport, options: ConnectionOptions): Promise<Connection> {
  const [{ Server }, types] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  const listeners = new Set<(event: RuntimeEvent) => void>();
  const scope = new ConnectionScope({
    generations: options.generations,
    approve: options.approve,
    onEvent: (event) => {
      options.onEvent?.(event);
      for (const listener of listeners) listener(event);
    },
  });
  const server = new Server(
    { name: "openclaw", version },
    { capabilities: { tools: { listChanged: true } } },
  );
  let calls = 0;

  /** Tells a client that asked for progress of each finished nested call. */
  function reportProgress(extra: CallExtra, isMine: (event: RuntimeEvent) => boolean): () => void {
    const token = extra._meta?.progressToken;
    if (token === undefined) return () => {};
    let progress = 0;
    const listener = (event: RuntimeEvent): void => {
      if (event.type !== "call" || !isMine(event)) return;
      progress += 1;
      const message = `${event.tool} ${event.error === undefined ? "finished" : "failed"} after ${Math.round(event.ms)} ms`;
      extra
        .sendNotification({
          method: "notifications/progress",
          params: { progressToken: token, progress, message },
        } as never)
        .catch(() => {});
    };
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  server.setRequestHandler(types.ListToolsRequestSchema, () => {
    const { catalog, settings, limits } = options.generations.current.setup;
    const tools = modelTools(catalog, { languages: settings.languages, limits });
    options.onToolsListed?.(tools);
    return { tools: tools.map(({ parameters, ...tool }) => ({ ...tool, inputSchema: parameters })) } as never;
  });

  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, extra) => {
    const input = params.arguments ?? {};
    const call = extra as unknown as CallExtra;
    const leg: LegOptions = { signal: call.signal };
    if (params.name === "exec") {
      calls += 1;
      const toolCallId = `exec_${calls}`;
      const stop = reportProgress(
        call,
        (event) => event.type === "call" && event.parentToolCallId === toolCallId,
      );
      try {
        return toolResult(await scope.exec(input, { ...leg, toolCallId })) as never;
      } finally {
        stop();
      }
    }
    if (params.name === "wait") {
      const stop = reportProgress(call, (event) => "runId" in event && event.runId === input.runId);
      try {
        return toolResult(await scope.wait(input, leg)) as never;
      } finally {
        stop();
      }
    }
    throw new types.McpError(
      types.ErrorCode.InvalidParams,
      `unknown tool ${params.name}; this server has exec and wait`,
    );
  });

  const unsubscribe = options.generations.onChange(() => {
    server.sendToolListChanged().catch(() => {});
  });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      unsubscribe();
      await scope.close();
      await server.close().catch(() => {});
    })();
    return closed;
  };
  server.onclose = () => void close();
  await server.connect(transport);
  return { server, close };
}
