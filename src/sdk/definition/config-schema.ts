import { createRequire } from "node:module";
import type { ErrorObject, ValidateFunction } from "ajv";
import type { ConfigIssue, PluginConfigSchema } from "../types/tool-definition.js";

/** The schema of a plugin that takes no configuration. */
export const EMPTY_CONFIG_SCHEMA = { type: "object", additionalProperties: false, properties: {} } as const;

function compile(schema: object): ValidateFunction {
  // Loaded on first use: most imports of a plugin never check a configuration, and import time counts.
  const loaded = createRequire(import.meta.url)("ajv") as typeof import("ajv");
  return new loaded.Ajv({
    allErrors: true,
    strict: false,
    useDefaults: true,
    validateFormats: false,
    validateSchema: false,
    logger: false,
  }).compile(schema);
}

function issueOf(error: ErrorObject): ConfigIssue {
  const path = error.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^(0|[1-9]\d*)$/.test(part) ? Number(part) : part));
  const extra =
    error.keyword === "additionalProperties" ? `: "${String(error.params.additionalProperty)}"` : "";
  const message = (error.message ?? "is not valid").replace(/^must NOT /, "must not ");
  return { path, message: `${message}${extra}` };
}

/**
 * A schema as hosts use it. The validator is made on first `safeParse`; a schema that cannot be compiled
 * fails there and nowhere else.
 */
export function pluginConfigSchema(schema: object): PluginConfigSchema {
  let validate: ValidateFunction | undefined;
  return {
    jsonSchema: schema as Record<string, unknown>,
    safeParse(value) {
      validate ??= compile(JSON.parse(JSON.stringify(schema)));
      const data = value === undefined ? undefined : structuredClone(value);
      if (validate(data)) return { success: true, data };
      return { success: false, error: { issues: (validate.errors ?? []).map(issueOf) } };
    },
  };
}
