const OK = 0;
const BAD_FILE = 8;
const NO_SYSTEM = 52;
const REALTIME = 0;

/** Difference between the wall clock and this thread's steady clock, ms. */
let steadyOffset = Date.now() - performance.now();

/** Takes the steady clock back to the wall clock, from which it drifts away in a long-lived thread. */
export function alignClock(): void {
  steadyOffset = Date.now() - performance.now();
}

/** Milliseconds since the epoch that never run backwards between two calls of `alignClock`. */
export function steadyNow(): number {
  return steadyOffset + performance.now();
}

/** The few system calls the engine makes: clock and randomness. Files and output do not exist. */
export function wasiImports(memory: () => WebAssembly.Memory): WebAssembly.ModuleImports {
  return {
    clock_time_get(clock: number, _precision: bigint, result: number): number {
      const ms = clock === REALTIME ? Date.now() : steadyNow();
      new DataView(memory().buffer).setBigUint64(result, BigInt(Math.round(ms * 1000)) * 1000n, true);
      return OK;
    },
    random_get(address: number, length: number): number {
      crypto.getRandomValues(new Uint8Array(memory().buffer, address, length));
      return OK;
    },
    fd_write: () => BAD_FILE,
    fd_close: () => NO_SYSTEM,
    fd_fdstat_get: () => BAD_FILE,
    fd_seek: () => NO_SYSTEM,
  };
}
