import { findAgent } from "./agents.js";
import type { AgentConfig, CodeModeConfig, OpenClawConfig } from "./config.js";
import { type CodeModeLimits, LIMIT_NAMES, LIMIT_RULES, resolveLimits } from "./limits.js";

export type CellLanguageName = "javascript" | "typescript";

export interface CodeModeSettings {
  enabled: boolean | "auto";
  /** The setting that decided `enabled`, or `default`. */
  enabledFrom: string;
  /** Complete, clamped. */
  limits: CodeModeLimits;
  /** What was set, clamped; `--limit` values go on top of these. */
  limitSettings: Partial<CodeModeLimits>;
  languages: readonly CellLanguageName[];
}

export interface SettingsScope {
  agentId?: string | undefined;
  /** `provider/model`. */
  model?: string | undefined;
}

/**
 * What `tools.codeMode` comes to for one agent and model. The nearest setting of `enabled` wins: the
 * agent's entry for the model, the agent, the defaults' entry for the model, the whole file; without any
 * it is `"auto"`, also where an object sets other fields only. Limits and languages of the agent win over
 * those of the file, field by field. The configuration must have passed `loadConfig`.
 * @throws CommandFailure `unknown_agent`
 */
export function codeModeSettings(config: OpenClawConfig, scope: SettingsScope = {}): CodeModeSettings {
  const found = findAgent(config, scope.agentId);
  const ofFile = config.tools?.codeMode;
  const ofAgent = found?.agent.tools?.codeMode;
  const candidates: { value: boolean | "auto" | undefined; from: string }[] = [
    modelEntry(found?.agent.models, scope.model, `${found?.place}.models`),
    { value: enabledOf(ofAgent), from: `${found?.place}.${fieldOf(ofAgent)}` },
    modelEntry(config.agents?.defaults?.models, scope.model, "agents.defaults.models"),
    { value: enabledOf(ofFile), from: fieldOf(ofFile) },
  ];
  const decided = candidates.find((candidate) => candidate.value !== undefined);
  const merged = { ...objectOf(ofFile), ...objectOf(ofAgent) };
  const limitSettings: Partial<CodeModeLimits> = {};
  for (const name of LIMIT_NAMES) {
    const { min, max } = LIMIT_RULES[name];
    const asked = merged[name];
    if (typeof asked === "number") limitSettings[name] = Math.min(max, Math.max(min, asked));
  }
  return {
    enabled: decided?.value ?? "auto",
    enabledFrom: decided?.from ?? "default",
    limits: resolveLimits(limitSettings),
    limitSettings,
    languages: (merged.languages as CellLanguageName[] | undefined) ?? ["javascript", "typescript"],
  };
}

function enabledOf(codeMode: CodeModeConfig | undefined): boolean | "auto" | undefined {
  return typeof codeMode === "object" ? codeMode.enabled : codeMode;
}

function fieldOf(codeMode: CodeModeConfig | undefined): string {
  return typeof codeMode === "object" ? "tools.codeMode.enabled" : "tools.codeMode";
}

function objectOf(codeMode: CodeModeConfig | undefined): Record<string, unknown> {
  return typeof codeMode === "object" ? codeMode : {};
}

function modelEntry(
  models: AgentConfig["models"],
  model: string | undefined,
  place: string,
): { value: boolean | undefined; from: string } {
  const entry =
    model !== undefined && models !== undefined && Object.hasOwn(models, model) ? models[model] : undefined;
  return { value: entry?.codeMode, from: `${place}[${JSON.stringify(model)}].codeMode` };
}
