import { nearest } from "../text/nearest.js";

export type PayloadDetail = "summary" | "tools" | "full-redacted";
export type SseDetail = "events" | "peek";

/** What the `OPENCLAW_DEBUG_*` and `OPENCLAW_PLUGIN_*` variables ask for. */
export interface DebugFlags {
  codeMode: boolean;
  modelPayload: PayloadDetail | undefined;
  modelTransport: boolean;
  sse: SseDetail | undefined;
  pluginLifecycle: boolean;
  pluginLoad: boolean;
  /** One line for each variable whose value means nothing; it counts as unset. */
  warnings: string[];
}

const OFF: ReadonlySet<string> = new Set(["", "0", "false", "off"]);
const SWITCH = ["1"] as const;

/** Reads the debugging variables. Values are compared without regard to case and blanks around them. */
export function debugFlags(env: NodeJS.ProcessEnv): DebugFlags {
  const warnings: string[] = [];
  function choice<T extends string>(name: string, values: readonly T[]): T | undefined {
    const given = env[name]?.trim().toLowerCase() ?? "";
    if (OFF.has(given)) return undefined;
    const value = values.find((one) => one === given || (one === "1" && given === "true"));
    if (value === undefined) {
      const [close] = nearest(given, values);
      const use = close === undefined ? `use ${values.join(", ")}` : `did you mean ${close}?`;
      warnings.push(`${name}=${given.slice(0, 40)} means nothing and is ignored; ${use}`);
    }
    return value;
  }
  const isOn = (name: string): boolean => choice(name, SWITCH) !== undefined;
  isOn("OPENCLAW_DEBUG");
  return {
    codeMode: isOn("OPENCLAW_DEBUG_CODE_MODE"),
    modelPayload: choice("OPENCLAW_DEBUG_MODEL_PAYLOAD", ["summary", "tools", "full-redacted"]),
    modelTransport: isOn("OPENCLAW_DEBUG_MODEL_TRANSPORT"),
    sse: choice("OPENCLAW_DEBUG_SSE", ["events", "peek"]),
    pluginLifecycle: isOn("OPENCLAW_PLUGIN_LIFECYCLE_TRACE"),
    pluginLoad: isOn("OPENCLAW_PLUGIN_LOAD_DEBUG"),
    warnings,
  };
}
