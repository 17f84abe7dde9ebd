import type { Readable, Writable } from "node:stream";
import type { Approver } from "../catalog/hooks.js";
import { debugFlags } from "../debug/flags.js";
import { observeRun, type RunObserver } from "../debug/observe.js";
import { startRuntime } from "../runtime/supervisor/pool.js";
import { type RunSetup, type SetupOptions, setUpRun } from "../toolset/setup.js";
import { type Connection, openConnection } from "./connection.js";
import { type Generations, openGenerations } from "./generations.js";
import { type HttpOptions, type HttpService, serveHttp } from "./http-server.js";

export interface ServiceOptions {
  setup: Omit<SetupOptions, "onServerLog" | "onToolsChanged">;
  approve: Approver;
  trajectory?: string | undefined;
  /** Kept out of all debugging output. */
  secrets: readonly string[];
}

/** The tools of this machine, ready to be offered to MCP clients. */
export interface Service {
  /**
   * Serves one client on a pair of streams until the input ends or `signal` is aborted. Calls that run when the input
   * ends have a second to finish.
   */
  overStreams(input: Readable, output: Writable, signal: AbortSignal): Promise<void>;
  overHttp(options: Omit<HttpOptions, "generations" | "approve" | "observer">): Promise<HttpService>;
  close(): Promise<void>;
}

/** How long calls may go on when nobody can send another one, ms. */
const LAST_CALLS_MS = 1_000;

/**
 * Loads configuration, plugins and servers and watches them.
 * @throws CommandFailure as `setUpRun` and `observeRun` do
 */
export async function openService({
  setup: options,
  approve,
  trajectory,
  secrets,
}: ServiceOptions): Promise<Service> {
  const { env, cwd, onWarning } = options;
  startRuntime();
  let observer: RunObserver | undefined;
  let generations: Generations | undefined;
  const early: [string, string][] = [];
  const tellLine = (name: string, line: string): void =>
    observer === undefined ? void early.push([name, line]) : observer.log("server", { name, line });

  let told = new Set<string>();

  async function load(): Promise<RunSetup> {
    // What was said of the state before this one is not said again.
    const lines = new Set<string>();
    const setup = await setUpRun({
      ...options,
      onWarning: (line) => {
        lines.add(line);
        if (!told.has(line)) onWarning(line);
      },
      ...(debugFlags(env).codeMode ? { onServerLog: tellLine } : {}),
      onToolsChanged: () => generations?.refresh(),
    });
    told = lines;
    const config = [setup.config, setup.toolset.servers];
    try {
      if (observer === undefined) observer = await observeRun({ env, config, cwd, trajectory, secrets });
      else observer.learn(config);
    } catch (error) {
      await setup.toolset.close();
      throw error;
    }
    for (const [name, line] of early.splice(0)) tellLine(name, line);
    return setup;
  }

  const opened = await openGenerations({
    load,
    onWarning,
    onLoaded({ catalog, limits, settings }, visible) {
      const engaged = settings.enabled !== false;
      const reason = engaged ? "asked for by openclaw mcp serve" : "disabled";
      observer?.log("activation", { engaged, reason, setting: settings.enabled, visible: visible.length });
      observer?.onCatalog(catalog, limits);
    },
  });
  generations = opened;
  const watching = observer!;
  const shared = { generations: opened, approve, observer: watching };
  const open = new Set<{ close(): Promise<void> }>();

  return {
    async overStreams(input, output, signal) {
      const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
      const ended = new Promise<"input" | "signal">((resolve) => {
        for (const event of ["end", "close", "error"]) input.once(event, () => resolve("input"));
        signal.addEventListener("abort", () => resolve("signal"), { once: true });
        if (signal.aborted) resolve("signal");
      });
      const connection: Connection = await openConnection(new StdioServerTransport(input, output), shared);
      open.add(connection);
      if ((await ended) === "input") await lastCalls(connection, signal);
      await connection.close();
      open.delete(connection);
    },
    async overHttp(http) {
      const service = await serveHttp({ ...http, ...shared });
      open.add(service);
      return service;
    },
    async close() {
      await Promise.all([...[...open].map((one) => one.close()), opened.close()]);
      await watching.close();
    },
  };
}

async function lastCalls(connection: Connection, signal: AbortSignal): Promise<void> {
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LAST_CALLS_MS);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  // What was read last begins within a turn, and what is answered last is written within another.
  await turn();
  await Promise.race([connection.idle(), late]);
  clearTimeout(timer);
  await turn();
}
