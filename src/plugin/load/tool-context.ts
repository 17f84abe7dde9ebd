import { randomUUID } from "node:crypto";
import type { OpenClawConfig } from "../../config/config.js";

/** What tool factories are told about a local run. Fields of channels and gateways stay absent. */
export interface LocalToolContext {
  config: OpenClawConfig;
  runtimeConfig: OpenClawConfig;
  getRuntimeConfig: () => OpenClawConfig;
  workspaceDir: string;
  agentId: string;
  sessionKey: string;
  sessionId: string;
  runId: string;
  /** Cells are sandboxed, tools are not. */
  sandboxed: false;
  /** Whoever runs the command line owns the machine. */
  senderIsOwner: true;
  oneShotCliRun: true;
  hasAuthForProvider: (provider: string) => boolean;
  resolveApiKeyForProvider: (provider: string) => Promise<string | undefined>;
  /** Throws once the run has ended or was cancelled. */
  assertInvocationCurrent: () => void;
}

export interface ToolContextOptions {
  config: OpenClawConfig;
  /** Folder tools work in; the current directory by default. */
  workspaceDir?: string;
  agentId?: string;
  /** Name of the `--session`; `local` by default. */
  session?: string;
  runId?: string;
  /** Ends the authority of this run when aborted. */
  signal?: AbortSignal;
}

/** The context factories get on a local run; the same object for every factory of the run. */
export function createToolContext(options: ToolContextOptions): LocalToolContext {
  const agentId = options.agentId ?? "main";
  const session = options.session ?? "local";
  return {
    config: options.config,
    runtimeConfig: options.config,
    getRuntimeConfig: () => options.config,
    workspaceDir: options.workspaceDir ?? process.cwd(),
    agentId,
    sessionKey: `agent:${agentId}:${session}`,
    sessionId: session,
    runId: options.runId ?? randomUUID(),
    sandboxed: false,
    senderIsOwner: true,
    oneShotCliRun: true,
    hasAuthForProvider: () => false,
    resolveApiKeyForProvider: async () => undefined,
    assertInvocationCurrent: () => {
      if (options.signal?.aborted) throw new Error("this tool invocation has ended");
    },
  };
}
