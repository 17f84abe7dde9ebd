import type { TSchema } from "typebox";
import type { AgentToolResult, AnyAgentTool } from "./agent-tool.js";
import type { InferSchema, MaybePromise, Returnable } from "./infer.js";
import type { OpenClawPluginApi } from "./plugin-api.js";
import type { OpenClawPluginToolContext } from "./tool-context.js";

/** Third argument of `execute`. */
export interface ToolExecutionContext {
  api: OpenClawPluginApi;
  toolCallId: string;
  /** Aborted when the call is cancelled or its run ends. */
  signal?: AbortSignal;
  /** Reports progress while the call runs. */
  onUpdate?: (partial: AgentToolResult) => void;
}

/** Argument of `factory`. */
export interface ToolFactoryContext<Config> {
  api: OpenClawPluginApi;
  config: Config;
  toolContext: OpenClawPluginToolContext;
}

interface ToolIdentity<Parameters> {
  /** Stable name, unique in the plugin: letters, digits, `_` and `-`. */
  name: string;
  /** Display name; the tool name by default. */
  label?: string;
  description: string;
  /** TypeBox or JSON Schema of the arguments. */
  parameters: Parameters;
  /** Users must allow the tool by name before a model sees it. */
  optional?: boolean;
  /**
   * How much of the workspace the tool needs: `false` none, `"execute"` only while it runs, `true`
   * already while its factory runs. Left out, the host waits for a complete workspace.
   */
  workspaceAccess?: boolean | "execute";
}

/** Stands for a tool without an output schema. */
export interface NoOutputSchema {
  readonly "~openclaw": "none";
}

/** What `execute` may return: anything without an output schema, else what the schema describes. */
export type ToolResult<Output> = [Output] extends [NoOutputSchema]
  ? unknown
  : Returnable<InferSchema<Output>>;

/** A tool whose function is known when the plugin is defined. */
export interface StaticToolDefinition<Config, Parameters, Output> extends ToolIdentity<Parameters> {
  /** Schema of the value `execute` returns; a mismatch fails the call. */
  outputSchema?: Output;
  // Types flow from the schemas into this function and never back. Without `NoInfer` the compiler would try
  // to work a schema out of what the function takes and returns, for ten times the cost of everything else.
  execute: NoInfer<
    (
      params: InferSchema<Parameters>,
      config: Config,
      context: ToolExecutionContext,
    ) => MaybePromise<ToolResult<Output>>
  >;
  factory?: never;
}

/** A tool made anew for each run; its output schema belongs on the tool the factory returns. */
export interface FactoryToolDefinition<Config, Parameters> extends ToolIdentity<Parameters> {
  factory(
    context: ToolFactoryContext<Config>,
  ): MaybePromise<AnyAgentTool | AnyAgentTool[] | null | undefined>;
  execute?: never;
  outputSchema?: never;
}

/** Any tool of a plugin, its types forgotten. */
export interface AnyToolDefinition extends ToolIdentity<object> {
  outputSchema?: object;
  // biome-ignore lint/suspicious/noExplicitAny: a list of tools has no common parameter type
  execute?(params: any, config: any, context: ToolExecutionContext): unknown;
  factory?(
    // biome-ignore lint/suspicious/noExplicitAny: nor a common type of settings
    context: ToolFactoryContext<any>,
  ): MaybePromise<AnyAgentTool | AnyAgentTool[] | null | undefined>;
}

/** Passed to `tools`: returns its argument unchanged, and lets TypeScript infer from the schemas. */
export type ToolHelper<Config> = <Parameters extends TSchema, Output extends TSchema = NoOutputSchema>(
  definition: StaticToolDefinition<Config, Parameters, Output> | FactoryToolDefinition<Config, Parameters>,
) => AnyToolDefinition;

/** When a host loads the plugin. */
export interface PluginActivation {
  onStartup?: boolean;
  [condition: string]: unknown;
}

/** Argument of `defineToolPlugin`. */
export interface ToolPluginDefinition<ConfigSchema extends TSchema> {
  id: string;
  name: string;
  description: string;
  /** `{ onStartup: true }` by default. */
  activation?: PluginActivation;
  /** Schema of the plugin's configuration; no configuration at all when left out. */
  configSchema?: ConfigSchema;
  /** Called once, when the plugin is defined. */
  tools: NoInfer<(tool: ToolHelper<InferSchema<ConfigSchema>>) => readonly AnyToolDefinition[]>;
}

/** What a host may know of a tool without running any of it. */
export interface ToolMetadata {
  name: string;
  label: string;
  description: string;
  parameters: unknown;
  outputSchema?: unknown;
  optional?: boolean;
  workspaceAccess?: boolean | "execute";
}

/** What a host may know of a plugin without registering it. */
export interface ToolPluginMetadata {
  id: string;
  name: string;
  description: string;
  activation: PluginActivation;
  /** JSON Schema. */
  configSchema: unknown;
  tools: readonly ToolMetadata[];
}

export interface ConfigIssue {
  path: (string | number)[];
  message: string;
}

/** A plugin's configuration schema as hosts use it. */
export interface PluginConfigSchema {
  /** Checks a configuration; `data` is a copy with the schema's defaults filled in. */
  safeParse(
    value: unknown,
  ): { success: true; data: unknown } | { success: false; error: { issues: ConfigIssue[] } };
  jsonSchema: Record<string, unknown>;
}

/** The default export of a plugin made with `defineToolPlugin`. */
export interface ToolPluginEntry {
  id: string;
  name: string;
  description: string;
  readonly configSchema: PluginConfigSchema;
  register(api: OpenClawPluginApi): void;
}
