import { callSite, cleanly } from "./errors.js";
import { apply, floor, min, rejectedPromise, symbolText, TypeErrorType, toNumber } from "./primordials.js";
import { cancel, claimPlace, enqueue } from "./requests.js";

const MAX_DELAY = 2_147_483_647;

const requestOf = { __proto__: null } as unknown as Record<number, string>;
let lastTimer = 0;

/** Runs `callback` after `delay` ms; the cell does not complete before it has run or is cleared. */
export function setTimeout(callback: unknown, delay?: unknown, ...args: unknown[]): number {
  if (typeof callback !== "function") {
    throw cleanError(new TypeErrorType("setTimeout callback must be a function"));
  }
  const site = callSite();
  const ms = delayMs(delay);
  cleanly(() => claimPlace("sleep", site));
  const timer = ++lastTimer;
  const id = enqueue(
    "sleep",
    `[${ms}]`,
    site,
    () => {
      delete requestOf[timer];
      try {
        apply(callback as () => void, undefined, args);
      } catch (error) {
        rejectedPromise(error); // Reported like any rejection nobody handles.
      }
    },
    rejectedPromise,
  );
  requestOf[timer] = id;
  return timer;
}

/** Forgets a timer; unknown ids are ignored. */
export function clearTimeout(timer?: unknown): void {
  if (typeof timer !== "number" && typeof timer !== "string") return;
  const number = toNumber(timer);
  const id = requestOf[number];
  if (id === undefined) return;
  delete requestOf[number];
  cancel(id);
}

function delayMs(delay: unknown): number {
  if (typeof delay === "symbol") throw cleanError(new TypeErrorType(`not a delay: ${symbolText(delay)}`));
  const ms = floor(toNumber(delay));
  if (!(ms > 0) || ms === 1 / 0) return 0;
  return min(ms, MAX_DELAY);
}

function cleanError(error: Error): Error {
  try {
    return cleanly(() => {
      throw error;
    });
  } catch (thrown) {
    return thrown as Error;
  }
}
