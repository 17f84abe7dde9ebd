import type { ToolHooks } from "../catalog/hooks.js";
import type { EffectiveTool } from "../catalog/tool.js";

/** How a plugin came to us. `untracked`: a folder under extensions/ that no install recorded. */
export type PluginOrigin = "installed" | "linked" | "untracked" | "config" | "given";

export interface PluginDiagnostic {
  level: "error" | "warning" | "info";
  message: string;
  fix?: string;
}

/** What the manifest and package.json say, read without importing any plugin code. */
export interface PluginManifest {
  id: string;
  name?: string;
  description?: string;
  version?: string;
  configSchema: Record<string, unknown>;
  contracts: { tools: string[]; [kind: string]: unknown };
  toolMetadata: Record<string, Record<string, unknown>>;
  /** The whole parsed file. */
  raw: Record<string, unknown>;
}

/** A plugin found on disk; nothing of it has run. */
export interface DiscoveredPlugin {
  id: string;
  rootDir: string;
  origin: PluginOrigin;
  enabled: boolean;
  manifest?: PluginManifest;
  packageName?: string;
  /** `version` of package.json. */
  packageVersion?: string;
  /** Entry files in `openclaw.extensions` order, absolute. */
  entries: string[];
  /** Why it cannot be used, when it cannot. */
  error?: string;
  diagnostics: PluginDiagnostic[];
}

/** One tool name a plugin registered, usable or not, for people who ask what a plugin does. */
export interface RegisteredToolInfo {
  name: string;
  /** Whether `contracts.tools` names it. */
  declared: boolean;
  optional: boolean;
  /**
   * `usable`: a run gets it. `undeclared`: dropped. `optional`: waits to be allowed. `conflict`: an
   * earlier tool has the name. `unmade`: its factory gave nothing or was not asked. `failed`: its factory threw.
   */
  state: "usable" | "undeclared" | "optional" | "conflict" | "unmade" | "failed";
  label?: string;
  description?: string;
  parameters?: unknown;
  outputSchema?: unknown;
}

/** A plugin whose entry was imported and registered against the recording API. */
export interface LoadedPlugin {
  plugin: DiscoveredPlugin;
  status: "loaded" | "error";
  error?: string;
  failurePhase?: "manifest" | "config" | "import" | "register" | "factory";
  /** Usable tools: declared (unless given by path), allowed, made by their factories. */
  tools: EffectiveTool[];
  /** Every tool name that was registered, in registration order. */
  registered: RegisteredToolInfo[];
  hooks: ToolHooks;
  /** Every registration by kind, unknown kinds included. */
  registrations: Record<string, number>;
  diagnostics: PluginDiagnostic[];
}
