import type { EffectiveTool } from "../../catalog/tool.js";
import type { OpenClawConfig } from "../../config/config.js";
import { matches } from "../../config/policy.js";
import { messageOf } from "../../errors.js";
import type { DiscoveredPlugin, PluginDiagnostic, RegisteredToolInfo } from "../types.js";
import { makeTool } from "./make-tool.js";
import { isRecord } from "./manifest.js";
import type { RegisteredTool } from "./recording-api.js";
import type { LocalToolContext } from "./tool-context.js";

export interface AssembleOptions {
  plugin: DiscoveredPlugin;
  config: OpenClawConfig;
  /** List entries that let optional tools in, beside those of `tools`; `all` leaves it to the caller's policy. */
  allow: readonly string[] | "all";
  toolContext: LocalToolContext;
  /** `unnamed` leaves factories alone that registered their names, as an inspection does. */
  factories: "all" | "unnamed";
}

export interface Assembled {
  tools: EffectiveTool[];
  registered: RegisteredToolInfo[];
  diagnostics: PluginDiagnostic[];
  /** Factories that threw, each with its reason. */
  failures: string[];
}

type MetadataOf = (name: string) => Record<string, unknown> | undefined;

async function concreteTools(registered: RegisteredTool, context: LocalToolContext): Promise<unknown[]> {
  if (registered.kind === "tool") return [registered.tool];
  const made = await registered.create?.(context);
  if (made === null || made === undefined) return [];
  return Array.isArray(made) ? made.filter((tool) => tool !== null && tool !== undefined) : [made];
}

function describe(tool: EffectiveTool): Pick<RegisteredToolInfo, "label" | "description" | "parameters"> {
  const { label, description, parameters, outputSchema } = tool;
  return {
    ...(label === undefined ? {} : { label }),
    description,
    parameters,
    ...(outputSchema === undefined ? {} : { outputSchema }),
  };
}

/**
 * Turns registrations into tools: factories run once with the local context, malformed tools and
 * repeated names become diagnostics. Undeclared tools are usable only for a plugin given by its
 * folder; optional tools only when allowed.
 */
export async function assembleTools(
  registrations: readonly RegisteredTool[],
  options: AssembleOptions,
): Promise<Assembled> {
  const { plugin, config } = options;
  const result: Assembled = { tools: [], registered: [], diagnostics: [], failures: [] };
  const wanted = [
    ...(options.allow === "all" ? [] : options.allow),
    ...(config.tools?.allow ?? []),
    ...(config.tools?.alsoAllow ?? []),
    // A bare `*` means whatever is there; an optional tool wants to be meant.
  ].filter((entry) => entry.trim() !== "*");
  const isAllowed = (tool: EffectiveTool): boolean =>
    options.allow === "all" || wanted.some((entry) => matches(entry, tool));
  const declared = new Set(plugin.manifest?.contracts.tools ?? []);
  const toolMetadata = plugin.manifest?.toolMetadata ?? {};
  const metadataOf: MetadataOf = (name) =>
    Object.hasOwn(toolMetadata, name) ? toolMetadata[name] : undefined;
  const taken = new Set<string>();

  const stateOf = (tool: EffectiveTool): RegisteredToolInfo["state"] => {
    if (taken.has(tool.name)) return "conflict";
    if (!declared.has(tool.name) && plugin.origin !== "given") return "undeclared";
    if (tool.optional && !isAllowed(tool)) return "optional";
    return "usable";
  };
  const keep = (raw: unknown, optional: boolean): string | undefined => {
    const name = isRecord(raw) && typeof raw.name === "string" ? raw.name : "";
    const metadata = metadataOf(name);
    let tool: EffectiveTool;
    try {
      tool = makeTool(raw, {
        pluginId: plugin.id,
        optional: optional || metadata?.optional === true,
        ...(metadata === undefined ? {} : { metadata }),
      });
    } catch (error) {
      result.diagnostics.push({ level: "error", message: `malformed tool: ${messageOf(error)}` });
      return name === "" ? undefined : name;
    }
    const state = stateOf(tool);
    if (state === "conflict") {
      const message = `tool name conflict: ${tool.name} is registered twice; the first one counts`;
      result.diagnostics.push({ level: "error", message });
    }
    taken.add(tool.name);
    if (state === "usable") result.tools.push(tool);
    result.registered.push({
      name: tool.name,
      declared: declared.has(tool.name),
      optional: tool.optional === true,
      state,
      ...describe(tool),
    });
    return tool.name;
  };
  const leave = (
    registered: RegisteredTool,
    state: RegisteredToolInfo["state"],
    names: Iterable<string>,
  ): void => {
    for (const name of names) {
      const isDeclared = declared.has(name);
      const dropped = !isDeclared && plugin.origin !== "given";
      const optional = registered.optional || metadataOf(name)?.optional === true;
      result.registered.push({ name, declared: isDeclared, optional, state: dropped ? "undeclared" : state });
    }
  };

  for (const registered of registrations) {
    if (registered.kind === "factory" && options.factories === "unnamed" && registered.names.length > 0) {
      leave(registered, "unmade", registered.names);
      continue;
    }
    let made: unknown[];
    try {
      made = await concreteTools(registered, options.toolContext);
    } catch (error) {
      const label = registered.names.join(", ") || "a tool factory";
      result.failures.push(`${label}: ${messageOf(error)}`);
      const message = `the factory of ${label} failed: ${messageOf(error)}`;
      result.diagnostics.push({ level: "error", message });
      leave(registered, "failed", registered.names);
      continue;
    }
    const seen = new Set(made.map((raw) => keep(raw, registered.optional)));
    // With several tools the option's name is only a label, so it counts as missing only when nothing came.
    if (made.length === 0)
      leave(
        registered,
        "unmade",
        registered.names.filter((name) => !seen.has(name)),
      );
  }
  return result;
}

/** Differences between what the manifest declares and what was registered, with their fixes. */
export function contractDiagnostics(
  plugin: DiscoveredPlugin,
  registered: readonly RegisteredToolInfo[],
): PluginDiagnostic[] {
  if (plugin.manifest === undefined) return [];
  const diagnostics: PluginDiagnostic[] = [];
  const given = plugin.origin === "given";
  const undeclared = [...new Set(registered.filter((tool) => !tool.declared).map((tool) => tool.name))];
  if (undeclared.length > 0) {
    const what = `registers tools that contracts.tools does not declare`;
    diagnostics.push({
      level: given ? "warning" : "error",
      message: given
        ? `${what}: ${undeclared.join(", ")}; an install would drop them`
        : `${what}, so they are dropped: ${undeclared.join(", ")}`,
      fix: "run `openclaw plugins build` in the plugin's project and install it again",
    });
  }
  const seen = new Set(registered.map((tool) => tool.name));
  const missing = plugin.manifest.contracts.tools.filter((name) => !seen.has(name));
  if (missing.length > 0) {
    diagnostics.push({
      level: "warning",
      message: `declared in contracts.tools but not registered: ${missing.join(", ")}`,
      fix: "check which setting or environment variable its register() waits for, or run `openclaw plugins build`",
    });
  }
  return diagnostics;
}
