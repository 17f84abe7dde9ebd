import type { EffectiveTool, ToolCall } from "../../catalog/tool.js";
import { isRecord } from "./manifest.js";

type ToolFunction = (
  toolCallId: string,
  params: unknown,
  signal?: AbortSignal,
  onUpdate?: (update: unknown) => void,
) => unknown;

/** A concrete tool that cannot be used: the message says why. */
export class MalformedToolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MalformedToolError";
  }
}

function firstFunction(tool: Record<string, unknown>, keys: readonly string[]): ToolFunction | undefined {
  for (const key of keys) {
    const value = tool[key];
    // Called through the tool, since class instances rely on `this`.
    if (typeof value === "function") return (...args) => value.apply(tool, args);
  }
  return undefined;
}

function firstSchema(tool: Record<string, unknown>, keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = tool[key];
    if (isRecord(value)) return value;
  }
  return undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export interface MakeToolOptions {
  pluginId: string;
  optional: boolean;
  /** The manifest's `toolMetadata` of this tool. */
  metadata?: Record<string, unknown>;
}

/**
 * The effective tool of a concrete tool object (`execute(toolCallId, params, signal, onUpdate)`).
 * `inputSchema` and `input_schema` stand in for `parameters`, `run` and `handler` for `execute`.
 * @throws MalformedToolError when the object has no usable name, function or parameter schema
 */
export function makeTool(raw: unknown, options: MakeToolOptions): EffectiveTool {
  if (!isRecord(raw)) throw new MalformedToolError("a tool must be an object");
  const name = text(raw.name);
  if (name === undefined || name.trim() === "") throw new MalformedToolError("a tool has no name");
  const run = firstFunction(raw, ["execute", "run", "handler"]);
  if (run === undefined) throw new MalformedToolError(`${name} has no execute function`);
  const parameters = firstSchema(raw, ["parameters", "inputSchema", "input_schema"]);
  if (parameters === undefined) throw new MalformedToolError(`${name} has no parameters schema`);
  const prepare = firstFunction(raw, ["prepareArguments"]) as ((args: unknown) => unknown) | undefined;
  const label = text(raw.label);
  const mode = raw.executionMode;
  return {
    name,
    source: "openclaw",
    owner: options.pluginId,
    ...(label === undefined ? {} : { label }),
    description: typeof raw.description === "string" ? raw.description : "",
    parameters,
    ...(raw.outputSchema === undefined ? {} : { outputSchema: raw.outputSchema }),
    ...(options.optional ? { optional: true } : {}),
    ...(mode === "sequential" || mode === "parallel" ? { executionMode: mode } : {}),
    ...(raw.catalogMode === "direct-only" ? { catalogMode: "direct-only" as const } : {}),
    ...(raw.replaySafe === true || options.metadata?.replaySafe === true ? { replaySafe: true } : {}),
    ...(prepare === undefined ? {} : { prepareArguments: (args: unknown) => prepare(args) }),
    execute: async (call: ToolCall) => run(call.toolCallId, call.input, call.signal, call.onUpdate),
  };
}
