import { describe, expect, it } from "vitest";
import {
  type ActivationInput,
  type ActivationReason,
  explainActivation,
  resolveActivation,
} from "../../src/config/activation.js";
import type { OpenClawConfig } from "../../src/config/config.js";
import { modelTier, parseModelRef } from "../../src/config/models.js";

type Row = [
  what: string,
  config: OpenClawConfig,
  model: string,
  run: Partial<ActivationInput>,
  reason: ActivationReason,
];

const PREFERRED = "anthropic/claude-opus-5";
const OTHER = "ollama/llama4";
const mode = (codeMode: any): OpenClawConfig => ({ tools: { codeMode } });
const agent = (tools: any, more: object = {}): OpenClawConfig => ({
  agents: { list: [{ id: "ops", tools, ...more }] },
});
const row = (
  provider: string,
  id: string,
  compat: Record<string, any>,
  more: object = {},
): OpenClawConfig => ({
  models: { providers: { [provider]: { models: [{ id, compat, ...more }] } } },
});
const ops = { agentId: "ops" };

const SHIPPED = [
  ...[
    "claude-fable-5",
    "claude-opus-5",
    "claude-sonnet-5",
    "claude-mythos-5",
    "claude-opus-4-8",
    "claude-haiku-4-5",
  ].map((model) => `anthropic/${model}`),
  "deepseek/deepseek-v4-pro",
  "deepseek/deepseek-v4-flash",
  ...["3-flash-preview", "3.1-pro-preview", "3.1-flash-lite", "3.5-flash", "3.5-flash-lite", "3.6-flash"].map(
    (model) => `google/gemini-${model}`,
  ),
  "kimi/k3",
  "kimi/k3-256k",
  "minimax/MiniMax-M3",
  "moonshot/kimi-k3",
  ...["5.6", "5.6-sol", "5.6-terra", "5.6-luna", "5.5", "5.5-pro"].map((model) => `openai/gpt-${model}`),
  "xiaomi/mimo-v2.5",
  "zai/glm-5.2",
  "zai/glm-5.1",
];

const RESOLD = [
  "novita/moonshotai/kimi-k3",
  "nvidia/z-ai/glm-5.2",
  "together/deepseek-ai/DeepSeek-V4-Pro",
  "github-copilot/gpt-5.5",
  "opencode/claude-opus-5",
  "venice/CLAUDE-SONNET-5",
];

const ROWS: Row[] = [
  // The file's setting, in each of its forms.
  ["nothing set, preferred model", {}, PREFERRED, {}, "preferred-model"],
  ["nothing set, other model", {}, OTHER, {}, "not-preferred"],
  ["auto, preferred", mode("auto"), PREFERRED, {}, "preferred-model"],
  ["auto, other", mode("auto"), OTHER, {}, "not-preferred"],
  ["true, preferred", mode(true), PREFERRED, {}, "forced"],
  ["true, other", mode(true), OTHER, {}, "forced"],
  ["false, preferred", mode(false), PREFERRED, {}, "disabled"],
  ["false, other", mode(false), OTHER, {}, "disabled"],
  ["enabled: true", mode({ enabled: true }), OTHER, {}, "forced"],
  ["enabled: false", mode({ enabled: false }), PREFERRED, {}, "disabled"],
  ["enabled: auto", mode({ enabled: "auto" }), OTHER, {}, "not-preferred"],
  ["object without enabled, other", mode({ timeoutMs: 5000 }), OTHER, {}, "not-preferred"],
  ["object without enabled, preferred", mode({ timeoutMs: 5000 }), PREFERRED, {}, "preferred-model"],
  // Runs without tools never engage, whatever is set.
  ["no tools left", mode(true), PREFERRED, { toolCount: 0 }, "no-tools"],
  ["raw model call", mode(true), PREFERRED, { toolsDisabled: true }, "no-tools"],
  ["auto without tools", {}, PREFERRED, { toolCount: 0 }, "no-tools"],
  ["off and without tools", mode(false), PREFERRED, { toolCount: 0 }, "disabled"],
  [
    "model that cannot call tools",
    { ...mode(true), ...row("x", "m", { supportsTools: false }) },
    "x/m",
    {},
    "model-without-tools",
  ],
  // Another harness.
  ["native harness, forced", mode(true), "openai/gpt-5.5", { runtime: "native" }, "native-runtime"],
  ["native harness, auto", {}, "openai/gpt-5.5", { runtime: "native" }, "native-runtime"],
  ["own runtime", {}, "openai/gpt-5.5", { runtime: "openclaw" }, "preferred-model"],
  // An engaged run without an engine fails; a run that would not engage does not care.
  ["forced, no engine", mode(true), OTHER, { engineAvailable: false }, "engine-unavailable"],
  ["preferred, no engine", {}, PREFERRED, { engineAvailable: false }, "engine-unavailable"],
  ["not preferred, no engine", {}, OTHER, { engineAvailable: false }, "not-preferred"],
  ["off, no engine", mode(false), PREFERRED, { engineAvailable: false }, "disabled"],
  // Agents.
  ["agent on, file off", { ...mode(false), ...agent({ codeMode: true }) }, OTHER, ops, "forced"],
  ["agent off, file on", { ...mode(true), ...agent({ codeMode: false }) }, OTHER, ops, "disabled"],
  ["agent auto, file on", { ...mode(true), ...agent({ codeMode: "auto" }) }, OTHER, ops, "not-preferred"],
  [
    "agent object without enabled",
    { ...mode(true), ...agent({ codeMode: { timeoutMs: 1000 } }) },
    OTHER,
    ops,
    "forced",
  ],
  ["another agent's setting", { ...agent({ codeMode: true }) }, OTHER, { agentId: "main" }, "not-preferred"],
  ["agent in entries", { agents: { entries: { ops: { tools: { codeMode: true } } } } }, OTHER, ops, "forced"],
  ["no agent asked for", agent({ codeMode: true }), OTHER, {}, "not-preferred"],
  // Models.
  [
    "model on, file off",
    { ...mode(false), agents: { defaults: { models: { [OTHER]: { codeMode: true } } } } },
    OTHER,
    {},
    "forced",
  ],
  [
    "model off, file on",
    { ...mode(true), agents: { defaults: { models: { [OTHER]: { codeMode: false } } } } },
    OTHER,
    {},
    "disabled",
  ],
  [
    "model entry without codeMode",
    { agents: { defaults: { models: { [OTHER]: { alias: "l" } } } } },
    OTHER,
    {},
    "not-preferred",
  ],
  [
    "another model's entry",
    { agents: { defaults: { models: { "a/b": { codeMode: true } } } } },
    OTHER,
    {},
    "not-preferred",
  ],
  [
    "agent wins over default model",
    {
      agents: {
        defaults: { models: { [OTHER]: { codeMode: true } } },
        list: [{ id: "ops", tools: { codeMode: false } }],
      },
    },
    OTHER,
    ops,
    "disabled",
  ],
  [
    "agent's model wins over agent",
    agent({ codeMode: false }, { models: { [OTHER]: { codeMode: true } } }),
    OTHER,
    ops,
    "forced",
  ],
  [
    "agent's model wins over default model",
    {
      agents: {
        defaults: { models: { [OTHER]: { codeMode: true } } },
        list: [{ id: "ops", models: { [OTHER]: { codeMode: false } } }],
      },
    },
    OTHER,
    ops,
    "disabled",
  ],
  // The catalog flag.
  ["row preferred", row("x", "m", { codeMode: "preferred" }), "x/m", {}, "preferred-model"],
  ["row capable", row("x", "m", { codeMode: "capable" }), "x/m", {}, "not-preferred"],
  ["row without a flag", row("x", "m", {}), "x/m", {}, "not-preferred"],
  [
    "row demotes a shipped model",
    row("anthropic", "claude-opus-5", { codeMode: "capable" }),
    PREFERRED,
    {},
    "not-preferred",
  ],
  [
    "row of a shipped model without a flag",
    row("anthropic", "claude-opus-5", {}),
    PREFERRED,
    {},
    "preferred-model",
  ],
  [
    "row promotes a resold model",
    row("novita", "moonshotai/kimi-k3", { codeMode: "preferred" }),
    "novita/moonshotai/kimi-k3",
    {},
    "preferred-model",
  ],
  ["flag of the run's own catalog", {}, OTHER, { catalogFlag: "preferred" }, "preferred-model"],
  ["flag of the run demotes", {}, PREFERRED, { catalogFlag: "capable" }, "not-preferred"],
  [
    "true with a capable row",
    { ...mode(true), ...row("x", "m", { codeMode: "capable" }) },
    "x/m",
    {},
    "forced",
  ],
  [
    "sibling by upstreamModel",
    row("mine", "fast", {}, { upstreamModel: "zai/glm-5.2" }),
    "mine/fast",
    {},
    "not-preferred",
  ],
  ["aggregator outside our lists", {}, "openrouter/anthropic/claude-opus-5", {}, "not-preferred"],
  ["provider in other case", {}, "Anthropic/Claude-Opus-5", {}, "preferred-model"],
  ["a version that was not measured", {}, "anthropic/claude-opus-5-20270101", {}, "not-preferred"],
  ...SHIPPED.map((model): Row => [`shipped ${model}`, {}, model, {}, "preferred-model"]),
  ...RESOLD.map((model): Row => [`resold ${model}`, {}, model, {}, "not-preferred"]),
];

describe("activation", () => {
  it("is a table of more than sixty rows", () => expect(ROWS.length).toBeGreaterThanOrEqual(60));

  it.each(ROWS)("%s", (_what, config, ref, run, reason) => {
    const model = parseModelRef(ref);
    const activation = resolveActivation({ config, model, toolCount: 3, ...run });
    expect(activation.reason).toBe(reason);
    expect(activation.engaged).toBe(reason === "forced" || reason === "preferred-model");
    expect(activation.refused).toBe(reason === "engine-unavailable");
    const [verdict] = explainActivation(activation, model);
    expect(verdict).toContain(activation.engaged ? "engages for" : "not engage for");
  });

  it("says which setting decided", () => {
    const config = { ...mode({ enabled: false }), ...agent({ codeMode: { enabled: true } }) };
    const decide = (scope: object) =>
      resolveActivation({ config, model: parseModelRef(OTHER), toolCount: 1, ...scope }).enabledFrom;
    expect(decide({})).toBe("tools.codeMode.enabled");
    expect(decide(ops)).toBe("agents.list[0].tools.codeMode.enabled");
    expect(() => decide({ agentId: "opz" })).toThrow("no agent `opz` is configured");
  });

  it("names the preferred sibling of a row that is not preferred", () => {
    const model = parseModelRef("together/deepseek-ai/DeepSeek-V4-Pro");
    const tier = modelTier({}, model);
    expect(tier).toMatchObject({ tier: "capable", from: "the shipped together catalog" });
    expect(tier.siblings).toEqual([{ ref: "deepseek/deepseek-v4-pro", tier: "preferred" }]);
    const lines = explainActivation(resolveActivation({ config: {}, model, toolCount: 1 }), model);
    expect(lines.join("\n")).toContain("deepseek/deepseek-v4-pro is the same model and is preferred");
    expect(modelTier({}, parseModelRef("kimi/k3")).siblings).toContainEqual({
      ref: "moonshot/kimi-k3",
      tier: "preferred",
    });
  });

  it("refuses a model without a provider", () => {
    for (const text of ["gpt-5.5", "/x", "x/", ""]) expect(() => parseModelRef(text)).toThrow("is no model");
  });
});
