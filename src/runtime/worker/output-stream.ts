/** Entries the parent may be behind before the guest has to wait for it. */
const MAX_MESSAGES = 256;
const MAX_UNITS = 4 * 1024 * 1024;

/**
 * Sends each emitted entry at once, so that what was emitted survives whatever happens next, and makes a
 * guest that emits faster than the parent reads wait. `acknowledged` counts what the parent has read.
 */
export class OutputStream {
  readonly #acknowledged: Int32Array;
  readonly #post: (entry: string) => void;
  /** Sizes of the entries the parent has not read, oldest first. */
  #unread: number[] = [];
  #unreadUnits = 0;
  #seen: number;

  constructor(acknowledged: Int32Array, post: (entry: string) => void) {
    this.#acknowledged = acknowledged;
    this.#post = post;
    this.#seen = Atomics.load(acknowledged, 0);
  }

  /** Sends an entry; waits for the parent until `deadline` at most (`performance.now()` time). */
  send(entry: string, deadline: number): void {
    this.#post(entry);
    this.#unread.push(entry.length);
    this.#unreadUnits += entry.length;
    while (this.#unread.length > MAX_MESSAGES || this.#unreadUnits > MAX_UNITS) {
      if (this.#takeAcknowledged()) continue;
      const left = deadline - performance.now();
      if (left <= 0) return;
      Atomics.wait(this.#acknowledged, 0, this.#seen, Math.min(left, 1_000));
    }
  }

  #takeAcknowledged(): boolean {
    const now = Atomics.load(this.#acknowledged, 0);
    const count = now - this.#seen;
    if (count === 0) return false;
    this.#seen = now;
    for (const units of this.#unread.splice(0, count)) this.#unreadUnits -= units;
    return true;
  }
}
