import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import { UsageFailure } from "../../errors.js";
import type { Service } from "../../serve/service.js";
import { ownStdout } from "../../ui/own-stdout.js";
import { type CommandContext, collect, examples } from "../command.js";
import { limitsFromFlags } from "../limit-flags.js";
import { setupFor, type ToolFlags, toolOptions } from "../tool-flags.js";

interface ServeFlags extends ToolFlags {
  http?: boolean;
  port?: string;
  host?: string;
  /** False with `--no-token`. */
  token: boolean;
  maxBody?: string;
  limit?: string[];
  approve?: string;
  trajectory?: string;
  json?: boolean;
}

const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_CONNECTIONS = 64;
/** A client that has been away for so long starts anew. */
const IDLE_MS = 30 * 60_000;

function wholeNumber(flag: string, value: string | undefined, fallback: number, most: number): number {
  if (value === undefined) return fallback;
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number <= most) return number;
  throw new UsageFailure(`${flag} ${value}: give a whole number up to ${most}`);
}

interface HttpFlags {
  port: number;
  host: string;
  maxBodyBytes: number;
  token: string | undefined;
  /** Whether the token was made here, so that the user cannot know it. */
  fresh: boolean;
}

function httpFlags(flags: ServeFlags, env: NodeJS.ProcessEnv): HttpFlags {
  const host = flags.host ?? "127.0.0.1";
  if (!flags.token && !LOOPBACK.has(host)) {
    throw new UsageFailure(
      `--no-token with --host ${host} would let anybody on the network run your tools`,
      "Leave out --no-token, or serve on 127.0.0.1.",
    );
  }
  const given = env.OPENCLAW_SERVE_TOKEN?.trim() || undefined;
  if (given !== undefined && !/^[\x21-\x7e]+$/.test(given)) {
    throw new UsageFailure("OPENCLAW_SERVE_TOKEN must be visible ASCII characters without blanks");
  }
  return {
    host,
    port: wholeNumber("--port", flags.port, 0, 65_535),
    maxBodyBytes: wholeNumber("--max-body", flags.maxBody, MAX_BODY_BYTES, 1024 * 1024 * 1024),
    token: flags.token ? (given ?? randomBytes(24).toString("base64url")) : undefined,
    fresh: flags.token && given === undefined,
  };
}

/** Flags that mean something over HTTP only: silently ignored, they would promise what is not done. */
function refuseHttpFlags(flags: ServeFlags): void {
  const misplaced = [
    ...(flags.port === undefined ? [] : ["--port"]),
    ...(flags.host === undefined ? [] : ["--host"]),
    ...(flags.maxBody === undefined ? [] : ["--max-body"]),
    ...(flags.token ? [] : ["--no-token"]),
    ...(flags.json ? ["--json"] : []),
  ];
  if (misplaced.length === 0) return;
  throw new UsageFailure(
    `${misplaced.join(", ")}: only with --http`,
    "Without --http the server speaks MCP on stdin and stdout.",
  );
}

function approver(mode: string | undefined): () => Promise<boolean> {
  if (mode === "ask") {
    throw new UsageFailure("--approve ask: a server has nobody to ask; use always or never");
  }
  if (mode !== undefined && mode !== "always" && mode !== "never") {
    throw new UsageFailure(`--approve ${mode}: use always or never`);
  }
  return async () => mode === "always";
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

async function overHttp(service: Service, http: HttpFlags, context: CommandContext): Promise<void> {
  const { reporter, signal } = context;
  const { url } = await service.overHttp({
    ...http,
    maxConnections: MAX_CONNECTIONS,
    idleMs: IDLE_MS,
  });
  reporter.document({ url, token: http.token ?? null, pid: process.pid });
  reporter.print(`Serving MCP at ${url}`);
  if (!reporter.json) {
    if (http.fresh) reporter.note(`Bearer token of this run: ${http.token}`);
    else if (http.token !== undefined) reporter.note("Bearer token: the value of OPENCLAW_SERVE_TOKEN");
    else reporter.note("No token is asked for: every program on this machine can run these tools.");
  }
  await aborted(signal);
}

async function serve(flags: ServeFlags, context: CommandContext): Promise<void> {
  const { reporter, env, signal } = context;
  if (!flags.http) refuseHttpFlags(flags);
  const approve = approver(flags.approve);
  const http = flags.http ? httpFlags(flags, env) : undefined;
  // Only the first reading tells of limits out of range; later ones have the same flags.
  let told = false;
  const { openService } = await import("../../serve/service.js");
  const service = await openService({
    approve,
    trajectory: flags.trajectory,
    secrets: http?.token === undefined ? [] : [http.token],
    setup: {
      ...setupFor(flags, context),
      limits: ({ limitSettings }) => {
        const quiet = { ...reporter, warn: () => {} };
        const limits = limitsFromFlags(limitSettings, flags.limit, told ? quiet : reporter);
        told = true;
        return limits;
      },
    },
  });
  try {
    if (http === undefined) await service.overStreams(process.stdin, ownStdout(), signal);
    else await overHttp(service, http, context);
  } finally {
    await service.close();
  }
}

export function configure(command: Command, context: CommandContext): void {
  toolOptions(command)
    .description(
      "Offer exec and wait over your plugins and MCP servers to any MCP client, on stdin and stdout or over HTTP",
    )
    .option("--http", "serve streamable HTTP instead of stdin and stdout")
    .option("--port <n>", "with --http: port (default: 0, the system chooses)")
    .option("--host <address>", "with --http: address to listen on (default: 127.0.0.1)")
    .option("--no-token", "with --http, on this machine only: ask clients for no bearer token")
    .option("--max-body <bytes>", `with --http: largest request body (default: ${MAX_BODY_BYTES})`)
    .option("--limit <name=value>", "set a Code Mode limit, as in timeoutMs=2000; repeatable", collect)
    .option("--approve <mode>", "always or never: the answer to calls that want approval (default: never)")
    .option("--trajectory <file>", "write all calls as JSON lines to this file")
    .option("--json", "with --http: print {url, token, pid} once it listens")
    .action((flags: ServeFlags) => serve(flags, context));
  examples(command, [
    "openclaw mcp serve",
    "openclaw mcp serve --plugin . --mcp ./mcp.json --limit timeoutMs=30000",
    "OPENCLAW_SERVE_TOKEN=$(openssl rand -hex 24) openclaw mcp serve --http --port 8790",
  ]);
}
