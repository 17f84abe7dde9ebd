import { emptyPluginConfigSchema } from "./plugin-entry.js";
import type { OpenClawPluginApi } from "./types/plugin-api.js";
import type { PluginConfigSchema } from "./types/tool-definition.js";

export interface ChannelPluginEntryDefinition {
  id: string;
  name: string;
  description: string;
  plugin: unknown;
  configSchema?: PluginConfigSchema | (() => PluginConfigSchema);
  setRuntime?(runtime: unknown): void;
  registerCliMetadata?(api: OpenClawPluginApi): void;
  registerFull?(api: OpenClawPluginApi): void;
}

/** The entry of a channel plugin: the channel is announced, everything else it brings is registered. */
export function defineChannelPluginEntry(definition: ChannelPluginEntryDefinition): object {
  const { id, name, description, plugin, configSchema } = definition;
  return {
    id,
    name,
    description,
    channelPlugin: plugin,
    configSchema:
      (typeof configSchema === "function" ? configSchema() : configSchema) ?? emptyPluginConfigSchema(),
    register(api: OpenClawPluginApi) {
      definition.setRuntime?.(api.runtime);
      api.registerChannel({ plugin });
      definition.registerCliMetadata?.(api);
      definition.registerFull?.(api);
    },
  };
}

/** A channel's settings as JSON Schema, when the schema library given can say them; else any object. */
export function buildChannelConfigSchema(schema: unknown): { schema: Record<string, unknown> } {
  const convert = (schema as { toJSONSchema?: (options: object) => Record<string, unknown> } | undefined)
    ?.toJSONSchema;
  try {
    if (typeof convert === "function")
      return { schema: convert.call(schema, { io: "input", unrepresentable: "any" }) };
  } catch {
    // Whatever cannot be said in JSON Schema is left open.
  }
  return { schema: { type: "object", additionalProperties: true } };
}
