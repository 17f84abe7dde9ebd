import { messageOf } from "../../errors.js";
import { runInPluginScope } from "../../plugin-scope.js";
import { escapeUntrustedLine } from "../../ui/escape.js";
import { guardOutput, setPluginOutput } from "./guard-output.js";

export { PluginExitError } from "../../plugin-scope.js";

export interface RunPluginCodeOptions {
  /** Named in messages: the plugin's id or its entry file. */
  plugin: string;
  /** Gets what the code prints on stdout, escaped; stderr by default. */
  onOutput?: (text: string) => void;
}

/**
 * Runs code of a plugin outside of any call so that its habits do not become ours: what it prints on
 * stdout goes to stderr, `process.exit` and stray exceptions fail it and do not end the process, and what
 * it throws later is a line on stderr.
 * @throws PluginExitError when the code called `process.exit`, also when it caught the refusal
 */
export async function runPluginCode<T>(
  { plugin, onOutput }: RunPluginCodeOptions,
  code: () => T | Promise<T>,
): Promise<T> {
  guardOutput();
  const restore = onOutput === undefined ? undefined : setPluginOutput(onOutput);
  const onLateFault = (fault: unknown): void => {
    const text = escapeUntrustedLine(messageOf(fault));
    process.stderr.write(`warning: error outside of any call, from ${plugin}: ${text}\n`);
  };
  try {
    return await runInPluginScope({ plugin, onLateFault }, code);
  } finally {
    restore?.();
  }
}
