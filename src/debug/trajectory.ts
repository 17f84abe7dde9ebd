import { type FileHandle, open } from "node:fs/promises";
import { resolve } from "node:path";
import { CommandFailure, systemReason } from "../errors.js";
import type { RuntimeEvent } from "../runtime/types.js";
import type { Redactor } from "../text/redact.js";

/** A call of `exec`, `wait` or a direct tool, as the model would have made it. */
export interface OuterCall {
  toolCallId: string;
  tool: string;
  input: unknown;
  result: unknown;
  ms: number;
  /** The connection of a server that was asked. */
  connection?: number;
}

export interface Trajectory {
  record(event: RuntimeEvent): void;
  recordOuter(call: OuterCall): void;
  /** @throws CommandFailure `trajectory_unwritable` when a line could not be written */
  close(): Promise<void>;
}

/**
 * Writes calls as JSON lines when they have ended. A nested call is `{runId, parentToolCallId, toolCallId, tool, input,
 * result | error, ms}`; the call of `exec` it belongs to follows it as `{toolCallId, tool: "exec", input, result, ms}`.
 * An existing file is replaced. Secrets of the run are masked.
 * @throws CommandFailure `trajectory_unwritable` when the file cannot be opened
 */
export async function openTrajectory(file: string, cwd: string, redact: Redactor): Promise<Trajectory> {
  const unwritable = (error: unknown): CommandFailure =>
    new CommandFailure("trajectory_unwritable", `cannot write ${file}: ${systemReason(error)}`, {
      cause: error,
    });
  let handle: FileHandle;
  try {
    handle = await open(resolve(cwd, file), "w");
  } catch (error) {
    throw unwritable(error);
  }
  let failure: CommandFailure | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const write = (fields: object): void => {
    const line = `${redact(JSON.stringify(fields))}\n`;
    last = last
      .then(() => (failure === undefined ? handle.write(line) : undefined))
      .catch((error: unknown) => {
        failure ??= unwritable(error);
      });
  };
  return {
    record(event) {
      if (event.type !== "call") return;
      const { type: _, ...fields } = event;
      write(fields);
    },
    recordOuter: write,
    async close() {
      await last;
      await handle.close();
      if (failure !== undefined) throw failure;
    },
  };
}
