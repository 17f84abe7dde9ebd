import type { OpenClawConfig } from "./config.js";
import { type ModelRef, type ModelTier, modelTier } from "./models.js";
import { codeModeSettings } from "./settings.js";

/** Why a run gets, or does not get, the compact surface of `exec` and `wait`. */
export type ActivationReason =
  | "forced"
  | "preferred-model"
  | "disabled"
  | "not-preferred"
  | "no-tools"
  | "model-without-tools"
  | "native-runtime"
  | "engine-unavailable";

export interface ActivationInput {
  config: OpenClawConfig;
  agentId?: string | undefined;
  model: ModelRef;
  /** The flag of the catalog row that serves the run, when the caller knows better than our tables. */
  catalogFlag?: ModelTier | undefined;
  /** Tools that are left after policy; none means that the run has no tools. */
  toolCount: number;
  /** A raw model call, or a run that was asked to go without tools. */
  toolsDisabled?: boolean | undefined;
  /** `native`: another harness than OpenClaw's own runs the agent, where Code Mode does not apply. */
  runtime?: "openclaw" | "native" | undefined;
  /** Whether the engine loads; a run that engaged must not go on without it. */
  engineAvailable?: boolean | undefined;
}

export interface Activation {
  /** The compact surface owns this run. */
  engaged: boolean;
  /** Engaged by configuration, but it cannot run: the run fails rather than show every tool. */
  refused: boolean;
  reason: ActivationReason;
  /** `capable` also where nothing is stated. */
  tier: ModelTier;
  /** Who states the tier. */
  tierFrom: string;
  enabled: boolean | "auto";
  /** The setting that decided `enabled`. */
  enabledFrom: string;
  siblings: { ref: string; tier: ModelTier }[];
}

/**
 * Whether Code Mode engages for a run, decided once the tools that policy leaves are known. `false` and
 * `true` are absolute; `auto` follows the model's tier; a run without tools never engages.
 * @throws CommandFailure `unknown_agent`
 */
export function resolveActivation(input: ActivationInput): Activation {
  const ref = `${input.model.provider}/${input.model.model}`;
  const { enabled, enabledFrom } = codeModeSettings(input.config, { agentId: input.agentId, model: ref });
  const row = modelTier(input.config, input.model);
  const tier = input.catalogFlag ?? row.tier ?? "capable";
  const tierFrom = input.catalogFlag === undefined ? row.from : "the catalog of the run";
  const end = (reason: ActivationReason, engaged = false): Activation => ({
    engaged: engaged && input.engineAvailable !== false,
    refused: engaged && input.engineAvailable === false,
    reason: engaged && input.engineAvailable === false ? "engine-unavailable" : reason,
    tier,
    tierFrom,
    enabled,
    enabledFrom,
    siblings: row.siblings,
  });
  if (enabled === false) return end("disabled");
  if (input.toolsDisabled === true || input.toolCount === 0) return end("no-tools");
  if (!row.supportsTools) return end("model-without-tools");
  if (input.runtime === "native") return end("native-runtime");
  if (enabled === true) return end("forced", true);
  return tier === "preferred" ? end("preferred-model", true) : end("not-preferred");
}

/** The decision in a few lines for people; the first one answers yes or no. */
export function explainActivation(activation: Activation, model: ModelRef): string[] {
  const ref = `${model.provider}/${model.model}`;
  const setting =
    activation.enabledFrom === "default"
      ? `tools.codeMode is not set, so "auto" holds`
      : `${activation.enabledFrom} is ${JSON.stringify(activation.enabled)}`;
  const because: Record<ActivationReason, string> = {
    forced: setting,
    "preferred-model": `${setting}, and ${activation.tierFrom} marks the model as preferred`,
    disabled: setting,
    "not-preferred": `${setting}, and ${
      activation.tierFrom === "no catalog"
        ? "no catalog marks the model as preferred"
        : `${activation.tierFrom} does not mark the model as preferred`
    }`,
    "no-tools": "the run has no tools",
    "model-without-tools": `${activation.tierFrom} says that the model cannot call tools`,
    "native-runtime": "another agent runtime than OpenClaw's own serves the run",
    "engine-unavailable": `${setting}, but the engine does not load; the run fails rather than show every tool`,
  };
  const verdict = activation.engaged ? "engages" : activation.refused ? "cannot engage" : "does not engage";
  const lines = [`Code Mode ${verdict} for ${ref}: ${because[activation.reason]}.`];
  if (activation.reason === "not-preferred") {
    const better = activation.siblings.find((sibling) => sibling.tier === "preferred");
    if (better !== undefined) {
      lines.push(
        `${better.ref} is the same model and is preferred, as measured there. To say the same of ${ref}, set compat.codeMode on its row in models.providers.`,
      );
    }
    lines.push(`To engage it here: openclaw config set 'agents.defaults.models["${ref}"].codeMode' true`);
  }
  if (activation.engaged && model.provider.toLowerCase() === "openai") {
    lines.push(
      "This holds where OpenClaw's own agent runtime serves the model; OpenAI models often run elsewhere.",
    );
  }
  return lines;
}
