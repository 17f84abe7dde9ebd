import type { MessagePort } from "node:worker_threads";

/** Values of `state[0]`. */
export const IDLE = 0;
export const ARMED = 1;

export interface WatchdogSetup {
  /** `[0]` is IDLE or ARMED; `[1]` is never written, and waited on as a pause. */
  state: Int32Array;
  port: MessagePort;
}

/** What to do when the time is over. */
export interface WatchdogOrder {
  /** `Date.now()` at which it is over. */
  deadline: number;
  stdout: string;
  stderr: string;
  exitCode: number;
}
