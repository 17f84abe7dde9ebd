import type { TObject, TSchema, TUnsafe } from "typebox";
import { EMPTY_CONFIG_SCHEMA, pluginConfigSchema } from "./definition/config-schema.js";
import { pluginProblems, ToolPluginDefinitionError, toolListProblems } from "./definition/problems.js";
import { wrapResult } from "./definition/wrap-result.js";
import type { OpenClawPluginApi, RegisterToolOptions } from "./types/plugin-api.js";
import type { OpenClawPluginToolContext } from "./types/tool-context.js";
import type {
  AnyToolDefinition,
  PluginConfigSchema,
  ToolMetadata,
  ToolPluginDefinition,
  ToolPluginEntry,
  ToolPluginMetadata,
} from "./types/tool-definition.js";

export type { DefinitionProblem } from "./definition/problems.js";
export { ToolPluginDefinitionError } from "./definition/problems.js";
export type * from "./types/agent-tool.js";
export type * from "./types/plugin-api.js";
export type * from "./types/tool-context.js";
export type * from "./types/tool-definition.js";

/** Where an entry keeps its metadata. A global symbol, so that every host and every copy finds it. */
export const toolPluginMetadataSymbol: unique symbol = Symbol.for(
  "openclaw.plugin-sdk.tool-plugin.metadata",
) as never;

/**
 * Defines a plugin that only adds tools. Parameter and configuration types are inferred from the schemas.
 * @returns the value to export as default
 * @throws ToolPluginDefinitionError naming every tool and field that no host could use
 */
export function defineToolPlugin<ConfigSchema extends TSchema = TObject<Record<never, never>>>(
  definition: ToolPluginDefinition<ConfigSchema>,
): ToolPluginEntry {
  const problems = pluginProblems(definition);
  const list: unknown = problems.some(({ field }) => field === "tools" || field === "definition")
    ? []
    : (definition.tools as (helper: unknown) => unknown)((tool: unknown) => tool);
  problems.push(...toolListProblems(list));
  if (problems.length > 0) throw new ToolPluginDefinitionError(definition?.id, problems);

  const tools = [...(list as AnyToolDefinition[])];
  const { id, name, description } = definition;
  const schema: object = definition.configSchema ?? EMPTY_CONFIG_SCHEMA;
  let configSchema: PluginConfigSchema | undefined;
  const entry: ToolPluginEntry = {
    id,
    name,
    description,
    get configSchema() {
      configSchema ??= pluginConfigSchema(schema);
      return configSchema;
    },
    register(api) {
      for (const tool of tools) registerTool(api, tool);
    },
  };
  const metadata: ToolPluginMetadata = {
    id,
    name,
    description,
    activation: definition.activation ?? { onStartup: true },
    configSchema: schema,
    tools: tools.map(metadataOf),
  };
  Object.defineProperty(entry, toolPluginMetadataSymbol, { value: metadata });
  return entry;
}

function metadataOf(tool: AnyToolDefinition): ToolMetadata {
  return {
    name: tool.name,
    label: tool.label ?? tool.name,
    description: tool.description,
    parameters: tool.parameters,
    ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema }),
    ...(tool.optional === true ? { optional: true } : {}),
    ...(tool.workspaceAccess === undefined ? {} : { workspaceAccess: tool.workspaceAccess }),
  };
}

function registerTool(api: OpenClawPluginApi, tool: AnyToolDefinition): void {
  const config = api.pluginConfig ?? {};
  if (tool.factory !== undefined) {
    const { factory, name } = tool;
    const options: RegisterToolOptions = { name, ...(tool.optional === true ? { optional: true } : {}) };
    api.registerTool(
      (toolContext: OpenClawPluginToolContext) => factory({ api, config, toolContext }),
      options,
    );
    return;
  }
  const execute = tool.execute as NonNullable<AnyToolDefinition["execute"]>;
  const { optional, ...fields } = metadataOf(tool);
  api.registerTool(
    {
      ...(fields as ToolMetadata & { parameters: object; outputSchema?: object }),
      async execute(toolCallId, params, signal, onUpdate) {
        const value: unknown = await execute(params, config, {
          api,
          toolCallId,
          ...(signal === undefined ? {} : { signal }),
          ...(onUpdate === undefined ? {} : { onUpdate }),
        });
        return wrapResult(tool.name, value);
      },
    },
    optional === true ? { optional: true } : undefined,
  );
}

/** The metadata `defineToolPlugin` left on an entry; `undefined` for anything else. */
export function getToolPluginMetadata(entry: unknown): ToolPluginMetadata | undefined {
  if ((typeof entry !== "object" && typeof entry !== "function") || entry === null) return undefined;
  return (entry as { [toolPluginMetadataSymbol]?: ToolPluginMetadata })[toolPluginMetadataSymbol];
}

/**
 * A dictionary with free keys that every provider keeps open. A bare `Type.Object({})` is closed by some of
 * them, which then reject every key.
 */
export function openRecord(
  description?: string,
  options: Record<string, unknown> = {},
): TUnsafe<Record<string, unknown>> {
  const schema = {
    type: "object",
    additionalProperties: true,
    ...(description === undefined ? {} : { description }),
    ...options,
  };
  return schema as unknown as TUnsafe<Record<string, unknown>>;
}

/** Thrown by `prepareArguments` when the arguments themselves are wrong, and not the preparation. */
export class ToolArgumentValidationError extends Error {
  /** How hosts class the failed call. */
  readonly errorKind = "argument-validation";

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ToolArgumentValidationError";
  }
}
