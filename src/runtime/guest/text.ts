import { GUEST_FILE } from "../labels.js";
import { codeUnit, indexOf, isFiniteNumber, slice, stringifyJson } from "./primordials.js";

export const UNAWAITED =
  "[Unawaited Promise: use await or Promise.all(...) before emitting or returning values.]";

/** JSON text of a string; safe whatever the cell did to its prototypes. */
export function quote(text: string): string {
  return stringifyJson(text);
}

/** JSON text of a number: what JSON cannot hold becomes null. */
export function numberText(value: number): string {
  return isFiniteNumber(value) ? `${value === 0 ? 0 : value}` : "null";
}

/** `text` cut to `limit` UTF-16 units without splitting a surrogate pair. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = codeUnit(text, limit - 1);
  return slice(text, 0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

/**
 * A stack without the frames of the controller and of the built-ins it called. A built-in at the very
 * top stays: it is what failed.
 */
export function withoutOwnFrames(stack: string): string {
  let kept = "";
  /** Frames of built-ins whose caller is not known yet. */
  let natives = "";
  let from = 0;
  while (from < stack.length) {
    const end = indexOf(stack, "\n", from);
    const to = end === -1 ? stack.length : end + 1;
    const line = slice(stack, from, to);
    from = to;
    if (indexOf(line, "(native)") !== -1) {
      natives += line;
      continue;
    }
    const own = indexOf(line, GUEST_FILE) !== -1;
    if (!own || kept === "") kept += natives;
    if (!own) kept += line;
    natives = "";
  }
  return kept + natives;
}
