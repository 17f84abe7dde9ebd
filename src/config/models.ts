import { UsageFailure } from "../errors.js";
import type { ModelRowConfig, OpenClawConfig } from "./config.js";

export type ModelTier = "preferred" | "capable";

export interface ModelRef {
  provider: string;
  model: string;
}

export interface TierFinding {
  /** Absent: no row states one, which counts as capable. */
  tier?: ModelTier;
  /** Who says so, for people. */
  from: string;
  supportsTools: boolean;
  /** Other rows for the same weights that state a tier: `provider/model`, with that tier. */
  siblings: { ref: string; tier: ModelTier }[];
}

/** Models whose vendors' own endpoints were measured to do better with Code Mode. */
const PREFERRED: Readonly<Record<string, readonly string[]>> = {
  anthropic: [
    "claude-fable-5",
    "claude-opus-5",
    "claude-sonnet-5",
    "claude-mythos-5",
    "claude-opus-4-8",
    "claude-haiku-4-5",
  ],
  deepseek: ["deepseek-v4-pro", "deepseek-v4-flash"],
  google: [
    "gemini-3-flash-preview",
    "gemini-3.1-pro-preview",
    "gemini-3.1-flash-lite",
    "gemini-3.5-flash",
    "gemini-3.5-flash-lite",
    "gemini-3.6-flash",
  ],
  kimi: ["k3", "k3-256k"],
  minimax: ["MiniMax-M3"],
  moonshot: ["kimi-k3"],
  openai: ["gpt-5.6", "gpt-5.6-sol", "gpt-5.6-terra", "gpt-5.6-luna", "gpt-5.5", "gpt-5.5-pro"],
  xiaomi: ["mimo-v2.5"],
  zai: ["glm-5.2", "glm-5.1"],
};

/** Names of the weights where a first-party row goes by another one. */
const UPSTREAM: Readonly<Record<string, string>> = {
  "kimi/k3": "moonshot/kimi-k3",
  "kimi/k3-256k": "moonshot/kimi-k3",
};

/** Catalogs that resell such models; the measurements were not repeated on their endpoints. */
const RESELLERS: ReadonlySet<string> = new Set([
  "baseten",
  "deepinfra",
  "github-copilot",
  "gmi",
  "novita",
  "nvidia",
  "ollama-cloud",
  "opencode",
  "opencode-go",
  "qianfan",
  "together",
  "venice",
  "volcengine-plan",
]);

/**
 * Splits `provider/model`; the model part may hold further slashes.
 * @throws UsageFailure for anything else
 */
export function parseModelRef(text: string): ModelRef {
  const slash = text.indexOf("/");
  const provider = text.slice(0, slash).trim();
  const model = text.slice(slash + 1).trim();
  if (slash < 1 || provider === "" || model === "") {
    throw new UsageFailure(
      `\`${text}\` is no model: write provider/model, for example anthropic/claude-opus-5`,
    );
  }
  return { provider, model };
}

/** The vendor's own name of the weights: namespaces and letter case do not matter. */
function weightsName(ref: string): string {
  return (ref.split("/").at(-1) ?? ref).toLowerCase();
}

interface Row {
  ref: string;
  weights: string;
  tier?: ModelTier;
  from: string;
  supportsTools: boolean;
}

function shippedRows(): Row[] {
  return Object.entries(PREFERRED).flatMap(([provider, models]) =>
    models.map((model): Row => {
      const ref = `${provider}/${model}`;
      const weights = weightsName(UPSTREAM[ref] ?? ref);
      return {
        ref,
        weights,
        tier: "preferred",
        from: `the shipped ${provider} catalog`,
        supportsTools: true,
      };
    }),
  );
}

function configuredRows(config: OpenClawConfig): Row[] {
  return Object.entries(config.models?.providers ?? {}).flatMap(([provider, { models }]) =>
    (models ?? []).map((row: ModelRowConfig, index): Row => {
      const ref = `${provider}/${row.id}`;
      const tier = row.compat?.codeMode;
      return {
        ref,
        weights: weightsName(row.upstreamModel ?? row.id),
        ...(tier === undefined ? {} : { tier }),
        from: `models.providers.${provider}.models[${index}]`,
        supportsTools: row.compat?.supportsTools !== false,
      };
    }),
  );
}

/**
 * The tier of a model: what its configured row states, else the shipped row, else `capable` for a known
 * reseller of a preferred model. A row never takes its tier from a sibling; siblings are only reported.
 */
export function modelTier(config: OpenClawConfig, { provider, model }: ModelRef): TierFinding {
  const ref = `${provider}/${model}`;
  const same = (row: Row): boolean => row.ref.toLowerCase() === ref.toLowerCase();
  const shipped = shippedRows();
  const configured = configuredRows(config);
  const own = configured.find((row) => row.ref === ref) ?? configured.find(same);
  const known = shipped.find(same);
  const weights = own?.weights ?? known?.weights ?? weightsName(UPSTREAM[ref.toLowerCase()] ?? ref);
  const siblings = [...configured, ...shipped].filter(
    (row): row is Row & { tier: ModelTier } =>
      row.weights === weights && !same(row) && row.tier !== undefined,
  );
  const finding = {
    supportsTools: own?.supportsTools ?? true,
    siblings: siblings.map(({ ref: other, tier }) => ({ ref: other, tier })),
  };
  if (own?.tier !== undefined) return { ...finding, tier: own.tier, from: `${own.from}.compat.codeMode` };
  if (known?.tier !== undefined) return { ...finding, tier: known.tier, from: known.from };
  if (RESELLERS.has(provider.toLowerCase()) && shipped.some((row) => row.weights === weights)) {
    return { ...finding, tier: "capable", from: `the shipped ${provider.toLowerCase()} catalog` };
  }
  return { ...finding, from: own?.from ?? "no catalog" };
}
