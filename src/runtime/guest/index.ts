import { describeReason } from "./errors.js";
import { installLibrary, installTools } from "./globals.js";
import { connect, type HostFunctions } from "./host.js";
import type { GuestNames } from "./install.js";
import { closeOutput } from "./output.js";
import {
  defineProperty,
  firstValue,
  fix,
  mapDelete,
  mapSet,
  newMap,
  parseJson,
  theGlobal,
} from "./primordials.js";
import { closeRequests, configureSlots, flush, overflowed, settle } from "./requests.js";
import { finalJson } from "./serialize.js";

/** The engine's own has the time at which its image was made, and cannot be changed. */
const clock = { now: performance.now, timeOrigin: 0 };
let main: unknown;
/** The final value, once it has been converted. */
let converted: string | undefined;
/** Rejected promises nobody handles, in the order they were rejected. */
const unhandled = newMap<unknown, { reason: unknown }>();

/**
 * The one function the worker calls. Every argument and result is a primitive, except where the worker
 * passes a value of the cell through unseen. Operations:
 * `install(names)`, `clock(timeOrigin)`, `main(promise)`, `mainPromise()`, `settle(id, ok, json)`, `flush()`, `overflowed()`, `convert(value)`,
 * `describe(reason)`, `rejected(promise, reason, handled)`, `unhandled()`, `close()`.
 */
function control(operation: string, first?: unknown, second?: unknown, third?: unknown): unknown {
  switch (operation) {
    case "install": {
      const names = parseJson(first as string) as GuestNames;
      configureSlots(names.slots);
      installTools(names);
      return undefined;
    }
    case "clock":
      fix(clock, "timeOrigin", first, true, true);
      return undefined;
    case "main":
      main = first;
      return undefined;
    case "mainPromise":
      return main;
    case "settle":
      return settle(first as string, second as boolean, third as string);
    case "overflowed":
      return overflowed() ? "yes" : undefined;
    case "flush":
      return flush();
    case "convert":
      // Once: a suspension must not run the getters of the value again.
      converted ??= finalJson(first);
      return converted;
    case "describe":
      return describeReason(first);
    case "rejected":
      if (third === true) mapDelete(unhandled, first);
      else mapSet(unhandled, first, { __proto__: null, reason: second } as unknown as { reason: unknown });
      return undefined;
    case "unhandled": {
      mapDelete(unhandled, main);
      const left = firstValue(unhandled);
      return left === undefined ? undefined : describeReason(left.reason);
    }
    case "close":
      closeRequests();
      closeOutput();
      return undefined;
    default:
      return undefined;
  }
}

/** Boots the controller; the result is the only way in. */
export function boot(
  emit: HostFunctions["emit"],
  kindOf: HostFunctions["kindOf"],
  encode: HostFunctions["encode"],
  decode: HostFunctions["decode"],
): typeof control {
  defineProperty(theGlobal, "performance", { __proto__: null, value: clock } as PropertyDescriptor);
  connect({ __proto__: null, emit, kindOf, encode, decode } as unknown as HostFunctions);
  installLibrary();
  return control;
}
