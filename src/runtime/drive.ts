import { mergeLegs } from "./output/merge.js";
import type { CellOutput, CellResult, CellSession, LegOptions } from "./types.js";

export interface DriveOptions extends Omit<LegOptions, "signal"> {
  /** Cancels the run; the result is `aborted`. */
  signal?: AbortSignal;
  /** Wall clock over all legs, ms; past it the run is dropped and the result is `timeout`. */
  deadlineMs: number;
  /** Stop at the first `waiting` result instead of resuming it. */
  noWait?: boolean;
}

class DeadlinePassed extends Error {}

/**
 * Runs a cell over all its legs: resumes every `waiting` result until the cell has ended, the deadline has
 * passed or the caller aborts. `output` of the result holds the entries of all legs in order.
 */
export async function driveCell(
  session: CellSession,
  input: unknown,
  options: DriveOptions,
): Promise<CellResult> {
  const { deadlineMs, noWait, signal, ...leg } = options;
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(() => controller.abort(new DeadlinePassed()), deadlineMs);
  const outputs: CellOutput[][] = [];
  try {
    const legOptions: LegOptions = { ...leg, signal: controller.signal };
    let result = await session.exec(input, legOptions);
    outputs.push(result.output);
    while (result.status === "waiting" && !noWait) {
      result = await session.wait({ runId: result.runId }, legOptions);
      outputs.push(result.output);
    }
    const whole: CellResult = { ...result, output: mergeLegs(outputs) };
    if (
      whole.status === "failed" &&
      whole.code === "aborted" &&
      controller.signal.reason instanceof DeadlinePassed
    ) {
      return {
        ...whole,
        code: "timeout",
        error: `run deadline of ${deadlineMs} ms passed; raise it with --deadline <ms>`,
      };
    }
    return whole;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}
