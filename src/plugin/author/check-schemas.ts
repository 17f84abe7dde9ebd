import { closedDictionaries, nonJsonSchemaParts, schemaDepth } from "../../schema/author-checks.js";
import { boundInputSchema, MOST_INPUT_LEVELS } from "../../schema/bound.js";
import { readDiscriminator } from "../../schema/discriminator.js";
import { cheapestHintEdits } from "../../schema/hint-edits.js";
import { outputHint, outputHintDraft } from "../../schema/hints.js";
import { prepare } from "../../schema/prepare.js";
import { snapshot } from "../../schema/snapshot.js";
import type { ToolMetadata, ToolPluginMetadata } from "../../sdk/types/tool-definition.js";
import { isRecord } from "../load/manifest.js";
import { type Finding, listed } from "./finding.js";

/** What is wrong with the schemas of a plugin, as authors can mend it. Compiles nothing and runs nothing. */
export function schemaFindings(metadata: ToolPluginMetadata, tools: readonly ToolMetadata[]): Finding[] {
  const config = unusable({
    schema: metadata.configSchema,
    owner: "plugin",
    path: "",
    field: "configSchema",
  });
  return [...config, ...tools.flatMap(toolFindings)];
}

interface Placed {
  schema: unknown;
  /** For messages: `tool echo`. */
  owner: string;
  /** Finding path in front of `field`, with its dot. */
  path: string;
  field: "parameters" | "outputSchema" | "configSchema";
}

function toolFindings(tool: ToolMetadata): Finding[] {
  const at = { owner: `tool ${tool.name}`, path: `tools.${tool.name}.` };
  const parameters: Placed = { ...at, schema: tool.parameters, field: "parameters" };
  const output: Placed = { ...at, schema: tool.outputSchema, field: "outputSchema" };
  const findings = unusable(parameters);
  if (findings.length === 0) findings.push(...parameterWarnings(parameters));
  if (tool.outputSchema === undefined) return findings;
  const outputProblems = unusable(output);
  return [...findings, ...(outputProblems.length > 0 ? outputProblems : outputWarnings(output))];
}

/** `#/properties/since` of `parameters` -> `parameters.since`: places as authors write them. */
function authorPath(field: string, pointer: string): string {
  const segments = pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
  const names: string[] = [];
  for (let index = 0; index < segments.length; index += 1) {
    if (segments[index] === "properties" && index + 1 < segments.length) index += 1;
    names.push(segments[index] ?? "");
  }
  return [field, ...names].join(".");
}

/** Why no host could use a schema: every part that is not JSON Schema, else the first other reason. */
function unusable(placed: Placed): Finding[] {
  const finding = (severity: Finding["severity"], pointer: string, what: string, fix: string): Finding => {
    const place = authorPath(placed.field, pointer);
    return {
      code: severity === "error" ? "schema-unusable" : "schema-part-lost",
      severity,
      path: `${placed.path}${place}`,
      message: `${placed.owner}: ${place} ${what}`,
      fix,
    };
  };
  const parts = nonJsonSchemaParts(placed.schema).map(({ path, what, instead, fatal }) =>
    fatal
      ? finding("error", path, `is not JSON Schema: ${what}`, `use ${instead}`)
      : finding("warning", path, `loses ${what} on the way to JSON`, `remove it, or use ${instead}`),
  );
  if (parts.some(({ severity }) => severity === "error")) return parts;
  try {
    const { value, tooLarge } = snapshot(placed.schema);
    if (tooLarge) return [finding("error", "#", "is too large to be used", "describe fewer things")];
    prepare(placed.field === "parameters" ? boundInputSchema(value).schema : value, false);
    const selector = placed.field === "outputSchema" ? readDiscriminator(placed.schema) : undefined;
    if (selector?.kind === "malformed") throw new Error(selector.message);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, pointer = "#", reason = message] = /^(#\S*): ([\s\S]*)$/.exec(message) ?? [];
    parts.push(
      finding(
        "error",
        pointer,
        `is not usable: ${reason}`,
        "correct the schema; a call could never run with it",
      ),
    );
  }
  return parts;
}

function parameterWarnings({ schema, owner, path, field }: Placed): Finding[] {
  const findings: Finding[] = [];
  const warn = (code: string, message: string, fix: string): void => {
    findings.push({
      code,
      severity: "warning",
      path: `${path}${field}`,
      message: `${owner}: ${message}`,
      fix,
    });
  };
  if (!isRecord(schema) || schema.type !== "object") {
    warn(
      "parameters-not-object",
      'parameters is not an object schema (`type: "object"`), which model providers require',
      "wrap the parameters in Type.Object({ ... })",
    );
  }
  const { paths, more } = closedDictionaries(schema);
  if (paths.length > 0) {
    const places = paths.map((pointer) => authorPath(field, pointer)).join(", ");
    warn(
      "dictionary-closed",
      `some providers close these objects and then refuse every key: ${places}${more > 0 ? ` and ${more} more` : ""}`,
      "declare free keys with openRecord() or `additionalProperties: true`, or list the properties",
    );
  }
  const depth = schemaDepth(schema);
  if (depth > MOST_INPUT_LEVELS) {
    warn(
      "schema-deep",
      `parameters is nested ${depth} levels deep; below level ${MOST_INPUT_LEVELS} nothing is checked`,
      "keep arguments shallow enough for a model to fill",
    );
  }
  return findings;
}

/** Names hosts read the outcome of a call from. */
const RESERVED_RESULTS = ["status", "ok", "success", "error", "timedOut", "exitCode"];

function outputWarnings({ schema, owner, path, field }: Placed): Finding[] {
  const findings: Finding[] = [];
  const reserved = RESERVED_RESULTS.filter((name) => topLevelNames(snapshot(schema).value).has(name));
  if (reserved.length > 0) {
    findings.push({
      code: "result-reserved",
      severity: "warning",
      path: `${path}${field}`,
      message: `${owner}: hosts grade a call by the result's ${listed(reserved)}, so a value there can mark the call as failed`,
      fix: "if that is not what it means, put the data one level down, for example under { item }",
    });
  }
  if (outputHint(schema) !== undefined) return findings;
  const { edits, hint, blockers } = cheapestHintEdits(schema);
  const named = edits.map(({ path: at, edit }) => `${authorPath(field, at)}: ${edit}`);
  const reasons = blockers.map(({ path: at, why }) => `${authorPath(field, at)} ${why}`);
  const { text } = outputHintDraft(schema);
  findings.push({
    code: "output-incomplete",
    severity: "warning",
    path: `${path}${field}`,
    message: `${owner}: a model sees \`-> ?\`, since the output hint is incomplete: ${cut(text)}${reasons.length > 0 ? ` (${listed(reasons, 3)})` : ""}`,
    fix:
      named.length > 0
        ? `${listed(named, 4)}${hint === undefined ? "" : `; the hint then reads ${cut(hint)}`}`
        : "make the result smaller or flatter; models still reach it with describe()",
  });
  return findings;
}

function cut(text: string): string {
  return text.length > 240 ? `${text.slice(0, 237)}...` : text;
}

/** Property names at the top of a result, in any of its alternatives. */
function topLevelNames(schema: unknown, depth = 0): Set<string> {
  const names = new Set<string>();
  if (!isRecord(schema) || depth > 4) return names;
  if (isRecord(schema.properties)) for (const name of Object.keys(schema.properties)) names.add(name);
  for (const keyword of ["anyOf", "oneOf", "allOf"]) {
    const branches = schema[keyword];
    if (!Array.isArray(branches)) continue;
    for (const branch of branches) for (const name of topLevelNames(branch, depth + 1)) names.add(name);
  }
  return names;
}
