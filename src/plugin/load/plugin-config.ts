import type { OpenClawConfig } from "../../config/config.js";
import { messageOf } from "../../errors.js";
import { isRecord } from "./manifest.js";

export type PluginConfigCheck =
  | { ok: true; config: Record<string, unknown> }
  | { ok: false; problems: string[] /** The schema itself does not compile. */; badSchema?: true };

/** At most this many problems are listed. */
const MAX_PROBLEMS = 8;

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

function place(id: string, pointer: string): string {
  const path = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return ["plugins.entries", id, "config", ...path].join(".");
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
  const { Ajv } = await import("ajv");
  const { $schema: _draft, ...body } = schema;
  const data = structuredClone(given);
  let validate: ReturnType<InstanceType<typeof Ajv>["compile"]>;
  try {
    const ajv = new Ajv({ strict: false, allErrors: true, useDefaults: true, logger: false });
    validate = ajv.compile(body);
  } catch (error) {
    return { ok: false, badSchema: true, problems: [`configSchema does not compile: ${messageOf(error)}`] };
  }
  if (validate(data)) return { ok: true, config: data as Record<string, unknown> };
  const problems = (validate.errors ?? []).map((error) => {
    const extra = error.keyword === "additionalProperties" ? `: ${error.params.additionalProperty}` : "";
    return `${place(id, error.instancePath)} ${error.message ?? "is invalid"}${extra}`;
  });
  const rest = problems.length - MAX_PROBLEMS;
  return {
    ok: false,
    problems: rest > 0 ? [...problems.slice(0, MAX_PROBLEMS), `and ${rest} more`] : problems,
  };
}
