import type { ToolPluginMetadata } from "../../sdk/types/tool-definition.js";
import { isRecord } from "../load/manifest.js";

export interface ManifestSource {
  /** Of the entry being built. */
  metadata: ToolPluginMetadata;
  /** Metadata of the package's other entries, in order; their tools belong to the plugin too. */
  others: readonly ToolPluginMetadata[];
  /** Names declared by hand for entries that carry no metadata. */
  handDeclared: readonly string[];
  version: unknown;
  /** The manifest there is; anything but an object counts as none. */
  existing: unknown;
}

/**
 * The manifest a build would write: what the definition says in place of what was generated before, every
 * other field kept. New fields come in a fixed order, so equal input gives equal bytes everywhere.
 */
export function generateManifest(source: ManifestSource): Record<string, unknown> {
  const { metadata, others, handDeclared } = source;
  const existing = isRecord(source.existing) ? source.existing : {};
  const tools = [metadata, ...others].flatMap((entry) => entry.tools);
  const names = [...new Set([...tools.map(({ name }) => name), ...handDeclared])];
  const manifest: Record<string, unknown> = {
    ...existing,
    id: metadata.id,
    name: metadata.name,
    description: metadata.description,
    version: typeof source.version === "string" ? source.version : "0.0.0",
    configSchema: manifestSchema(metadata.configSchema),
    activation: plain(metadata.activation),
    contracts: { ...(isRecord(existing.contracts) ? existing.contracts : {}), tools: names },
  };
  const optional = new Map(tools.map((tool) => [tool.name, tool.optional === true]));
  const toolMetadata = keptToolMetadata(existing.toolMetadata, names, optional);
  delete manifest.toolMetadata;
  if (Object.keys(toolMetadata).length > 0) manifest.toolMetadata = toolMetadata;
  return plain(manifest) as Record<string, unknown>;
}

/** As JSON holds it: no symbols, functions, `undefined` or shared parts. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function keptToolMetadata(
  existing: unknown,
  names: readonly string[],
  optional: ReadonlyMap<string, boolean>,
): Record<string, unknown> {
  const before = isRecord(existing) ? existing : {};
  const after: Record<string, unknown> = {};
  const order = [...Object.keys(before).filter((name) => names.includes(name)), ...names];
  for (const name of new Set(order)) {
    const { optional: was, ...kept } = isRecord(before[name]) ? before[name] : {};
    // Names no definition knows were declared by hand, and so was this.
    const isOptional = optional.get(name) ?? was === true;
    const entry = isOptional ? { ...kept, optional: true } : kept;
    if (Object.keys(entry).length > 0) after[name] = entry;
  }
  return after;
}

const SCHEMA_MAPS = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
const SCHEMA_DATA = new Set(["const", "enum", "default", "examples", "required"]);

/** A schema in the form manifests hold it: without markers of the library that made it. */
export function manifestSchema(schema: unknown): unknown {
  return withoutNoise(plain(schema));
}

function withoutNoise(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutNoise);
  if (!isRecord(node)) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !isNoise(key, value))
      .map(([key, value]) => {
        if (SCHEMA_DATA.has(key)) return [key, value];
        if (SCHEMA_MAPS.has(key) && isRecord(value)) {
          return [key, Object.fromEntries(Object.entries(value).map(([k, v]) => [k, withoutNoise(v)]))];
        }
        return [key, withoutNoise(value)];
      }),
  );
}

function isNoise(key: string, value: unknown): boolean {
  if (key === "$schema") return true;
  if (key === "required") return Array.isArray(value) && value.length === 0;
  if (key !== "propertyNames" || !isRecord(value)) return false;
  return value.type === "string" && Object.keys(value).length === 1;
}
