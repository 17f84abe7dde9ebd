/** What a call of an MCP tool does to its one object argument. */
export interface McpArguments {
  defaults: Readonly<Record<string, unknown>>;
  required: readonly string[];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Top-level defaults and the top-level names a caller must give. Only own, well-formed parts of the
 * server's schema count; anything else asks nothing of the caller, and the server decides.
 */
export function mcpArguments(schema: unknown): McpArguments {
  // Without a prototype: a property called `__proto__` must stay data.
  const defaults: Record<string, unknown> = Object.create(null);
  if (!isRecord(schema)) return { defaults, required: [] };
  const properties = isRecord(schema.properties) ? schema.properties : {};
  for (const [name, property] of Object.entries(properties)) {
    if (isRecord(property) && Object.hasOwn(property, "default")) defaults[name] = property.default;
  }
  const listed = Array.isArray(schema.required) ? schema.required : [];
  const required = listed.filter((name): name is string => typeof name === "string");
  return { defaults, required: [...new Set(required)].filter((name) => !Object.hasOwn(defaults, name)) };
}
