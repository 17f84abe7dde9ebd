import type { EffectiveTool } from "../../src/catalog/tool.js";
import type { CodeModeLimits } from "../../src/config/limits.js";
import type { CellErrorCode } from "../../src/runtime/types.js";

/** One hostile cell and what has to become of it. */
export interface HostileCell {
  name: string;
  code: string;
  limits?: Partial<CodeModeLimits>;
  tools?: () => EffectiveTool[];
  /** How it fails; absent when it completes. */
  fails?: CellErrorCode | readonly CellErrorCode[];
  /** It may also complete, having caught what the engine threw. */
  mayFinish?: boolean;
  /** Leave it where it first waits. */
  resumes?: false;
  /** What the failure says. */
  says?: RegExp;
  /** What it returns when it completes. */
  value?: unknown;
  /** Text entries emitted before it ended. */
  emitted?: readonly string[];
  /** It may take this long; by default its leg budget and 300 ms. */
  withinMs?: number;
  /** Everything about it, the host's part included, may take this long. */
  wallMs?: number;
  /** The process may grow by this much while it runs, in MiB. */
  peakMb?: number;
}

/** The budget of a cell that is meant to run into it. */
export const SHORT = { timeoutMs: 200 };

/** A small guest, so that running out of memory is quick. */
export const SMALL = { memoryLimitBytes: 16 * 1024 * 1024, timeoutMs: 3_000 };
