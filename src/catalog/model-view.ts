import type { CodeModeLimits } from "../config/limits.js";
import type { EffectiveTool } from "./tool.js";
import type { Catalog } from "./types.js";

/** A tool definition as a provider gets it. */
export interface ModelTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** A tool a model sees. */
export interface VisibleTool {
  definition: ModelTool;
  /** The tool itself; absent on `exec` and `wait`. */
  tool?: EffectiveTool;
}

export interface ModelViewOptions {
  languages: readonly ("javascript" | "typescript")[];
  limits: CodeModeLimits;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

function execDescription(catalog: Catalog, { languages, limits }: ModelViewOptions): string {
  const index = catalog.quickIndex();
  const servers = catalog.namespaces.map(({ identifier }) => `MCP.${identifier}`);
  const written = languages.includes("typescript") ? "JavaScript or TypeScript" : "JavaScript";
  return [
    `Run a short ${written} program in an isolated VM. It is the body of an async function: use await, and return the final value.`,
    "Every tool is an async global that takes one object. catalog.search(query) finds tools and returns callable handles; handle.describe() gives full schemas; API.list() and API.read(path) give TypeScript declarations.",
    "Emit with text(value) and json(value). Keep large data with results.save(value) and read it in a later program with results.load(id). Loop, join and filter inside the program; call independent tools with Promise.all.",
    "A tool whose line ends in `-> ?` has an unknown output: return its value unchanged first and transform it in a later program.",
    ...(servers.length === 0
      ? []
      : [
          `MCP servers: ${servers.join(", ")}. Read API.read("mcp/<server>.d.ts") before calling MCP.<server>.<tool>({...}).`,
        ]),
    "There are no modules, files, network, environment variables or shell in the VM; only tools reach outside.",
    `Limits: ${seconds(limits.timeoutMs)} a leg, ${Math.round(limits.memoryLimitBytes / 1048576)} MiB of memory, ${limits.maxOutputBytes} bytes of output and value, ${limits.maxPendingToolCalls} calls at once.`,
    ...(index === "" ? [] : ["", index]),
  ].join("\n");
}

/**
 * The two tools a model sees while Code Mode is engaged, exactly as a provider would get them: `exec` with the quick
 * index and the effective limits in its description and a flat `language` enum, and `wait`.
 */
export function modelTools(catalog: Catalog, options: ModelViewOptions): [exec: ModelTool, wait: ModelTool] {
  return [
    {
      name: "exec",
      description: execDescription(catalog, options),
      parameters: {
        type: "object",
        properties: {
          code: { type: "string", description: "Source of the program." },
          language: {
            type: "string",
            enum: [...options.languages],
            description: `Language of the source; ${options.languages[0] ?? "javascript"} when absent.`,
          },
          title: {
            type: "string",
            maxLength: 120,
            description: "What the program does, for people who watch.",
          },
          restartSafe: {
            type: "boolean",
            description: "Set for read-only work: calls with side effects are then refused.",
          },
        },
        required: ["code"],
        additionalProperties: false,
      },
    },
    {
      name: "wait",
      description: "Continue a program whose exec or wait result has status waiting.",
      parameters: {
        type: "object",
        properties: { runId: { type: "string", description: "runId of the waiting result." } },
        required: ["runId"],
        additionalProperties: false,
      },
    },
  ];
}

const NO_INPUT = { type: "object", properties: {} } as const;

function isObjectSchema(schema: unknown): schema is Record<string, unknown> {
  return typeof schema === "object" && schema !== null && (schema as { type?: unknown }).type === "object";
}

function directTool(tool: EffectiveTool): VisibleTool {
  const { name, description, parameters } = tool;
  return {
    definition: { name, description, parameters: isObjectSchema(parameters) ? parameters : NO_INPUT },
    tool,
  };
}

/**
 * The tools a model sees in a run with these effective tools: `exec`, `wait` and the direct-only ones while Code Mode is
 * engaged, every tool otherwise. Never two of one name.
 */
export function visibleTools({
  tools,
  catalog,
  engaged,
  ...options
}: ModelViewOptions & {
  tools: readonly EffectiveTool[];
  catalog: Catalog;
  engaged: boolean;
}): VisibleTool[] {
  const shown = new Map<string, VisibleTool>();
  if (engaged) {
    for (const definition of modelTools(catalog, options)) shown.set(definition.name, { definition });
  }
  // The catalog knows which tools are whole and which of two with one name counts.
  const catalogued = new Set([...catalog.entries, ...catalog.mcpEntries].map(({ tool }) => tool));
  for (const tool of tools) {
    if (tool.control === true || tool.mcp?.unavailable !== undefined) continue;
    const direct = tool.catalogMode === "direct-only";
    if (!(direct || (!engaged && catalogued.has(tool))) || shown.has(tool.name)) continue;
    shown.set(tool.name, directTool(tool));
  }
  return [...shown.values()];
}
