import { writeSync } from "node:fs";
import { constants } from "node:os";
import { EXIT } from "./errors.js";
import { writeStdout } from "./ui/own-stdout.js";

// Plugin code must not end the process, so `process.exit` is replaced while it runs; this is the real one.
const exit = process.exit.bind(process);

export interface Signals {
  /** Aborted by the first SIGINT or SIGTERM. */
  signal: AbortSignal;
  /** `128+n` once a signal has come. */
  exitCode(): number | undefined;
}

const GRACE_MS = 2_000;

/** First Ctrl-C asks the running command to stop; a second one, or two seconds, ends the process. */
export function installSignals(): Signals {
  const controller = new AbortController();
  let code: number | undefined;
  const onSignal = (name: "SIGINT" | "SIGTERM"): void => {
    const first = code === undefined;
    code = 128 + constants.signals[name];
    if (!first) exit(code);
    controller.abort(new Error(`received ${name}`));
    setTimeout(() => exit(code), GRACE_MS).unref();
  };
  process.on("SIGINT", () => onSignal("SIGINT"));
  process.on("SIGTERM", () => onSignal("SIGTERM"));
  return { signal: controller.signal, exitCode: () => code };
}

function drained(
  stream: NodeJS.WriteStream,
  write: (text: string, done: () => void) => unknown,
): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableEnded) return resolve();
    stream.once("error", () => resolve());
    stream.once("close", () => resolve());
    write("", () => resolve());
  });
}

/**
 * Ends the process with `code` after stdout and stderr have drained. Ending is explicit because plugin
 * code may leave timers and handles behind; draining first because pipe writes are asynchronous and
 * `process.exit` cuts them at 64 KiB.
 */
export async function finish(code: number): Promise<void> {
  process.exitCode = code;
  const { stdout, stderr } = process;
  await Promise.all([
    drained(stdout, writeStdout),
    drained(stderr, (text, done) => stderr.write(text, done)),
  ]);
  exit(code);
}

/**
 * A reader that closes early is not an error of ours: end quietly, as `head` expects. Output that cannot be
 * written (a full disk) must not look like success to the script that asked for it.
 */
export function tolerateClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") exit(process.exitCode ?? 0);
      if (stream === process.stdout) {
        try {
          writeSync(2, `error: the output could not be written to stdout: ${error.message}\n`);
        } catch {}
      }
      exit(EXIT.failed);
    });
  }
}
