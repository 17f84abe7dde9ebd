import { plainSchema } from "./plain-schema.js";
import type { CatalogEntry } from "./types.js";

/**
 * What `describe()` of a native or client handle resolves to: its metadata with the whole schemas, under
 * the callable name and without the id. A client's claim about its output is not passed on.
 */
export function describeEntry(entry: CatalogEntry): Record<string, unknown> {
  return {
    source: entry.source,
    name: entry.toolName,
    ...labelOf(entry),
    description: entry.description,
    ...hintsOf(entry),
    ...schemasOf(entry),
    callableName: entry.callableName,
  };
}

export function labelOf(entry: CatalogEntry): { label?: string } {
  return entry.label === undefined ? {} : { label: entry.label };
}

export function hintsOf(entry: CatalogEntry): { input: string; output?: string } {
  return { input: entry.input, ...(entry.output === undefined ? {} : { output: entry.output }) };
}

/** Both schemas as plain JSON, whatever the plugin built them from. */
export function schemasOf({ source, tool }: CatalogEntry): { parameters?: unknown; outputSchema?: unknown } {
  return {
    ...(tool.parameters === undefined ? {} : { parameters: plainSchema(tool.parameters) }),
    ...(tool.outputSchema === undefined || source !== "openclaw"
      ? {}
      : { outputSchema: plainSchema(tool.outputSchema) }),
  };
}
