import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { OwnedChild } from "./child.js";

/** One message must fit here; beyond it a server is writing something else than an answer. */
const MAX_LINE = 64 * 1024 * 1024;

/**
 * Newline-delimited JSON-RPC over a child of ours. Lines that are no message are reported and skipped,
 * and an answer in a shape the protocol does not know becomes an error answer, so that nobody waits for it.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  #closed = false;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(
    private readonly child: OwnedChild,
    private readonly onNoise: (line: string) => void,
  ) {}

  async start(): Promise<void> {
    this.child.stdout.on("data", (chunk: Buffer) => this.#read(chunk));
    this.child.stdout.on("error", () => {});
    // A server that closes its output lives on without ever answering again.
    this.child.stdout.on("end", () => this.#finish());
    void this.child.ended.then(() => this.#finish());
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#closed || !this.child.stdin.writable) return reject(new Error("Connection closed"));
      this.child.stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    this.#finish();
    await this.child.end();
  }

  #finish(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#chunks = [];
    this.onclose?.();
  }

  #read(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0 && !this.#closed; at = chunk.indexOf(10, from)) {
      this.#chunks.push(chunk.subarray(from, at));
      const line = Buffer.concat(this.#chunks).toString("utf8");
      this.#chunks = [];
      this.#size = 0;
      from = at + 1;
      this.#line(line);
    }
    if (this.#closed || from === chunk.length) return;
    this.#chunks.push(chunk.subarray(from));
    this.#size += chunk.length - from;
    if (this.#size <= MAX_LINE) return;
    this.onNoise(`a line of more than ${MAX_LINE / 1024 / 1024} MiB`);
    void this.close();
  }

  #line(line: string): void {
    const text = line.trim();
    if (text === "") return;
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      this.onNoise(line);
      return;
    }
    const messages = (Array.isArray(parsed) ? parsed : [parsed]).map(normalise);
    if (messages.every((message) => message === undefined)) this.onNoise(line);
    for (const message of messages) if (message !== undefined) this.onmessage?.(message);
  }
}

function normalise(value: unknown): JSONRPCMessage | undefined {
  if (!isRecord(value)) return undefined;
  const { id, method, params, result, error } = value;
  if (typeof method === "string") {
    const body = { jsonrpc: "2.0", method, ...(isRecord(params) ? { params } : {}) };
    return (id === undefined || id === null ? body : { ...body, id }) as JSONRPCMessage;
  }
  if (typeof id !== "number" && typeof id !== "string") return undefined;
  const answer = (rest: object): JSONRPCMessage => ({ jsonrpc: "2.0", id, ...rest }) as JSONRPCMessage;
  if (isRecord(error)) {
    const code = Number.isSafeInteger(error.code) ? error.code : -32603;
    return answer({ error: { code, message: String(error.message ?? "no message"), data: error.data } });
  }
  if (isRecord(result)) {
    // Metadata of the answer is the server's private business, and the protocol layer is strict about it.
    const { _meta, ...visible } = result;
    return answer({ result: visible });
  }
  if (!("result" in value) && !("error" in value)) return undefined;
  return answer({ error: { code: -32603, message: "the answer is not a result object" } });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
