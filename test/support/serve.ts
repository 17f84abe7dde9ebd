import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { onTestFinished } from "vitest";
import { binFile } from "./cli.js";

export interface ServeOptions {
  args?: readonly string[];
  cwd: string;
  /** Folder for `openclaw.json` and installs. */
  stateDir: string;
  config?: unknown;
  env?: Record<string, string>;
}

/** A client that speaks as a model would: tools by name, results as objects. */
export interface ModelClient {
  client: Client;
  tools(): Promise<{ name: string; description?: string; inputSchema: any }[]>;
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<any>;
  /** The result object of a cell. */
  exec(code: string, options?: CallOptions & { args?: Record<string, unknown> }): Promise<any>;
  wait(runId: string, options?: CallOptions): Promise<any>;
  /** The value of a cell that must complete, over as many legs as a busy machine makes of it. */
  value(code: string): Promise<any>;
}

interface CallOptions {
  signal?: AbortSignal;
  onprogress?: (progress: { progress: number; message?: string | undefined }) => void;
}

export function writeConfig(stateDir: string, config: unknown): void {
  writeFileSync(join(stateDir, "openclaw.json"), JSON.stringify(config, null, 2));
}

function environment({ stateDir, env }: ServeOptions): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !/^(OPENCLAW_|VITEST|NODE_OPTIONS)/.test(name),
  );
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    NO_COLOR: "1",
    OPENCLAW_STATE_DIR: stateDir,
    ...env,
  };
}

/** Connects the official client and speaks through it. */
export async function modelClient(transport: Transport): Promise<ModelClient> {
  const client = new Client({ name: "test-model", version: "1.0.0" });
  await client.connect(transport);
  const call = async (name: string, args: Record<string, unknown>, options: CallOptions = {}) =>
    client.callTool({ name, arguments: args }, undefined, { timeout: 120_000, ...options });
  const exec = async (
    code: string,
    { args, ...options }: CallOptions & { args?: Record<string, unknown> } = {},
  ) => (await call("exec", { code, ...args }, options)).structuredContent as any;
  return {
    client,
    tools: async () => (await client.listTools()).tools as any,
    call,
    exec,
    wait: async (runId, options) => (await call("wait", { runId }, options)).structuredContent,
    value: async (code) => {
      let result = await exec(code);
      while (result.status === "waiting") {
        result = (await call("wait", { runId: result.runId })).structuredContent;
      }
      if (result.status !== "completed") throw new Error(JSON.stringify(result));
      return result.value;
    },
  };
}

export interface StdioServe extends ModelClient {
  pid: number;
  stderr(): string;
  close(): Promise<void>;
}

/** `openclaw mcp serve` on stdin and stdout, with a client. */
export async function serveStdio(options: ServeOptions): Promise<StdioServe> {
  if (options.config !== undefined) writeConfig(options.stateDir, options.config);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [binFile, "mcp", "serve", ...(options.args ?? [])],
    cwd: options.cwd,
    env: environment(options),
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const model = await modelClient(transport).catch((error: unknown) => {
    throw new Error(`${error}\n${stderr}`);
  });
  return { ...model, pid: transport.pid!, stderr: () => stderr, close: () => model.client.close() };
}

export interface HttpServe {
  url: string;
  token: string | null;
  child: ChildProcess;
  stderr(): string;
  connect(): Promise<ModelClient>;
  /** Resolves with exit code or signal. */
  ended: Promise<number | NodeJS.Signals | null>;
  stop(): Promise<void>;
}

/** `openclaw mcp serve --http`, listening. */
export async function serveHttp(options: ServeOptions): Promise<HttpServe> {
  if (options.config !== undefined) writeConfig(options.stateDir, options.config);
  const args = [binFile, "mcp", "serve", "--http", "--json", ...(options.args ?? [])];
  const child = spawn(process.execPath, args, {
    cwd: options.cwd,
    env: environment(options),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  let stdout = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once("exit", (code, signal) => resolve(code ?? signal)),
  );
  const started = await new Promise<{ url: string; token: string | null }>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk;
      if (stdout.endsWith("}\n")) resolve(JSON.parse(stdout));
    });
    void ended.then((how) => reject(new Error(`serve ended (${how}): ${stdout}${stderr}`)));
  });
  const clients: Client[] = [];
  return {
    ...started,
    child,
    stderr: () => stderr,
    ended,
    async connect() {
      const headers: Record<string, string> =
        started.token === null ? {} : { Authorization: `Bearer ${started.token}` };
      const transport = new StreamableHTTPClientTransport(new URL(started.url), {
        requestInit: { headers },
      });
      const model = await modelClient(transport as unknown as Transport);
      clients.push(model.client);
      return model;
    },
    async stop() {
      await Promise.all(clients.map((client) => client.close().catch(() => {})));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Ends with the test. */
export async function serveHttpForTest(options: ServeOptions): Promise<HttpServe> {
  const server = await serveHttp(options);
  onTestFinished(() => server.stop());
  return server;
}

/** Waits until `check` holds. */
export async function until(
  what: string,
  check: () => boolean | Promise<boolean>,
  ms = 15_000,
): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
