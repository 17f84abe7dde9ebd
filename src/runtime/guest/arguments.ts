import { cleanly } from "./errors.js";
import { stringifyJson } from "./primordials.js";
import { strictJson } from "./serialize.js";

/** JSON text of an argument; undefined where JSON has none. Throws for what JSON cannot hold. */
function jsonOf(value: unknown): string | undefined {
  let text: unknown;
  try {
    text = stringifyJson(value);
  } catch (error) {
    // The engine's own JSON uses the cell's array prototype inside; a cell can break it for itself.
    if (!isBroken()) throw error;
    return strictJson(value);
  }
  return typeof text === "string" ? text : undefined;
}

function isBroken(): boolean {
  try {
    stringifyJson([[0]]);
    return false;
  } catch {
    return true;
  }
}

/**
 * JSON text of a call's input, made when the call is made: a missing input is `{}`. What JSON cannot hold
 * (a bigint, a cycle, a throwing `toJSON`) throws from the call itself.
 */
export function inputJson(input: unknown): string {
  if (input === undefined || input === null) return "{}";
  return cleanly(() => jsonOf(input)) ?? "{}";
}

/** JSON text of a name or an option: what JSON has no text for is null. */
export function optionJson(value: unknown): string {
  return cleanly(() => jsonOf(value)) ?? "null";
}

/** JSON text of data to keep; undefined where JSON has none. */
export function dataJson(value: unknown): string | undefined {
  return cleanly(() => jsonOf(value));
}
