import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { onTestFinished } from "vitest";

export interface HttpServer {
  url: string;
  /** One line each: `POST`, `DELETE`, `cancelled`, ... */
  seen: string[];
  headers: IncomingMessage["headers"][];
  /** Cuts every connection and stops listening. */
  stop(): Promise<void>;
}

/** A streamable HTTP server of the official SDK with one session a client; `token` is demanded when given. */
export async function httpServer(options: { token?: string; json?: boolean } = {}): Promise<HttpServer> {
  const seen: string[] = [];
  const headers: HttpServer["headers"] = [];
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const http: Server = createServer(async (request, response) => {
    seen.push(request.method ?? "");
    headers.push(request.headers);
    if (options.token !== undefined && request.headers.authorization !== `Bearer ${options.token}`) {
      response.writeHead(401).end("who are you?");
      return;
    }
    const known = sessions.get(String(request.headers["mcp-session-id"]));
    const transport = known ?? (await newSession());
    await transport.handleRequest(request, response);
  });

  async function newSession(): Promise<StreamableHTTPServerTransport> {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: options.json === true,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    const server = new McpServer({ name: "http-test", version: "2.0.0" });
    server.registerTool("ping", { description: "Answer pong." }, async () => ({
      content: [{ type: "text", text: "pong" }],
    }));
    server.registerTool("wait", {}, (extra) => {
      extra.signal.addEventListener("abort", () => seen.push("cancelled"));
      return new Promise(() => {});
    });
    await server.connect(transport as never);
    return transport;
  }

  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const stop = async (): Promise<void> => {
    http.closeAllConnections();
    await new Promise<void>((resolve) => http.close(() => resolve()));
  };
  onTestFinished(stop);
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, seen, headers, stop };
}
