import { fork } from "node:child_process";
import { CommandFailure } from "../../errors.js";
import { distFile } from "../../package-root.js";
import { IMPORT_TIMEOUT_MS } from "../load/entry.js";
import type { CheckEntryAnswer, CheckEntryRequest } from "./check-entry-child.js";

/** How long a process may take to start before the import itself counts, in ms. */
const START_ALLOWANCE_MS = 5_000;
const KEPT_OUTPUT = 2_000;

export interface CheckEntryOptions extends CheckEntryRequest {
  signal?: AbortSignal | undefined;
  /** Longest time for the import, in ms (15,000). */
  timeoutMs?: number;
}

/**
 * Imports a plugin's entries in a child process; nothing of the plugin is called.
 * @throws CommandFailure why it cannot be imported, `entry_timeout` when it does not finish, `aborted`
 */
export async function checkEntry(
  options: CheckEntryOptions,
): Promise<Extract<CheckEntryAnswer, { ok: true }>> {
  const timeoutMs = options.timeoutMs ?? IMPORT_TIMEOUT_MS;
  const child = fork(distFile("check-entry.js"), [], {
    cwd: options.rootDir,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    execArgv: [],
    serialization: "json",
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      printed = (printed + text).slice(-KEPT_OUTPUT);
    });
  }
  const stop = (): boolean => child.kill("SIGKILL");
  options.signal?.addEventListener("abort", stop, { once: true });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    stop();
  }, timeoutMs + START_ALLOWANCE_MS);
  try {
    const answer = await new Promise<CheckEntryAnswer>((resolve, reject) => {
      child.once("message", (message) => resolve(message as CheckEntryAnswer));
      child.once("error", reject);
      child.once("exit", (code, signal) => {
        resolve(unanswered(late, timeoutMs, options.signal?.aborted === true, code, signal, printed));
      });
      const request: CheckEntryRequest = { rootDir: options.rootDir, files: options.files };
      child.send(request, (error) => error && reject(error));
    });
    if (answer.ok) return answer;
    throw new CommandFailure(
      answer.code,
      answer.message,
      answer.hint === undefined ? {} : { hint: answer.hint },
    );
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", stop);
    // Timers and sockets the plugin opened would keep it.
    stop();
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function unanswered(
  late: boolean,
  timeoutMs: number,
  aborted: boolean,
  code: number | null,
  signal: string | null,
  printed: string,
): CheckEntryAnswer {
  if (aborted) return { ok: false, code: "aborted", message: "cancelled while importing the plugin's entry" };
  if (late) {
    const message = `plugin entry did not finish importing within ${timeoutMs / 1000} s`;
    const hint = "Something it runs at import waits or loops; move that work into a tool.";
    return { ok: false, code: "entry_timeout", message, hint };
  }
  const last = printed.trim().split("\n").at(-1) ?? "";
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  const message = `plugin entry ended its process ${how} while it was imported${last === "" ? "" : `: ${last}`}`;
  return { ok: false, code: "entry_exited", message };
}
