import { loadConfig } from "../config/config.js";
import { statePaths } from "../config/paths.js";
import { watchLoadFaults, watchPhases } from "../plugin-events.js";
import { createRedactor, type Redactor } from "../text/redact.js";
import type { DebugFlags } from "./flags.js";
import { writeDebugLine } from "./log.js";

const STACK_LINES = 6;

/** A redactor for what is told before a command has read its configuration; a broken one is the command's to report. */
export async function earlyRedactor(env: NodeJS.ProcessEnv): Promise<Redactor> {
  const config = await loadConfig(statePaths(env)).then(
    (loaded) => loaded.config as unknown,
    () => ({}),
  );
  return createRedactor(env, config);
}

/**
 * Writes phases and load faults of plugins to stderr for `OPENCLAW_PLUGIN_LIFECYCLE_TRACE` and
 * `OPENCLAW_PLUGIN_LOAD_DEBUG`.
 */
export async function tracePlugins(flags: DebugFlags, env: NodeJS.ProcessEnv): Promise<void> {
  const redact = await earlyRedactor(env);
  if (flags.pluginLifecycle) {
    watchPhases(({ phase, plugin, ms, error }) =>
      writeDebugLine("plugin-lifecycle", redact, phase, { plugin, ms, error }),
    );
  }
  if (flags.pluginLoad) {
    watchLoadFaults(({ phase, plugin, error, exports, stack }) =>
      writeDebugLine("plugin-load", redact, "failed", {
        plugin,
        phase,
        error,
        exports,
        stack: stack?.split("\n").slice(0, STACK_LINES).join("\n"),
      }),
    );
  }
}
