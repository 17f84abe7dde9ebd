import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { buildCatalog } from "../../src/catalog/build.js";
import type { EffectiveTool } from "../../src/catalog/tool.js";
import type { McpServerConfig } from "../../src/config/config.js";
import { type CodeModeLimits, resolveLimits } from "../../src/config/limits.js";
import { connectServers } from "../../src/mcp/connect.js";
import type { ConnectOptions, McpConnections } from "../../src/mcp/types.js";
import { createCellSession } from "../../src/runtime/session.js";
import type { CellSession } from "../../src/runtime/types.js";
import { tempDir } from "./temp.js";

const serverFile = fileURLToPath(new URL("../fixtures/mcp/server.mjs", import.meta.url));

/** A purpose-made server, see test/fixtures/mcp/server.mjs. */
export function testServer(behaviour: string, env: Record<string, string> = {}): McpServerConfig {
  return { command: process.execPath, args: [serverFile, behaviour], env };
}

/** A server installed from npm, started by its own entry file. */
export function npmServer(name: string, entry: string, ...args: string[]): McpServerConfig {
  return {
    command: process.execPath,
    args: [fileURLToPath(new URL(`../../node_modules/${name}/${entry}`, import.meta.url)), ...args],
  };
}

/** Connects, and closes when the test ends. */
export async function connect(
  servers: Record<string, McpServerConfig>,
  options: Partial<ConnectOptions> = {},
): Promise<McpConnections & { call: (name: string, input?: unknown, signal?: AbortSignal) => Promise<any> }> {
  const connections = await connectServers({
    servers,
    startMs: 10_000,
    requestTimeoutMs: 60_000,
    ...options,
  });
  onTestFinished(() => connections.close());
  return {
    ...connections,
    call: (name, input = {}, signal) => call(toolNamed(connections.tools, name), input, signal),
  };
}

export function toolNamed(tools: readonly EffectiveTool[], name: string): EffectiveTool {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name} among ${tools.map((one) => one.name).join(", ")}`);
  return tool;
}

export function call(
  tool: EffectiveTool,
  input: unknown = {},
  signal = new AbortController().signal,
): Promise<any> {
  return tool.execute({ toolCallId: "call", input, signal });
}

/** A file servers write what happens to them to. */
export function journal(): {
  file: string;
  lines: () => string[];
  pids: () => number[];
  until: (line: RegExp) => Promise<void>;
} {
  const file = join(tempDir(), "journal");
  const lines = (): string[] =>
    existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
  return {
    file,
    lines,
    pids: () =>
      lines()
        .flatMap((line) => (/^(?:start|grandchild) (\d+)$/.exec(line)?.[1] ?? []) as string | never[])
        .map(Number),
    until: async (wanted) => {
      for (let tries = 0; tries < 500; tries += 1) {
        if (lines().some((line) => wanted.test(line))) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`the journal never said ${wanted}: ${lines().join("; ")}`);
    },
  };
}

export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie still answers; it is nobody's process any more.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Processes whose environment holds this text, whether or not they ever said so; Linux only. */
export function processesWith(text: string): number[] {
  if (!existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readFileSync(`/proc/${pid}/environ`, "latin1").includes(text) && alive(pid);
      } catch {
        return false;
      }
    });
}

/** Whether all of these processes are gone within the time. */
export async function goneWithin(pids: readonly number[], ms: number): Promise<number[]> {
  const deadline = Date.now() + ms;
  let left = pids.filter(alive);
  while (left.length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    left = left.filter(alive);
  }
  return left;
}

/** A session whose cells see these servers; everything ends with the test. */
export async function mcpCells(
  servers: Record<string, McpServerConfig>,
  options: Partial<ConnectOptions> & { limits?: Partial<CodeModeLimits> } = {},
): Promise<{
  connections: McpConnections;
  session: CellSession;
  /** The value of a cell that must complete. */
  run: (code: string) => Promise<any>;
}> {
  const { limits: settings, ...rest } = options;
  const connections = await connect(servers, rest);
  const limits = resolveLimits({ timeoutMs: 30_000, ...settings });
  const session = createCellSession({ catalog: buildCatalog(connections.tools, limits), limits });
  onTestFinished(() => session.close());
  return {
    connections,
    session,
    run: async (code) => {
      const result = await session.exec({ code });
      if (result.status !== "completed") throw new Error(JSON.stringify(result));
      return result.value;
    },
  };
}
