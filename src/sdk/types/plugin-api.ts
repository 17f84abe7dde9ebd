import type { AnyAgentTool } from "./agent-tool.js";
import type { OpenClawPluginToolContext } from "./tool-context.js";

export interface PluginLogger {
  debug?(message: string, ...rest: unknown[]): void;
  info(message: string, ...rest: unknown[]): void;
  warn(message: string, ...rest: unknown[]): void;
  error(message: string, ...rest: unknown[]): void;
}

type MadeTools = AnyAgentTool | AnyAgentTool[] | null | undefined;

/** Makes a tool for one run, or `null` to sit that run out. The object form opts in to version 2. */
export type OpenClawPluginToolFactory<Version extends 1 | 2 = 1> = Version extends 2
  ? { contextVersion: 2; create(context: OpenClawPluginToolContext<2>): MadeTools | Promise<MadeTools> }
  : (context: OpenClawPluginToolContext) => MadeTools | Promise<MadeTools>;

export interface RegisterToolOptions {
  name?: string;
  names?: string[];
  /** Offered only to users who allow it by name. */
  optional?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: capabilities of the full product this toolchain only records
type Registration = (...args: any[]) => any;

/** What `register(api)` gets. Only tools and hooks around tool calls act here; the rest is recorded. */
export interface OpenClawPluginApi {
  id: string;
  name?: string;
  version?: string;
  description?: string;
  /** The entry file. */
  source?: string;
  rootDir?: string;
  /** The user's whole configuration. */
  config: Record<string, unknown>;
  /** This plugin's part of it, checked against its schema. */
  pluginConfig?: Record<string, unknown>;
  logger: PluginLogger;
  // biome-ignore lint/suspicious/noExplicitAny: the host's services, far wider than this toolchain
  runtime: any;
  registerTool(
    tool: AnyAgentTool | OpenClawPluginToolFactory<1> | OpenClawPluginToolFactory<2>,
    options?: RegisterToolOptions,
  ): void;
  on: Registration;
  registerHook: Registration;
  registerProvider: Registration;
  registerService: Registration;
  registerCommand: Registration;
  registerCli: Registration;
  registerChannel: Registration;
  registerHttpRoute: Registration;
  registerGatewayMethod: Registration;
  resolvePath(path: string): string;
}
