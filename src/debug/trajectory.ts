import { type FileHandle, open } from "node:fs/promises";
import { resolve } from "node:path";
import { CommandFailure, messageOf } from "../errors.js";
import type { RuntimeEvent } from "../runtime/types.js";
import type { Redactor } from "./redact.js";

export interface Trajectory {
  record(event: RuntimeEvent): void;
  close(): Promise<void>;
}

/**
 * Writes nested calls under their parent as JSON lines, one a finished call: `{parentToolCallId, toolCallId, runId,
 * tool, input, result | error, ms}`. An existing file is replaced.
 * @throws CommandFailure `trajectory_unwritable` when the file cannot be opened
 */
export async function openTrajectory(file: string, cwd: string, redact: Redactor): Promise<Trajectory> {
  let handle: FileHandle;
  try {
    handle = await open(resolve(cwd, file), "w");
  } catch (error) {
    throw new CommandFailure("trajectory_unwritable", `cannot write ${file}: ${messageOf(error)}`, {
      cause: error,
    });
  }
  let last: Promise<unknown> = Promise.resolve();
  return {
    record(event) {
      if (event.type !== "call") return;
      const { type: _, ...fields } = event;
      const line = `${redact(JSON.stringify(fields))}\n`;
      last = last.then(() => handle.write(line));
    },
    async close() {
      await last;
      await handle.close();
    },
  };
}
