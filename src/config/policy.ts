import { nearest } from "../text/nearest.js";
import { findAgent } from "./agents.js";
import type { OpenClawConfig, ToolPolicyConfig } from "./config.js";

/** What policy needs to know of a tool. */
export interface PolicyTool {
  name: string;
  /** Plugin id, safe MCP server name, `core` or `client`. */
  owner: string;
  source: "openclaw" | "mcp" | "client";
  optional?: boolean;
}

export interface PolicyScope {
  agentId?: string | undefined;
  /** `provider/model`; the policies of the provider and of the model apply too. */
  model?: string | undefined;
  /** Optional tools allowed for this run only, as `--allow` names them. */
  allow?: readonly string[] | undefined;
}

export interface PolicyResult<T> {
  tools: T[];
  /** What was left out, each with the setting that did it. */
  removed: { tool: T; reason: string }[];
  /**
   * Entries that fit no tool of this run. Configured ones are often meant for tools of OpenClaw itself, so
   * they are worth a word only with a `close` name they may be a misspelling of.
   */
  unmatched: { entry: string; from: string; close?: string }[];
}

interface Layer {
  from: string;
  policy: ToolPolicyConfig;
}

/** The plugin id under which the real product lists tools of MCP servers. */
const MCP_PLUGIN = "bundle-mcp";

/**
 * The tools a run may use. Each scope (file, provider, model, agent) narrows: a `deny` entry removes, an
 * `allow` list keeps only what it or `alsoAllow` names, and an empty one keeps nothing. Optional tools
 * need an entry that names them, their plugin, or a pattern over them. Entries are tool names, plugin
 * ids, MCP servers, `group:plugins` or patterns with `*`; letter case does not matter.
 * @throws CommandFailure `unknown_agent`
 */
export function applyToolPolicy<T extends PolicyTool>(
  tools: readonly T[],
  config: OpenClawConfig,
  scope: PolicyScope = {},
): PolicyResult<T> {
  const layers = policyLayers(config, scope);
  const removed: PolicyResult<T>["removed"] = [];
  const kept = tools.filter((tool) => {
    const reason = refusal(tool, layers, scope.allow ?? []);
    if (reason !== undefined) removed.push({ tool, reason });
    return reason === undefined;
  });
  const entries = [
    ...layers.flatMap(({ from, policy }) =>
      (["allow", "alsoAllow", "deny"] as const).flatMap((list) =>
        (policy[list] ?? []).map((entry) => ({ entry, from: `${from}.${list}` })),
      ),
    ),
    ...(scope.allow ?? []).map((entry) => ({ entry, from: "--allow" })),
  ];
  const names = tools.flatMap((tool) => namesOf(tool));
  const unmatched = entries
    .filter(({ entry }) => !tools.some((tool) => matches(entry, tool)))
    .map((item) => {
      const [close] = nearest(item.entry, names, 1);
      return close === undefined ? item : { ...item, close };
    });
  return { tools: kept, removed, unmatched };
}

function policyLayers(config: OpenClawConfig, scope: PolicyScope): Layer[] {
  const agent = findAgent(config, scope.agentId);
  const provider = scope.model?.split("/")[0];
  const layers: Layer[] = [];
  const add = (from: string, policy: ToolPolicyConfig | undefined): void => {
    if (policy !== undefined) layers.push({ from, policy });
  };
  for (const [place, tools] of [
    ["tools", config.tools],
    [`${agent?.place}.tools`, agent?.agent.tools],
  ] as const) {
    add(place, tools);
    const byProvider = tools?.byProvider ?? {};
    for (const key of [provider, scope.model]) {
      if (key !== undefined && Object.hasOwn(byProvider, key)) {
        add(`${place}.byProvider[${JSON.stringify(key)}]`, byProvider[key]);
      }
    }
  }
  return layers;
}

function refusal(tool: PolicyTool, layers: readonly Layer[], allowed: readonly string[]): string | undefined {
  const given = allowed.some((entry) => matches(entry, tool));
  // A bare `*` means whatever is there; an optional tool wants to be meant.
  const means = (entry: string): boolean => entry.trim() !== "*" && matches(entry, tool);
  let named = given;
  for (const { from, policy } of layers) {
    const denied = policy.deny?.find((entry) => matches(entry, tool));
    if (denied !== undefined) return `${from}.deny lists \`${denied}\``;
    const list = [...(policy.allow ?? []), ...(policy.alsoAllow ?? [])];
    if (policy.allow !== undefined && !given && !list.some((entry) => matches(entry, tool))) {
      return policy.allow.length === 0 ? `${from}.allow is empty` : `${from}.allow does not list it`;
    }
    named ||= list.some(means);
  }
  if (tool.optional === true && !named) {
    return `it is optional: add \`${tool.name}\` to tools.alsoAllow, or pass --allow ${tool.name}`;
  }
  return undefined;
}

/** Whether a list entry means this tool. */
export function matches(entry: string, tool: PolicyTool): boolean {
  const wanted = entry.trim().toLowerCase();
  if (wanted === "group:plugins") return tool.source !== "client" && tool.owner !== "core";
  const names = namesOf(tool).map((name) => name.toLowerCase());
  if (!wanted.includes("*")) return names.includes(wanted);
  const pattern = new RegExp(
    `^${wanted
      .split("*")
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*")}$`,
    "s",
  );
  return names.some((name) => pattern.test(name));
}

/** What an entry may call a tool: its own name, its plugin's or its server's. */
function namesOf(tool: PolicyTool): string[] {
  if (tool.source === "mcp") return [tool.name, tool.owner, MCP_PLUGIN];
  return tool.source === "openclaw" && tool.owner !== "core" ? [tool.name, tool.owner] : [tool.name];
}
