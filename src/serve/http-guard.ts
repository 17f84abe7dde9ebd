import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

const LOOPBACK_HOSTS = new Set(["127.0.0.1", "localhost", "[::1]", "::1"]);

function hostOf(value: string): string {
  return value.startsWith("[") ? value.slice(0, value.indexOf("]") + 1) : (value.split(":")[0] ?? "");
}

function isLoopbackOrigin(origin: string): boolean {
  try {
    return LOOPBACK_HOSTS.has(new URL(origin).hostname);
  } catch {
    return false;
  }
}

function sameToken(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

/** How long a client that is refused may go on sending what nobody reads, ms. */
const UNREAD_MS = 1_000;

/** Answers with a JSON-RPC error, ends the response and, once the client has had time to read it, the connection. */
export function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  if (status === 401) response.setHeader("WWW-Authenticate", 'Bearer realm="openclaw"');
  response.writeHead(status, { "Content-Type": "application/json", Connection: "close" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }));
  // A client in the middle of a large body reads the answer only when its writes go through.
  response.req.resume();
  const { socket } = response.req;
  const timer = setTimeout(() => socket.destroy(), UNREAD_MS).unref();
  socket.once("close", () => clearTimeout(timer));
}

/**
 * Whether a request may go on: loopback host (no DNS rebinding), no foreign origin, the right path and, when there is
 * one, the token. Answers it when not.
 */
export function admits(
  request: IncomingMessage,
  response: ServerResponse,
  { path, token, checkHost }: { path: string; token: string | undefined; checkHost: boolean },
): boolean {
  const { host = "", origin, authorization = "" } = request.headers;
  if (checkHost && !LOOPBACK_HOSTS.has(hostOf(host))) {
    refuse(response, 403, `host ${host.slice(0, 100)} is not this machine`);
    return false;
  }
  if (origin !== undefined && !isLoopbackOrigin(origin)) {
    refuse(response, 403, "requests from web pages of other hosts are refused");
    return false;
  }
  if (token !== undefined && !sameToken(/^Bearer\s+(.+)$/i.exec(authorization)?.[1] ?? "", token)) {
    refuse(response, 401, "missing or wrong bearer token");
    return false;
  }
  if ((request.url ?? "").split("?")[0] !== path) {
    refuse(response, 404, `this server answers at ${path}`);
    return false;
  }
  return true;
}

export class BodyRefused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Reads and parses a JSON body of at most `most` bytes.
 * @throws BodyRefused 413 for a larger one, 400 for one that is not JSON
 */
export async function readJsonBody(request: IncomingMessage, most: number): Promise<unknown> {
  const tooLarge = (): BodyRefused => new BodyRefused(413, `the request body is larger than ${most} bytes`);
  if (Number(request.headers["content-length"] ?? 0) > most) throw tooLarge();
  const body = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    // Not by iterating: leaving that loop would cut the connection before the refusal is sent.
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) reject(tooLarge());
      else chunks.push(chunk);
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", reject);
    request.once("close", () => reject(new BodyRefused(400, "the request ended early")));
  });
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new BodyRefused(400, "the request body is not JSON");
  }
}
