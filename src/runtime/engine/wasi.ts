import { randomFillSync } from "node:crypto";

const OK = 0;
const BAD_FILE = 8;
const NO_SYSTEM = 52;
const BAD_CLOCK = 28;

/** The few system calls the engine makes: clock and randomness. Files and output do not exist. */
export function wasiImports(memory: () => WebAssembly.Memory): WebAssembly.ModuleImports {
  return {
    clock_time_get(clock: number, _precision: bigint, result: number): number {
      if (clock !== 0 && clock !== 1) return BAD_CLOCK;
      const ms = performance.timeOrigin + performance.now();
      new DataView(memory().buffer).setBigUint64(result, BigInt(Math.round(ms * 1000)) * 1000n, true);
      return OK;
    },
    random_get(address: number, length: number): number {
      randomFillSync(new Uint8Array(memory().buffer, address, length));
      return OK;
    },
    fd_write: () => BAD_FILE,
    fd_close: () => NO_SYSTEM,
    fd_fdstat_get: () => BAD_FILE,
    fd_seek: () => NO_SYSTEM,
  };
}
