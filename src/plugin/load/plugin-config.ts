import type { OpenClawConfig } from "../../config/config.js";
import { isRecord } from "./manifest.js";

export type PluginConfigCheck =
  | { ok: true; config: Record<string, unknown> }
  | { ok: false; problems: string[] /** The schema itself does not compile. */; badSchema?: true };

/** What the user configured for a plugin: `plugins.entries.<id>.config`, or `undefined`. */
export function configuredFor(id: string, config: OpenClawConfig): unknown {
  const entries = config.plugins?.entries;
  return entries !== undefined && Object.hasOwn(entries, id) ? entries[id]?.config : undefined;
}

/** A schema that accepts `{}` as it is, so that plugins without settings never load the validator. */
function acceptsEmptyUnchanged(schema: Record<string, unknown>): boolean {
  const plain = new Set(["type", "properties", "additionalProperties", "title", "description", "$id"]);
  if (!Object.keys(schema).every((key) => plain.has(key)) || schema.type !== "object") return false;
  const properties = isRecord(schema.properties) ? Object.values(schema.properties) : [];
  return properties.every((property) => isRecord(property) && !("default" in property));
}

function place(id: string, path: string): string {
  return ["plugins.entries", id, "config", ...(path === "<root>" ? [] : [path])].join(".");
}

/**
 * The configuration a plugin gets: what the user wrote, checked against the plugin's schema, with the
 * schema's defaults filled in a copy. Each problem names its place and the reason.
 */
export async function checkPluginConfig(
  id: string,
  schema: Record<string, unknown>,
  configured: unknown,
): Promise<PluginConfigCheck> {
  const given = configured ?? {};
  if (isRecord(given) && Object.keys(given).length === 0 && acceptsEmptyUnchanged(schema)) {
    return { ok: true, config: {} };
  }
  const { schemaCompiler } = await import("../../schema/compile.js");
  const compiled = (await schemaCompiler()).compile(schema, { purpose: "config", fillDefaults: true });
  if (!compiled.ok) {
    return { ok: false, badSchema: true, problems: [`configSchema does not compile: ${compiled.problem}`] };
  }
  const config = structuredClone(given);
  const { issues, omitted } = compiled.check(config);
  if (issues.length === 0) return { ok: true, config: config as Record<string, unknown> };
  const problems = issues.map(({ path, text }) => `${place(id, path)} ${text}`);
  if (omitted > 0) problems.push(`and ${omitted} more`);
  return { ok: false, problems };
}
