import { messageOf } from "../../errors.js";
import { escapeUntrustedLine } from "../../ui/escape.js";
import { guardOutput, setPluginOutput } from "./guard-output.js";

/** Plugin code tried to end this process; thrown into that code, and reported in place of obeying it. */
export class PluginExitError extends Error {
  constructor(
    readonly plugin: string,
    readonly exitCode: number | string | undefined,
  ) {
    super(`plugin code of ${plugin} called process.exit(${exitCode ?? ""})`);
    this.name = "PluginExitError";
  }
}

interface Window {
  plugin: string;
  fail(error: unknown): void;
}

const open: Window[] = [];
let lastPlugin = "a plugin";
let guarded = false;
const reported = new WeakSet<PluginExitError>();

function guardExit(): void {
  if (guarded) return;
  guarded = true;
  process.exit = ((code?: number | string | null): never => {
    const error = new PluginExitError(onlyWindow()?.plugin ?? lastPlugin, code ?? undefined);
    onStray(error);
    throw error;
  }) as typeof process.exit;
}

/** The one piece of plugin code running; undefined when several run and none can be blamed. */
function onlyWindow(): Window | undefined {
  return open.length === 1 ? open[0] : undefined;
}

/** Errors plugin code throws in timers and forgotten promises, which no call of ours can catch. */
function onStray(error: unknown): void {
  const window = onlyWindow();
  if (window !== undefined) {
    window.fail(error);
    return;
  }
  if (error instanceof PluginExitError) {
    if (reported.has(error)) return;
    reported.add(error);
  }
  const who = open.length > 1 ? "plugin code" : lastPlugin;
  process.stderr.write(
    `warning: error outside of any call, from ${who}: ${escapeUntrustedLine(messageOf(error))}\n`,
  );
}

export interface RunPluginCodeOptions {
  /** Named in messages: the plugin's id or its entry file. */
  plugin: string;
  /** Gets what the code prints on stdout, escaped; stderr by default. */
  onOutput?: (text: string) => void;
}

/**
 * Runs code of a plugin so that its habits do not become ours: what it prints on stdout goes to stderr,
 * `process.exit` and stray exceptions fail the call and do not end the process. The guards stay for the
 * rest of the process, since a plugin's timers do too.
 * @throws PluginExitError when the code called `process.exit`, also when it caught the refusal
 */
export async function runPluginCode<T>(
  options: RunPluginCodeOptions,
  code: () => T | Promise<T>,
): Promise<T> {
  guardOutput();
  guardExit();
  lastPlugin = options.plugin;
  if (process.listeners("uncaughtException").indexOf(onStray) < 0) {
    process.on("uncaughtException", onStray);
    process.on("unhandledRejection", onStray);
  }
  const restore = options.onOutput === undefined ? undefined : setPluginOutput(options.onOutput);
  let failure: { error: unknown } | undefined;
  let reject: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, no) => {
    reject = no;
  });
  failed.catch(() => {});
  const window: Window = {
    plugin: options.plugin,
    fail(error) {
      failure ??= { error };
      reject(error);
    },
  };
  open.push(window);
  try {
    const result = await Promise.race([(async () => code())(), failed]);
    if (failure !== undefined) throw failure.error;
    return result;
  } finally {
    open.splice(open.indexOf(window), 1);
    restore?.();
  }
}
