import { type Context, createContext, Script } from "node:vm";

/** A watched function ran out of its time. */
export class TimeBoundExceeded extends Error {
  constructor(readonly milliseconds: number) {
    super(`not finished within ${milliseconds} ms`);
    this.name = "TimeBoundExceeded";
  }
}

/** Most milliseconds that watched functions may take in one go, all of them together. */
const BURST_MS = 1_000;
/** What a millisecond of the clock gives back of it. */
const REFILL = 0.25;
/** What each may take even when nothing is left: far more than an ordinary one needs. */
const LEAST_MS = 25;
/** After so many milliseconds of them the rest of the process should have a turn. */
const TURN_MS = 50;

let left = BURST_MS;
let countedAt = 0;
let sinceTurn = 0;

function allowance(): number {
  const now = performance.now();
  left = Math.min(BURST_MS, left + (now - countedAt) * REFILL);
  countedAt = now;
  return Math.max(LEAST_MS, Math.floor(left));
}

function charge(milliseconds: number): void {
  left = Math.max(0, left - milliseconds);
  countedAt = performance.now();
  if (sinceTurn === 0) {
    setImmediate(() => {
      sinceTurn = 0;
    });
  }
  sinceTurn += milliseconds;
}

/**
 * Whether watched functions have held up this process for long. Who is about to run another one should let
 * timers and signals have their turn first, and then ask again: others may be waiting for the same turn.
 */
export function isTurnDue(): boolean {
  return sinceTurn > TURN_MS;
}

let bench: { script: Script; context: Context; room: { job: () => unknown } } | undefined;

/**
 * Runs a synchronous, side-effect-free function and ends it after a second, even inside a regular
 * expression that backtracks forever: the engine's own termination, at about 0.1 ms a call. Functions that
 * follow one another closely share that second, so that many of them cannot stop the process; each has at
 * least 25 ms. Throws `TimeBoundExceeded`, or whatever `job` throws.
 */
export function withinTime<T>(job: () => T): T {
  const milliseconds = allowance();
  if (bench === undefined) {
    const room = { job: (): unknown => undefined };
    const context = createContext(Object.assign(Object.create(null), { run: () => room.job() }));
    bench = { script: new Script("run()"), context, room };
  }
  const { script, context, room } = bench;
  const before = room.job;
  const startedAt = performance.now();
  room.job = job;
  try {
    return script.runInContext(context, { timeout: milliseconds }) as T;
  } catch (thrown) {
    if ((thrown as { code?: unknown } | undefined)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
      throw new TimeBoundExceeded(milliseconds);
    }
    throw thrown;
  } finally {
    room.job = before;
    charge(performance.now() - startedAt);
  }
}
