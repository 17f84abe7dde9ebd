import { readFile } from "node:fs/promises";
import { CommandFailure, systemReason } from "../errors.js";
import { duplicates, lineColumn, offsetOf } from "./document.js";
import { type ParsedDocument, parseDocument, placedFailure } from "./parse.js";
import type { StatePaths } from "./paths.js";
import { CONFIG_SHAPE } from "./schema.js";
import { type ConfigIssue, validateShape } from "./validate.js";

export interface PluginEntryConfig {
  enabled?: boolean;
  config?: Record<string, unknown>;
  [key: string]: unknown;
}

export interface McpServerConfig {
  command?: string;
  args?: string[];
  /** Values may hold `${NAME}`, taken from our environment when the server starts. */
  env?: Record<string, string | number | boolean>;
  cwd?: string;
  url?: string;
  headers?: Record<string, string | number | boolean>;
  transport?: "stdio" | "streamable-http" | "http" | "sse";
  enabled?: boolean;
}

/** Allow and deny lists of one scope: tool names, plugin ids, groups, `*` patterns. */
export interface ToolPolicyConfig {
  allow?: string[];
  alsoAllow?: string[];
  deny?: string[];
}

export type CodeModeConfig = boolean | "auto" | (Record<string, unknown> & { enabled?: boolean | "auto" });

export interface ToolsConfig extends ToolPolicyConfig {
  codeMode?: CodeModeConfig;
  byProvider?: Record<string, ToolPolicyConfig>;
  [key: string]: unknown;
}

export interface AgentConfig {
  id?: string;
  tools?: ToolsConfig;
  models?: Record<string, { codeMode?: boolean; [key: string]: unknown }>;
  [key: string]: unknown;
}

export interface ModelRowConfig {
  id: string;
  upstreamModel?: string;
  compat?: { codeMode?: "preferred" | "capable"; supportsTools?: boolean; [key: string]: unknown };
  [key: string]: unknown;
}

/** The part of `openclaw.json` this toolchain reads. Unknown keys belong to the real product and stay. */
export interface OpenClawConfig {
  plugins?: {
    enabled?: boolean;
    allow?: string[];
    deny?: string[];
    load?: { paths?: string[] };
    entries?: Record<string, PluginEntryConfig>;
  };
  tools?: ToolsConfig;
  mcp?: { servers?: Record<string, McpServerConfig> };
  agents?: {
    defaults?: { models?: AgentConfig["models"]; [key: string]: unknown };
    list?: AgentConfig[];
    entries?: Record<string, AgentConfig>;
    [key: string]: unknown;
  };
  models?: {
    providers?: Record<string, { models?: ModelRowConfig[]; [key: string]: unknown }>;
    [key: string]: unknown;
  };
  [key: string]: unknown;
}

export interface LoadedConfig {
  config: OpenClawConfig;
  /** Absolute path, also when the file does not exist. */
  path: string;
  exists: boolean;
  /** One placed line each: clamped limits, unknown keys near known ones, keys given twice. */
  warnings: string[];
}

/** A finding of `checkConfigText`, with its place. */
export interface PlacedIssue extends ConfigIssue {
  line: number;
  column: number;
}

/**
 * Reads and checks `openclaw.json` (JSON5; a missing file is an empty configuration).
 * @throws CommandFailure `config_invalid` with the place of the first error, `config_unreadable`
 */
export async function loadConfig(paths: StatePaths): Promise<LoadedConfig> {
  const path = paths.configFile;
  const text = await readConfigText(path);
  if (text === undefined) return { config: {}, path, exists: false, warnings: [] };
  const { document, issues } = await checkConfigText(text, path);
  const errors = issues.filter((issue) => issue.level === "error");
  const [first] = errors;
  if (first !== undefined) throw issueFailure(path, document, first, errors.length - 1);
  return {
    config: document.value as OpenClawConfig,
    path,
    exists: true,
    warnings: issues.map((issue) => `${path}:${issue.line}:${issue.column}: ${issue.message}`),
  };
}

/** The text of the file, or undefined when there is none. */
export async function readConfigText(path: string): Promise<string | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new CommandFailure("config_unreadable", `cannot read ${path}: ${systemReason(error)}`, {
      cause: error,
    });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const readable = bytes.toString("utf8").split("\ufffd")[0] ?? "";
    throw placedFailure(path, readable, lineColumn(readable, readable.length), "the file is not UTF-8 text");
  }
}

/**
 * Checks a whole configuration text (a byte order mark is fine).
 * @returns the parsed document and every finding in the order of the text
 * @throws CommandFailure `config_invalid` when the text does not parse at all
 */
export async function checkConfigText(
  text: string,
  file: string,
): Promise<{ document: ParsedDocument; issues: PlacedIssue[] }> {
  const document = await parseDocument(text.replace(/^\ufeff/, ""), file);
  const found = [...validateShape(document.value, CONFIG_SHAPE), ...includeIssue(document.value)].map(
    (issue) => ({ issue, offset: offsetOf(document, issue.path, issue.at) }),
  );
  for (const { member, path } of duplicates(document.root)) {
    const message = `${member.key} stands here a second time; the last one counts`;
    found.push({ issue: { level: "warning", path, at: "key", message }, offset: member.start });
  }
  found.sort((a, b) => a.offset - b.offset);
  const issues = found.map(({ issue, offset }) => ({ ...issue, ...lineColumn(document.text, offset) }));
  return { document, issues };
}

/** The failure a single placed error becomes. */
export function issueFailure(
  file: string,
  document: ParsedDocument,
  issue: PlacedIssue,
  more: number,
): CommandFailure {
  const rest = more === 0 ? "" : ` (and ${more} more)`;
  const { line, column } = issue;
  return placedFailure(file, document.text, { line, column }, issue.message + rest, {
    path: issue.path.join("."),
  });
}

function includeIssue(value: unknown): ConfigIssue[] {
  if (typeof value !== "object" || value === null || !("$include" in value)) return [];
  const message = "$include is not followed here: settings of included files are not seen";
  return [{ level: "warning", path: ["$include"], at: "key", message }];
}
