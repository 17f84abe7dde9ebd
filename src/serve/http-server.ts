import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CommandFailure, messageOf } from "../errors.js";
import { type Connection, type ConnectionOptions, openConnection } from "./connection.js";
import { admits, BodyRefused, readJsonBody, refuse } from "./http-guard.js";
import { createTransportLog } from "./http-log.js";

export interface HttpOptions extends ConnectionOptions {
  /** 0 lets the system choose. */
  port: number;
  host: string;
  /** Bearer token every request must carry; undefined asks for none. */
  token: string | undefined;
  /** Largest request body, bytes. */
  maxBodyBytes: number;
  /** Connections at once. */
  maxConnections: number;
  /** A connection without a request for this long is closed, ms. */
  idleMs: number;
}

export interface HttpService {
  /** `http://127.0.0.1:1234/mcp` */
  url: string;
  close(): Promise<void>;
}

interface Open {
  connection: Promise<Connection>;
  transport: {
    handleRequest(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void>;
  };
  lastUsed: number;
  busy: number;
}

const PATH = "/mcp";

function isInitialize(body: unknown): boolean {
  const messages = Array.isArray(body) ? body : [body];
  return messages.some((message) => (message as { method?: unknown } | null)?.method === "initialize");
}

/**
 * Serves MCP over streamable HTTP, one connection scope a session id.
 * @throws CommandFailure `port_unavailable` when it cannot listen
 */
export async function serveHttp(options: HttpOptions): Promise<HttpService> {
  const { StreamableHTTPServerTransport } = await import(
    "@modelcontextprotocol/sdk/server/streamableHttp.js"
  );
  const open = new Map<string, Open>();
  const watchExchange = createTransportLog(options.observer);
  const loopback = options.host === "127.0.0.1" || options.host === "::1" || options.host === "localhost";

  async function drop(id: string): Promise<void> {
    const session = open.get(id);
    if (session === undefined) return;
    open.delete(id);
    await (await session.connection).close();
  }

  async function start(): Promise<{ id: string; session: Open }> {
    if (open.size >= options.maxConnections) {
      throw new BodyRefused(503, `all ${options.maxConnections} connections are in use`);
    }
    const id = randomUUID();
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    const connection = openConnection(transport as unknown as Transport, options);
    const session: Open = { connection, transport, lastUsed: Date.now(), busy: 0 };
    open.set(id, session);
    transport.onclose = () => void drop(id).catch(() => {});
    await connection.catch((error: unknown) => {
      open.delete(id);
      throw error;
    });
    return { id, session };
  }

  async function sessionFor(request: IncomingMessage, body: unknown): Promise<{ id: string; session: Open }> {
    const id = request.headers["mcp-session-id"];
    if (id === undefined) {
      if (request.method === "POST" && isInitialize(body)) return start();
      throw new BodyRefused(400, "no session: send initialize first");
    }
    const session = typeof id === "string" ? open.get(id) : undefined;
    if (session === undefined) throw new BodyRefused(404, "unknown session: send initialize again");
    return { id: String(id), session };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const onBody = watchExchange(request, response);
    if (!admits(request, response, { path: PATH, token: options.token, checkHost: loopback })) return;
    const body = request.method === "POST" ? await readJsonBody(request, options.maxBodyBytes) : undefined;
    onBody(body);
    const { id, session } = await sessionFor(request, body);
    session.busy += 1;
    response.once("close", () => {
      session.busy -= 1;
      session.lastUsed = Date.now();
      // An initialize that was refused has made no session anybody could name.
      if (!request.headers["mcp-session-id"] && response.statusCode >= 400) void drop(id).catch(() => {});
    });
    await session.transport.handleRequest(request, response, body);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (error instanceof BodyRefused) refuse(response, error.status, error.message);
      else refuse(response, 500, messageOf(error));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(
        new CommandFailure(
          "port_unavailable",
          `cannot listen on ${options.host}:${options.port}: ${messageOf(error)}`,
          {
            hint: "Choose another --port, or leave it out to let the system choose.",
            cause: error,
          },
        ),
      );
    });
    server.listen(options.port, options.host, resolve);
  });
  const sweep = setInterval(
    () => {
      for (const [id, { busy, lastUsed }] of open) {
        if (busy === 0 && Date.now() - lastUsed > options.idleMs) void drop(id).catch(() => {});
      }
    },
    Math.min(options.idleMs, 30_000),
  );
  sweep.unref();

  const { port } = server.address() as AddressInfo;
  const shown = options.host.includes(":") ? `[${options.host}]` : options.host;
  return {
    url: `http://${shown}:${port}${PATH}`,
    async close() {
      clearInterval(sweep);
      server.close();
      await Promise.all([...open.keys()].map((id) => drop(id).catch(() => {})));
      server.closeAllConnections();
    },
  };
}
