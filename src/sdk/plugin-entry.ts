import { EMPTY_CONFIG_SCHEMA, pluginConfigSchema } from "./definition/config-schema.js";
import type { OpenClawPluginApi } from "./types/plugin-api.js";
import type { PluginConfigSchema } from "./types/tool-definition.js";

export type * from "./types/agent-tool.js";
export type * from "./types/plugin-api.js";
export type * from "./types/tool-context.js";
export type { PluginActivation, PluginConfigSchema } from "./types/tool-definition.js";

/** Marks what `definePluginEntry` made, so that checks know its manifest is written by hand. */
export const pluginEntrySymbol: unique symbol = Symbol.for("openclaw.plugin-sdk.plugin-entry") as never;

interface PluginEntryFields {
  id: string;
  name: string;
  description: string;
  /** What kind of plugin the full product should treat it as. */
  kind?: string | string[];
  register(api: OpenClawPluginApi): void | Promise<void>;
  [extra: string]: unknown;
}

/** A plugin that registers itself by hand: providers, hooks, services, or tools with computed names. */
export interface PluginEntryDefinition extends PluginEntryFields {
  configSchema?: PluginConfigSchema | (() => PluginConfigSchema);
}

export interface PluginEntry extends PluginEntryFields {
  readonly configSchema: PluginConfigSchema;
}

/**
 * Completes a hand-written plugin entry.
 * @throws TypeError when `id` or `register` is missing
 */
export function definePluginEntry(definition: PluginEntryDefinition): PluginEntry {
  if (typeof definition?.id !== "string" || definition.id.trim() === "") {
    throw new TypeError("definePluginEntry: id must be a non-blank string");
  }
  if (typeof definition.register !== "function") {
    throw new TypeError(`definePluginEntry "${definition.id}": register must be a function`);
  }
  const { configSchema: given, ...rest } = definition;
  let made: PluginConfigSchema | undefined;
  Object.defineProperty(rest, pluginEntrySymbol, { value: true });
  return Object.defineProperty(rest, "configSchema", {
    enumerable: true,
    get: () => {
      made ??= (typeof given === "function" ? given() : given) ?? emptyPluginConfigSchema();
      return made;
    },
  }) as unknown as PluginEntry;
}

/** The configuration schema of a plugin that takes none. */
export function emptyPluginConfigSchema(): PluginConfigSchema {
  return pluginConfigSchema(EMPTY_CONFIG_SCHEMA);
}

/** A configuration schema from JSON Schema (or TypeBox). */
export function buildJsonPluginConfigSchema(schema: object): PluginConfigSchema {
  return pluginConfigSchema(schema);
}
