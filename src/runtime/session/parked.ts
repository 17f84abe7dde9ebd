import type { Run } from "./run.js";

/** Suspended runs one process may hold. */
export const MAX_PARKED = 64;

interface ParkedRun {
  run: Run;
  owner: object;
  timer: NodeJS.Timeout | undefined;
  /** A `wait` is using it. */
  claimed: boolean;
}

/** Every suspended run of this process, with its owner and its time to live. */
export class ParkedRuns {
  readonly #runs = new Map<string, ParkedRun>();

  /** Whether a run may be suspended: one that was before keeps its place. */
  hasRoom(id: string): boolean {
    return this.#runs.has(id) || this.#runs.size < MAX_PARKED;
  }

  get size(): number {
    return this.#runs.size;
  }

  /** Whether a run is suspended, or being resumed. */
  has(id: string): boolean {
    return this.#runs.has(id);
  }

  /** Keeps a run until it is claimed; unclaimed for so long it is closed. */
  park(run: Run, owner: object, ttlSeconds: number): void {
    this.forget(run.id);
    const parked: ParkedRun = { run, owner, claimed: false, timer: undefined };
    this.#runs.set(run.id, parked);
    parked.timer = setTimeout(() => {
      this.#runs.delete(run.id);
      run.expire(ttlSeconds);
    }, ttlSeconds * 1000);
    parked.timer.unref();
  }

  /** Hands a run to a `wait` of its owner, or says why not. It keeps its place until `forget`. */
  claim(id: string, owner: object): Run | string {
    const parked = this.#runs.get(id);
    if (parked === undefined) return "code mode run is unavailable or expired.";
    if (parked.owner !== owner) return "code mode run belongs to a different session.";
    if (parked.claimed) return "code mode run is already being resumed by another wait.";
    parked.claimed = true;
    clearTimeout(parked.timer);
    return parked.run;
  }

  /** The run has ended. */
  forget(id: string): void {
    clearTimeout(this.#runs.get(id)?.timer);
    this.#runs.delete(id);
  }

  /** Closes every run of an owner. */
  closeAll(owner: object): void {
    for (const [id, parked] of this.#runs) {
      if (parked.owner !== owner) continue;
      this.forget(id);
      parked.run.close();
    }
  }
}

export const parkedRuns = new ParkedRuns();
