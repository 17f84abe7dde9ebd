import { homedir, userInfo } from "node:os";
import { join, resolve } from "node:path";

export interface StatePaths {
  /** `~/.openclaw` unless OPENCLAW_STATE_DIR says otherwise. */
  stateDir: string;
  /** The user's `openclaw.json` (JSON5). */
  configFile: string;
  /** Installed plugins, one folder an id; the real product discovers the same folder. */
  extensionsDir: string;
  /** Everything only this toolchain writes. */
  toolchainDir: string;
  /** Install records. */
  recordsFile: string;
  /** Unfinished installs; anything found here without a live owner is stale. */
  stageDir: string;
  /** Session stores of `exec --session`. */
  sessionsDir: string;
  /** Tool lists of MCP servers, kept between runs. */
  mcpCacheDir: string;
}

function expandHome(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") || path.startsWith("~\\") ? join(home, path.slice(1)) : path;
}

function nonBlank(value: string | undefined): string | undefined {
  return value !== undefined && value.trim() !== "" ? value.trim() : undefined;
}

/**
 * The user's home folder. An empty HOME, as some CI jobs and services have it, must not make the working
 * directory one: then the system's own record of the user counts.
 */
export function userHome(env: NodeJS.ProcessEnv = process.env): string {
  const named = nonBlank(env.HOME) ?? nonBlank(env.USERPROFILE) ?? nonBlank(homedir());
  if (named !== undefined) return named;
  try {
    return userInfo().homedir;
  } catch {
    return resolve("/");
  }
}

/**
 * Where state and configuration live, from the environment: OPENCLAW_HOME, OPENCLAW_STATE_DIR and
 * OPENCLAW_CONFIG_PATH, each optional, `~/` expanded. Touches no file.
 */
export function statePaths(env: NodeJS.ProcessEnv = process.env): StatePaths {
  const osHome = userHome(env);
  const home = resolve(expandHome(nonBlank(env.OPENCLAW_HOME) ?? osHome, osHome));
  const stateDir = resolve(expandHome(nonBlank(env.OPENCLAW_STATE_DIR) ?? join(home, ".openclaw"), home));
  const toolchainDir = join(stateDir, "toolchain");
  return {
    stateDir,
    configFile: resolve(
      expandHome(nonBlank(env.OPENCLAW_CONFIG_PATH) ?? join(stateDir, "openclaw.json"), home),
    ),
    extensionsDir: join(stateDir, "extensions"),
    toolchainDir,
    recordsFile: join(toolchainDir, "installs.json"),
    stageDir: join(toolchainDir, "stage"),
    sessionsDir: join(toolchainDir, "sessions"),
    mcpCacheDir: join(toolchainDir, "mcp-cache"),
  };
}
