import { loadConfig } from "../config/config.js";
import { statePaths } from "../config/paths.js";
import { watchLoadFaults, watchPhases } from "../plugin-events.js";
import type { DebugFlags } from "./flags.js";
import { writeDebugLine } from "./log.js";
import { createRedactor } from "./redact.js";

const STACK_LINES = 6;

/**
 * Writes phases and load faults of plugins to stderr for `OPENCLAW_PLUGIN_LIFECYCLE_TRACE` and
 * `OPENCLAW_PLUGIN_LOAD_DEBUG`. The configuration is read for its secrets; a broken one is the command's to report.
 */
export async function tracePlugins(flags: DebugFlags, env: NodeJS.ProcessEnv): Promise<void> {
  const config = await loadConfig(statePaths(env)).then(
    (loaded) => loaded.config as unknown,
    () => ({}),
  );
  const redact = createRedactor(env, config);
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
