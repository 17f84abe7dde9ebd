import type { OutputCounters } from "./output-counters.js";

/** Entries the parent may be behind before the guest has to wait for it. */
const MAX_MESSAGES = 128;
const MAX_UNITS = 2 * 1024 * 1024;

/**
 * Sends each emitted entry at once, so that what was emitted survives whatever happens next, and makes a
 * guest that emits faster than the parent reads wait. Beyond the output budget nobody will see a text
 * again: from there on entries are only counted.
 */
export class OutputStream {
  readonly #counters: OutputCounters;
  readonly #post: (entry: string) => void;
  /** Sizes of the entries the parent has not read, oldest first. */
  #unread: number[] = [];
  #unreadUnits = 0;
  #seen: number;
  #emittedBytes = 0;
  #budget = 0;

  constructor(counters: OutputCounters, post: (entry: string) => void) {
    this.#counters = counters;
    this.#post = post;
    this.#seen = counters.read;
  }

  /** A leg begins; `emittedBytes` is what earlier legs of the cell have emitted. */
  begin(emittedBytes: number, budget: number): void {
    this.#emittedBytes = emittedBytes;
    this.#budget = budget;
    this.#counters.resetSkipped();
  }

  /** Takes an entry; waits for the parent until `deadline` at most (`performance.now()` time). */
  send(entry: string, deadline: number): void {
    const bytes = Buffer.byteLength(entry);
    if (this.#emittedBytes > this.#budget) {
      this.#counters.skip(bytes);
      return;
    }
    this.#emittedBytes += bytes + 1;
    this.#post(entry);
    this.#unread.push(entry.length);
    this.#unreadUnits += entry.length;
    while (this.#unread.length > MAX_MESSAGES || this.#unreadUnits > MAX_UNITS) {
      if (this.#takeRead()) continue;
      const left = deadline - performance.now();
      if (left <= 0) return;
      this.#counters.waitForRead(this.#seen, Math.min(left, 1_000));
    }
  }

  #takeRead(): boolean {
    const now = this.#counters.read;
    const count = now - this.#seen;
    if (count === 0) return false;
    this.#seen = now;
    for (const units of this.#unread.splice(0, count)) this.#unreadUnits -= units;
    return true;
  }
}
