import type { IncomingMessage, ServerResponse } from "node:http";
import { writeDebugLine } from "../debug/log.js";
import type { RunObserver } from "../debug/observe.js";
import { stringifyMasked } from "../text/redact.js";

/** Events of one stream that `OPENCLAW_DEBUG_SSE=peek` shows. */
const PEEKED = 5;

/** Names the JSON-RPC messages in a body: `tools/call`, or how many there are. */
function methodsOf(body: unknown): string | undefined {
  const messages = Array.isArray(body) ? body : [body];
  const names = messages.flatMap((message) => {
    const { method, id } = (message ?? {}) as { method?: unknown; id?: unknown };
    if (typeof method === "string") return [method.slice(0, 80)];
    return id === undefined ? [] : ["response"];
  });
  return names.length === 0 ? undefined : names.join(",");
}

/** Enough of a session id to tell sessions apart, too little to use one. */
function shortId(id: unknown): string | undefined {
  return typeof id === "string" && id !== "" ? id.slice(0, 8) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Cuts a server-sent event stream into events, whatever chunks it comes in. */
function eventSplitter(onEvent: (event: { type: string; data: string }) => void): (text: string) => void {
  let rest = "";
  return (text) => {
    const blocks = (rest + text).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split(/\r?\n/);
      const field = (name: string): string[] =>
        lines.flatMap((line) =>
          line.startsWith(`${name}:`) ? [line.slice(name.length + 1).trimStart()] : [],
        );
      onEvent({ type: field("event")[0] ?? "message", data: field("data").join("\n") });
    }
  };
}

/** Hears what a response sends, without changing it. */
function tapResponse(
  response: ServerResponse,
  onHead: (name: (header: string) => string | undefined) => void,
  onChunk: (text: string, bytes: number) => void,
): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  // Headers given here are not to be had from the response afterwards.
  response.writeHead = ((...args: unknown[]) => {
    const given = Object.entries((args.at(-1) as object | undefined) ?? {});
    onHead((header) => {
      const [, value] = given.find(([name]) => name.toLowerCase() === header) ?? [];
      const known: unknown = value ?? response.getHeader(header);
      return known === undefined ? undefined : String(known);
    });
    return writeHead(...args);
  }) as typeof response.writeHead;
  const decoder = new TextDecoder();
  const hear = (chunk: unknown): void => {
    if (typeof chunk === "string") onChunk(chunk, Buffer.byteLength(chunk));
    else if (chunk instanceof Uint8Array) onChunk(decoder.decode(chunk, { stream: true }), chunk.length);
  };
  for (const name of ["write", "end"] as const) {
    const original = response[name].bind(response) as (...args: unknown[]) => unknown;
    (response as unknown as Record<string, unknown>)[name] = (...args: unknown[]) => {
      hear(args[0]);
      return original(...args);
    };
  }
}

/**
 * Tells of the HTTP traffic of a server for `OPENCLAW_DEBUG_MODEL_TRANSPORT` and `OPENCLAW_DEBUG_SSE`. Headers are never
 * shown: they carry the token.
 * @returns begins with one request; what that returns is told its parsed body
 */
export function createTransportLog({
  flags,
  redact,
}: RunObserver): (request: IncomingMessage, response: ServerResponse) => (body: unknown) => void {
  const { modelTransport, sse } = flags;
  if (!modelTransport && sse === undefined) return () => () => {};
  let exchanges = 0;
  return (request, response) => {
    exchanges += 1;
    const id = exchanges;
    const startedAt = performance.now();
    const path = (request.url ?? "").split("?")[0]?.slice(0, 200);
    let rpc: string | undefined;
    let session = shortId(request.headers["mcp-session-id"]);
    let sent = 0;
    let events = 0;
    const split = eventSplitter(({ type, data }) => {
      events += 1;
      if (sse === undefined || (sse === "peek" && events > PEEKED)) return;
      const message = parsed(data);
      writeDebugLine("sse", redact, "event", {
        exchange: id,
        n: events,
        type,
        rpc: methodsOf(message),
        bytes: Buffer.byteLength(data),
        ...(sse === "peek" ? { data: message === undefined ? data : stringifyMasked(message) } : {}),
      });
    });
    let type: string | undefined;
    tapResponse(
      response,
      (header) => {
        type = header("content-type")?.split(";")[0];
        session ??= shortId(header("mcp-session-id"));
      },
      (text, bytes) => {
        sent += bytes;
        if (type === "text/event-stream") split(text);
      },
    );
    if (modelTransport) {
      response.once("close", () => {
        writeDebugLine("model-transport", redact, "response", {
          exchange: id,
          method: request.method,
          rpc,
          session,
          status: response.statusCode,
          type,
          bytes: sent,
          events: events === 0 ? undefined : events,
          ms: performance.now() - startedAt,
          complete: response.writableFinished,
        });
      });
    }
    return (body) => {
      rpc = methodsOf(body);
      if (!modelTransport) return;
      writeDebugLine("model-transport", redact, "request", {
        exchange: id,
        method: request.method,
        path,
        session,
        rpc,
        bytes: Number(request.headers["content-length"] ?? 0),
      });
    };
  };
}
