import { fittingPrefix, jsonStringBytes } from "./json-text.js";

const ENDING = " [error truncated]";

/**
 * An error text that takes at most `maxBytes` as a JSON string, quotes included: itself, or its
 * beginning with an ending that says it was cut.
 */
export function fitErrorText(text: string, maxBytes: number): string {
  // A JSON string is never shorter than its text, so a long one needs no measuring.
  if (text.length + 2 <= maxBytes && jsonStringBytes(text) <= maxBytes) return text;
  return fittingPrefix(text, maxBytes - 2 - ENDING.length, false) + ENDING;
}
