import { LIMIT_NAMES, LIMIT_RULES } from "./limits.js";
import { type ObjectShape, type Shape, toJsonSchema } from "./shape.js";

const text: Shape = { type: "string" };
const texts: Shape = { type: "list", items: text };

const LIMIT_NOTES: Readonly<Record<(typeof LIMIT_NAMES)[number], string>> = {
  timeoutMs: "Budget of one exec or wait, in milliseconds.",
  memoryLimitBytes: "Memory of the guest engine, in bytes.",
  maxOutputBytes: "UTF-8 bytes of output and value of one cell together.",
  maxSnapshotBytes: "Largest suspended cell, in bytes.",
  maxPendingToolCalls: "Tool calls and timers in flight at once.",
  snapshotTtlSeconds: "How long a suspended cell may stay parked, in seconds.",
  searchDefaultLimit: "Search results when the cell asks for no number; never above maxSearchLimit.",
  maxSearchLimit: "Most search results a cell can ask for.",
  mcpStartMs: "How long MCP servers may take to start before they are left out, in milliseconds.",
};

const enabled: Shape = {
  type: "enum",
  values: [true, false, "auto"],
  description: "Whether Code Mode takes over: always, never, or for models known to do well with it.",
};

const codeModeObject: ObjectShape & { description?: string } = {
  type: "object",
  unknown: "warn",
  elsewhere: ["executor"],
  fields: {
    enabled,
    runtime: { type: "enum", values: ["quickjs-wasi"], description: "The engine cells run in." },
    mode: { type: "enum", values: ["only"], description: "Cataloged tools are reached through cells only." },
    languages: {
      type: "list",
      items: { type: "enum", values: ["javascript", "typescript"] },
      description: "Languages a cell may be written in.",
    },
    ...Object.fromEntries(
      LIMIT_NAMES.map((name): [string, Shape] => [
        name,
        { type: "integer", ...LIMIT_RULES[name], description: LIMIT_NOTES[name] },
      ]),
    ),
  },
};

const codeMode: Shape = {
  type: "either",
  options: [enabled, codeModeObject],
  description: "Code Mode: on, off, by model, or its settings.",
};

const policyFields: Record<string, Shape> = {
  allow: { ...texts, description: "Only these tools, by name, plugin id, group or pattern with *." },
  alsoAllow: { ...texts, description: "These tools too, optional ones among them." },
  deny: { ...texts, description: "Never these tools; wins over every allow." },
};

const OTHER_TOOL_KEYS = [
  "profile",
  "toolsBySender",
  "elevated",
  "exec",
  "loopDetection",
  "web",
  "media",
  "links",
  "fs",
  "message",
  "sandbox",
  "sessions",
  "sessions_spawn",
  "subagents",
  "agentToAgent",
  "toolSearch",
  "swarm",
  "experimental",
];

const toolsShape: ObjectShape = {
  type: "object",
  elsewhere: OTHER_TOOL_KEYS,
  fields: {
    ...policyFields,
    codeMode,
    byProvider: {
      type: "map",
      values: { type: "object", elsewhere: ["profile"], fields: policyFields },
      description: "Further policy for a provider or a provider/model.",
    },
  },
};

const modelEntries: Shape = {
  type: "map",
  values: {
    type: "object",
    elsewhere: ["alias", "params", "agentRuntime", "streaming"],
    fields: {
      codeMode: { type: "boolean", description: "Code Mode for this exact provider/model." },
    },
  },
};

const agentFields: Record<string, Shape> = {
  id: text,
  tools: toolsShape,
  models: modelEntries,
};

export const MCP_SERVER_SHAPE: ObjectShape = {
  type: "object",
  elsewhere: ["type", "timeout", "auth", "oauth", "connectionTimeoutMs", "disabled", "description"],
  oneOf: ["command", "url"],
  fields: {
    command: { ...text, description: "Program to start; it speaks MCP on stdin and stdout." },
    args: { ...texts, description: "Arguments of the program." },
    env: {
      type: "map",
      values: { type: "scalar" },
      description: "Environment of the program. ${NAME} takes the value from ours.",
    },
    cwd: { ...text, description: "Working directory of the program." },
    url: { ...text, description: "Address of a server that speaks streamable HTTP." },
    headers: { type: "map", values: { type: "scalar" }, description: "HTTP headers of every request." },
    transport: { type: "enum", values: ["stdio", "streamable-http", "http", "sse"] },
    enabled: { type: "boolean", description: "false leaves the server out." },
  },
};

/** Everything of `openclaw.json` that this toolchain reads. */
export const CONFIG_SHAPE: ObjectShape & { description?: string } = {
  type: "object",
  // biome-ignore format: a list of words
  elsewhere: [
    "$schema", "acp", "approvals", "audio", "auth", "bindings", "broadcast", "browser", "canvasHost", "channels",
    "cli", "commands", "cron", "diagnostics", "discovery", "env", "gateway", "hooks", "logging", "media",
    "memory", "messages", "meta", "nodeHost", "proxy", "secrets", "security", "session", "skills", "surfaces",
    "talk", "ui", "update", "web", "wizard",
  ],
  fields: {
    plugins: {
      type: "object",
      elsewhere: ["slots", "installs", "bundledDiscovery"],
      fields: {
        enabled: { type: "boolean", description: "false switches every plugin off." },
        allow: { ...texts, description: "Only these plugins, by id." },
        deny: { ...texts, description: "Never these plugins, by id; wins over allow." },
        load: {
          type: "object",
          fields: { paths: { ...texts, description: "Plugin folders outside the state directory." } },
        },
        entries: {
          type: "map",
          values: {
            type: "object",
            elsewhere: ["apiKey", "env", "hooks", "subagent", "llm"],
            fields: {
              enabled: { type: "boolean" },
              config: {
                type: "map",
                values: { type: "anything" },
                description: "Settings of the plugin, checked by its own schema.",
              },
            },
          },
        },
      },
    },
    tools: toolsShape,
    mcp: {
      type: "object",
      elsewhere: ["sessionIdleTtlMs"],
      fields: { servers: { type: "map", values: MCP_SERVER_SHAPE } },
    },
    agents: {
      type: "object",
      elsewhere: [],
      fields: {
        defaults: { type: "object", unknown: "tolerate", fields: { models: modelEntries } },
        list: {
          type: "list",
          items: { type: "object", unknown: "tolerate", required: ["id"], fields: agentFields },
        },
        entries: { type: "map", values: { type: "object", unknown: "tolerate", fields: agentFields } },
      },
    },
    models: {
      type: "object",
      elsewhere: ["mode", "pricing"],
      fields: {
        providers: {
          type: "map",
          values: {
            type: "object",
            unknown: "tolerate",
            fields: {
              models: {
                type: "list",
                items: {
                  type: "object",
                  unknown: "tolerate",
                  required: ["id"],
                  fields: {
                    id: text,
                    upstreamModel: { ...text, description: "provider/model this row resells." },
                    compat: {
                      type: "object",
                      unknown: "tolerate",
                      fields: {
                        codeMode: { type: "enum", values: ["preferred", "capable"] },
                        supportsTools: { type: "boolean" },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};

/** The published JSON Schema of `openclaw.json`. */
export function configJsonSchema(): Record<string, unknown> {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "openclaw.json",
    description: "What this toolchain reads of openclaw.json; other keys belong to OpenClaw itself.",
    ...toJsonSchema(CONFIG_SHAPE),
  };
}
