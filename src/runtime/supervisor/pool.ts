import { CellWorker } from "./cell-worker.js";

/** Idle workers kept for the next leg. */
const MAX_IDLE = 2;
/** Threads at once; legs beyond that wait for one. */
const MAX_BUSY = 16;

/** Workers of this process: reused between legs, each leg with a VM of its own. */
export class WorkerPool {
  readonly #idle: CellWorker[] = [];
  readonly #busy = new Set<CellWorker>();
  readonly #queue: (() => void)[] = [];
  #users = 0;

  /** Starts a worker in the background unless one is waiting. */
  prewarm(): void {
    if (this.#idle.length > 0) return;
    const worker = new CellWorker();
    worker.hold(false);
    this.#idle.push(worker);
  }

  /** A worker for one leg. `reused` tells whether its engine was up already. */
  async acquire(): Promise<{ worker: CellWorker; reused: boolean }> {
    if (this.#busy.size >= MAX_BUSY) await new Promise<void>((resolve) => this.#queue.push(resolve));
    let worker = this.#idle.pop();
    while (worker !== undefined && worker.gone !== undefined) worker = this.#idle.pop();
    const chosen = worker ?? new CellWorker();
    chosen.hold(true);
    this.#busy.add(chosen);
    return { worker: chosen, reused: chosen.booted };
  }

  /** Gives a worker back after its leg; a broken one is ended. */
  release(worker: CellWorker): void {
    worker.listen(undefined);
    this.#busy.delete(worker);
    this.#queue.shift()?.();
    if (worker.gone !== undefined || this.#idle.length >= MAX_IDLE || this.#users === 0) {
      void worker.terminate();
      return;
    }
    worker.hold(false);
    this.#idle.push(worker);
  }

  /** Registers a user; the idle workers end with the last one. */
  enter(): void {
    this.#users++;
  }

  async leave(): Promise<void> {
    this.#users--;
    if (this.#users > 0) return;
    await Promise.all(this.#idle.splice(0).map((worker) => worker.terminate()));
  }

  /** Threads alive, for tests. */
  get size(): number {
    return this.#idle.length + this.#busy.size;
  }
}

export const workerPool = new WorkerPool();

/**
 * Starts a worker while the caller is still loading plugins, so that the first cell finds the engine
 * running. Does not keep the process alive.
 */
export function startRuntime(): void {
  workerPool.prewarm();
}
