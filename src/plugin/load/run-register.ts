import { registerOf } from "./definition.js";
import { isRecord } from "./manifest.js";
import { runPluginCode } from "./run-plugin-code.js";
import { withWatchdog } from "./watchdog.js";

/** How long the watchdog leaves a promise that the softer timer should have ended first, in ms. */
const WATCHDOG_LEAD_MS = 500;
async function within<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`${what} did not finish within ${ms / 1000} s`)), ms);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs code of a plugin that should be quick: a promise that stays open fails this plugin, a loop that
 * holds the thread can only be ended with the process.
 */
export function runBriefly<T>(
  pluginId: string,
  what: string,
  timeoutMs: number,
  code: () => T | Promise<T>,
): Promise<T> {
  const message = `plugin ${pluginId}: ${what} did not finish within ${timeoutMs / 1000} s`;
  const hint = "It loops, or loads too much at once; move that work into a tool.";
  return withWatchdog(
    { code: "plugin_timeout", message, hint, timeoutMs: timeoutMs + WATCHDOG_LEAD_MS },
    () => within(runPluginCode({ plugin: pluginId }, code), timeoutMs, what),
  );
}

/**
 * Calls a definition's `register(api)`.
 * @throws whatever it throws, or an error that says what the entry should export
 */
export async function runRegister(definition: unknown, api: object): Promise<void> {
  const run = registerOf(definition);
  if (run === undefined) {
    throw new Error("plugin entry exposes neither defineToolPlugin metadata nor a register function");
  }
  const made = await run(api);
  // A function entry may be a factory of the definition instead of the registration itself.
  if (typeof definition === "function" && isRecord(made)) await registerOf(made)?.(api);
}
