import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { version } from "../version.js";
import { type OwnedChild, startChild } from "./child.js";
import { type ResolvedServer, redact } from "./expand.js";
import { describe, endText, isClosed, seconds } from "./failure-text.js";
import { LogTail } from "./log-tail.js";
import { StdioTransport } from "./stdio-transport.js";

/** Node's timers hold no more; a longer one would fire at once. */
const MAX_TIMER = 2_147_483_647;

export interface ConnectionOptions {
  serverName: string;
  startMs: number;
  onLog?: ((line: string) => void) | undefined;
  /** The server runs; requests made here go out behind the one that started it. */
  onReady?: ((facts: ServerFacts) => void) | undefined;
  onListChanged?: ((facts: ServerFacts) => void) | undefined;
}

export interface RequestOptions {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: unknown) => void) | undefined;
  /** What is asked, for messages: `tool "stat"`. */
  what: string;
}

export interface ServerFacts {
  server: { name: string; version: string; title?: string };
  instructions?: string;
  resources: boolean;
  prompts: boolean;
}

/** The server cannot be reached, now or for the rest of the run. */
export class UnavailableServer extends Error {
  constructor(
    serverName: string,
    readonly reason: string,
  ) {
    super(`server ${JSON.stringify(serverName)} is unavailable: ${reason}`);
    this.name = "UnavailableServer";
  }
}

/** Takes any result: what a server answers is data for the cell, not ours to judge. */
const ANYTHING = { safeParse: (data: unknown) => ({ success: true, data }) } as never;

/** One server, started at most once: when it is first asked for anything, until `close()`. */
export class McpConnection {
  readonly #tail: LogTail;
  readonly #closing = new AbortController();
  readonly #inFlight = new Set<AbortController>();
  #client: Client | undefined;
  #child: OwnedChild | undefined;
  #connecting: Promise<ServerFacts> | undefined;
  #closed: Promise<void> | undefined;
  #failure: string | undefined;

  constructor(
    private readonly resolved: ResolvedServer,
    private readonly options: ConnectionOptions,
  ) {
    this.#tail = new LogTail((line) => options.onLog?.(redact(line, resolved.secrets)));
  }

  /**
   * Starts and initialises the server, once.
   * @throws UnavailableServer with the reason, the same on every later call
   */
  connect(): Promise<ServerFacts> {
    this.#connecting ??= this.#connect().catch(async (error: unknown) => {
      const reason = await this.#reason(error);
      this.#failure ??= reason;
      // Nobody needs to wait for the end of a server that was no use; close() does.
      void this.#shutDown();
      throw this.#unavailable(reason);
    });
    // Callers wait for it at their own pace; a failure nobody waits for is told by the next call.
    this.#connecting.catch(() => {});
    return this.#connecting;
  }

  /**
   * Sends one request, after connecting when that has not happened yet. Aborting tells the server.
   * @throws UnavailableServer, or an Error with the server's own words
   */
  async request(method: string, params: Record<string, unknown>, options: RequestOptions): Promise<unknown> {
    await abortable(this.connect(), options.signal);
    if (this.#client === undefined || this.#failure !== undefined) {
      throw this.#unavailable(this.#failure ?? "the run is over");
    }
    const timeout = Math.min(options.timeoutMs, MAX_TIMER);
    // A signal of its own: the protocol layer never lets go of one, and would cancel long finished requests.
    const abort = new AbortController();
    const stop = (): void => abort.abort(options.signal?.reason);
    if (options.signal?.aborted) stop();
    options.signal?.addEventListener("abort", stop, { once: true });
    this.#inFlight.add(abort);
    try {
      return await this.#client.request({ method, params }, ANYTHING, {
        timeout,
        signal: abort.signal,
        ...(options.onProgress === undefined ? {} : { onprogress: options.onProgress }),
      });
    } catch (error) {
      throw await this.#requestError(error, options, timeout);
    } finally {
      this.#inFlight.delete(abort);
      options.signal?.removeEventListener("abort", stop);
    }
  }

  /** Cancels what is in flight, then ends the server. Never rejects. */
  close(): Promise<void> {
    this.#failure ??= "the run is over";
    return this.#shutDown();
  }

  #shutDown(): Promise<void> {
    this.#closed ??= (async () => {
      this.#closing.abort(new Error("the connection is closed"));
      for (const request of this.#inFlight) request.abort(this.#closing.signal.reason);
      const { resolved } = this;
      if (resolved.kind === "http") await endSession(this.#client?.transport);
      await this.#client?.close().catch(() => {});
      await this.#child?.end();
    })();
    return this.#closed;
  }

  async #connect(): Promise<ServerFacts> {
    if (this.#closing.signal.aborted) throw new Error("the run is over");
    const { resolved, options } = this;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`start-up timed out after ${seconds(options.startMs)} (limit mcpStartMs)`)),
        Math.min(options.startMs, MAX_TIMER),
      );
    });
    try {
      return await Promise.race([this.#handshake(resolved), late, aborted(this.#closing.signal)]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #handshake(resolved: ResolvedServer): Promise<ServerFacts> {
    // The process boots while the protocol layer loads.
    if (resolved.kind === "stdio") {
      const child = await startChild(resolved);
      this.#child = child;
      if (this.#closing.signal.aborted) await child.end();
      this.#tail.follow(child.stderr);
      void child.ended.then((end) => {
        this.#failure ??= endText(end);
      });
    }
    const [{ Client }, types] = await Promise.all([
      import("@modelcontextprotocol/sdk/client/index.js"),
      import("@modelcontextprotocol/sdk/types.js"),
    ]);
    const transport = await this.#transport(resolved);
    const client = new Client({ name: "openclaw", version }, { capabilities: {} });
    this.#client = client;
    client.onerror = () => {};
    let facts: ServerFacts | undefined;
    client.setNotificationHandler(types.ToolListChangedNotificationSchema, () => {
      if (facts !== undefined) this.options.onListChanged?.(facts);
    });
    // Its end comes from closing the transport: the protocol forbids to cancel the first request.
    await client.connect(transport, { timeout: MAX_TIMER });
    const capabilities = client.getServerCapabilities() ?? {};
    const { name = "", version: reported = "", title } = client.getServerVersion() ?? {};
    const instructions = client.getInstructions();
    facts = {
      server: { name, version: reported, ...(title === undefined ? {} : { title }) },
      ...(instructions === undefined ? {} : { instructions }),
      resources: capabilities.resources !== undefined,
      prompts: capabilities.prompts !== undefined,
    };
    // The call that made us connect is sent first.
    setTimeout(() => this.options.onReady?.(facts as ServerFacts), 0);
    return facts;
  }

  async #transport(resolved: ResolvedServer): Promise<Transport> {
    if (resolved.kind === "stdio") {
      return new StdioTransport(this.#child as OwnedChild, (line) => this.#tail.add(line));
    }
    const { StreamableHTTPClientTransport } = await import(
      "@modelcontextprotocol/sdk/client/streamableHttp.js"
    );
    return new StreamableHTTPClientTransport(new URL(resolved.url), {
      requestInit: { headers: resolved.headers },
    }) as Transport;
  }

  #unavailable(reason: string): UnavailableServer {
    return new UnavailableServer(this.options.serverName, reason);
  }

  /** Why connecting failed, in one line; waits a moment for the process to say it. */
  async #reason(error: unknown): Promise<string> {
    const { resolved } = this;
    let text = describe(error, resolved);
    if (this.#child !== undefined && isClosed(error)) {
      const end = await Promise.race([this.#child.ended, pause(500)]);
      if (end !== undefined) {
        text = endText(end);
      }
    }
    const tail = this.#tail.summary();
    return redact(tail === "" ? text : `${text}: ${tail}`, resolved.secrets);
  }

  async #requestError(error: unknown, { what, signal }: RequestOptions, timeout: number): Promise<Error> {
    const { serverName } = this.options;
    const where = `server ${JSON.stringify(serverName)}, ${what}`;
    if (signal?.aborted) return new Error(`${where}: the call was cancelled`, { cause: error });
    const code = (error as { code?: unknown }).code;
    if (code === -32001 && !this.#closing.signal.aborted) {
      return new Error(`${where}: no answer after ${seconds(timeout)}`, { cause: error });
    }
    const closed = isClosed(error);
    if (closed || this.#closing.signal.aborted) {
      const end = this.#child === undefined ? undefined : await Promise.race([this.#child.ended, pause(500)]);
      if (end !== undefined || closed) {
        const tail = this.#tail.summary();
        const reason = this.#failure ?? "the connection was closed";
        this.#failure = redact(
          tail === "" || reason.endsWith(tail) ? reason : `${reason}: ${tail}`,
          this.resolved.secrets,
        );
        return this.#unavailable(this.#failure);
      }
    }
    return new Error(redact(`${where}: ${describe(error, this.resolved)}`, this.resolved.secrets), {
      cause: error,
    });
  }
}

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref());
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) return reject(new Error("the run is over"));
    signal.addEventListener("abort", () => reject(new Error("the run is over")), { once: true });
  });
}

/** Waits for shared work; the signal ends the wait, not the work. */
async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  signal.throwIfAborted();
  let stop = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Servers keep HTTP sessions until they are told; one that does not answer is not waited for. */
async function endSession(transport: Transport | undefined): Promise<void> {
  const http = transport as { terminateSession?: () => Promise<void>; sessionId?: string } | undefined;
  if (http?.sessionId === undefined) return;
  await Promise.race([http.terminateSession?.().catch(() => {}), pause(500)]);
}
