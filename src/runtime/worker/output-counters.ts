/**
 * What parent and worker know of a cell's output without a message: how many messages the parent has
 * read, and how many entries, of how many bytes, the worker has only counted. Shared memory, so the
 * counts survive the end of the thread.
 */
export class OutputCounters {
  readonly #read: Int32Array;
  readonly #skipped: Float64Array;

  constructor(readonly memory: SharedArrayBuffer = new SharedArrayBuffer(24)) {
    this.#read = new Int32Array(memory, 0, 1);
    this.#skipped = new Float64Array(memory, 8, 2);
  }

  get read(): number {
    return Atomics.load(this.#read, 0);
  }

  /** The parent has read a message. */
  markRead(): void {
    Atomics.add(this.#read, 0, 1);
    Atomics.notify(this.#read, 0);
  }

  /** Blocks the worker while the parent is at `seen`, at most `ms`. */
  waitForRead(seen: number, ms: number): void {
    Atomics.wait(this.#read, 0, seen, ms);
  }

  skip(bytes: number): void {
    this.#skipped[0]! += 1;
    this.#skipped[1]! += bytes;
  }

  get skipped(): { entries: number; bytes: number } {
    return { entries: this.#skipped[0]!, bytes: this.#skipped[1]! };
  }

  resetSkipped(): void {
    this.#skipped.fill(0);
  }
}
