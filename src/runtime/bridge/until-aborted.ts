import { cancelled } from "./failure.js";

/**
 * Settles with the work, or fails as soon as the signal is aborted, for the work may ignore it for ever;
 * `stop` is called at that moment.
 */
export function untilAborted<T>(signal: AbortSignal, start: () => Promise<T>, stop?: () => void): Promise<T> {
  if (signal.aborted) return Promise.reject(cancelled());
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => {
      stop?.();
      reject(cancelled());
    };
    signal.addEventListener("abort", onAbort, { once: true });
    start()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", onAbort));
  });
}
