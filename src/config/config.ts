import { readFile } from "node:fs/promises";
import { CommandFailure, messageOf } from "../errors.js";
import type { StatePaths } from "./paths.js";

export interface PluginEntryConfig {
  enabled?: boolean;
  config?: Record<string, unknown>;
  [key: string]: unknown;
}

export interface McpServerConfig {
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
  url?: string;
  headers?: Record<string, string>;
  enabled?: boolean;
}

/** The part of `openclaw.json` this toolchain reads. Unknown keys belong to the real product and stay. */
export interface OpenClawConfig {
  plugins?: {
    enabled?: boolean;
    allow?: string[];
    deny?: string[];
    load?: { paths?: string[] };
    entries?: Record<string, PluginEntryConfig>;
  };
  tools?: {
    allow?: string[];
    deny?: string[];
    codeMode?: boolean | "auto" | Record<string, unknown>;
  };
  mcp?: { servers?: Record<string, McpServerConfig> };
  agents?: Record<string, unknown>;
  models?: Record<string, unknown>;
  [key: string]: unknown;
}

export interface LoadedConfig {
  config: OpenClawConfig;
  /** Absolute path, also when the file does not exist. */
  path: string;
  exists: boolean;
  /** One line each: clamped limits, unknown keys near known ones. */
  warnings: string[];
}

/**
 * Reads `openclaw.json` (JSON5; a missing file is an empty configuration).
 * @throws CommandFailure `config_invalid` with the place of the first problem
 */
export async function loadConfig(paths: StatePaths): Promise<LoadedConfig> {
  let text: string;
  try {
    text = await readFile(paths.configFile, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return { config: {}, path: paths.configFile, exists: false, warnings: [] };
    }
    throw new CommandFailure("config_unreadable", `${paths.configFile}: ${messageOf(error)}`, {
      cause: error,
    });
  }
  const { default: JSON5 } = await import("json5");
  try {
    return {
      config: JSON5.parse(text.replace(/^\ufeff/, "")),
      path: paths.configFile,
      exists: true,
      warnings: [],
    };
  } catch (error) {
    throw new CommandFailure("config_invalid", `${paths.configFile}: ${messageOf(error)}`, { cause: error });
  }
}
