import type { Reporter } from "./reporter.js";

export interface Progress {
  /** Replaces the text of the running step. */
  update(text: string): void;
  done(text?: string): void;
  fail(text?: string): void;
}

const SILENT: Progress = { update() {}, done() {}, fail() {} };

/** A spinner on stderr when that is a terminal; silent otherwise. The spinner loads only when drawn. */
export async function startProgress(reporter: Reporter, text: string): Promise<Progress> {
  // Pseudo-terminals without a size make the spinner erase lines for ever.
  if (!reporter.interactive || !process.stderr.columns) return SILENT;
  // By its default export: a bundled CommonJS module has no other.
  const { default: nanospinner } = await import("nanospinner");
  const spinner = nanospinner.createSpinner(text, { stream: process.stderr }).start();
  return {
    update: (next) => void spinner.update({ text: next }),
    done: (last) => void spinner.success(last === undefined ? {} : { text: last }),
    fail: (last) => void spinner.error(last === undefined ? {} : { text: last }),
  };
}
