import { isObject } from "../schema/keywords.js";
import { snapshot } from "../schema/snapshot.js";

/** What a call of an MCP tool does to its one object argument. */
export interface McpArguments {
  defaults: Readonly<Record<string, unknown>>;
  required: readonly string[];
}

/**
 * Top-level defaults and the top-level names a caller must give. Only own, well-formed parts of the
 * server's schema count; anything else asks nothing of the caller, and the server decides.
 */
export function mcpArguments(inputSchema: unknown): McpArguments {
  // Without a prototype: a property called `__proto__` must stay data.
  const defaults: Record<string, unknown> = Object.create(null);
  const schema = snapshot(inputSchema).value;
  if (!isObject(schema)) return { defaults, required: [] };
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const [name, property] of Object.entries(properties)) {
    if (isObject(property) && Object.hasOwn(property, "default")) defaults[name] = property.default;
  }
  const listed = Array.isArray(schema.required) ? schema.required : [];
  const required = listed.filter((name): name is string => typeof name === "string");
  return { defaults, required: [...new Set(required)].filter((name) => !Object.hasOwn(defaults, name)) };
}
