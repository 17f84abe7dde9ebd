import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { CommandFailure, EXIT } from "../../errors.js";
import { distFile } from "../../package-root.js";
import { escapeUntrusted } from "../../ui/escape.js";
import { ARMED, IDLE, type WatchdogOrder, type WatchdogSetup } from "./watchdog-protocol.js";

let thread: { state: Int32Array; port: MessagePort } | undefined;

function start(): { state: Int32Array; port: MessagePort } {
  const state = new Int32Array(new SharedArrayBuffer(8));
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(distFile("watchdog.cjs"), {
    workerData: { state, port: port2 } satisfies WatchdogSetup,
    transferList: [port2],
    execArgv: [],
    env: {},
    trackUnmanagedFds: false,
  });
  worker.unref();
  worker.on("error", () => {});
  port1.unref();
  return { state, port: port1 };
}

export interface WatchdogOptions {
  timeoutMs: number;
  code: string;
  /** One line: what hung, where. */
  message: string;
  hint?: string;
  /** The same for code that waits while nothing is left that could wake it; `message` by default. */
  idleMessage?: string;
  /** Whether stdout must be a JSON document; read from the command line when left out. */
  json?: boolean;
  /** The document for `json`; the usual error envelope by default. */
  document?: unknown;
}

function jsonWanted(): boolean {
  const argv = process.argv.slice(2);
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).includes("--json");
}

/**
 * Fails as soon as Node has nothing left to do: what is still awaited then can never settle, and Node would
 * end the process without a word.
 */
async function whileThereIsWork<T>(work: Promise<T>, failure: () => CommandFailure): Promise<T> {
  let onIdle = (): void => {};
  const idle = new Promise<never>((_, reject) => {
    onIdle = () => reject(failure());
    process.once("beforeExit", onIdle);
  });
  try {
    return await Promise.race([work, idle]);
  } finally {
    process.off("beforeExit", onIdle);
  }
}

/**
 * Runs `code` and ends the whole process (exit code 1, the error line on stderr, a JSON document on stdout
 * where one is due) when it has not finished after `timeoutMs`, be it waiting or looping. For code that
 * nothing else can stop; one call at a time, a nested call extends nothing.
 * @throws CommandFailure with the code and hint of `options` when `code` waits for something that cannot happen
 */
export async function withWatchdog<T>(options: WatchdogOptions, code: () => Promise<T>): Promise<T> {
  thread ??= start();
  const { state, port } = thread;
  if (Atomics.load(state, 0) === ARMED) return code();
  const { code: errorCode, message, hint } = options;
  const json = options.json ?? jsonWanted();
  const document = options.document ?? {
    ok: false,
    error: { code: errorCode, message, ...(hint === undefined ? {} : { hint }) },
  };
  const order: WatchdogOrder = {
    deadline: Date.now() + options.timeoutMs,
    stdout: json ? `${JSON.stringify(document, null, 2)}\n` : "",
    stderr: json ? "" : `${escapeUntrusted(`error: ${message}${hint === undefined ? "" : `\n  ${hint}`}`)}\n`,
    exitCode: EXIT.failed,
  };
  port.postMessage(order);
  Atomics.store(state, 0, ARMED);
  Atomics.notify(state, 0);
  try {
    return await whileThereIsWork(code(), () => {
      const reason = `${options.idleMessage ?? message}: it awaits something that nothing will ever settle`;
      return new CommandFailure(errorCode, reason, hint === undefined ? {} : { hint });
    });
  } finally {
    Atomics.store(state, 0, IDLE);
    Atomics.notify(state, 0);
  }
}
