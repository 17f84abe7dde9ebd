import type { Redactor } from "../text/redact.js";
import { escapeUntrustedLine } from "../ui/escape.js";
import { type Fields, formatLine } from "./event-line.js";

/** Who speaks, in front of each line. */
export type Channel =
  | "code-mode"
  | "model-payload"
  | "model-transport"
  | "sse"
  | "plugin-lifecycle"
  | "plugin-load";

/** Longest text of one field, characters. */
const LONGEST = 2_000;
/** The same for snapshots of what a model would be sent. */
const LONGEST_SNAPSHOT = 32_768;

/**
 * Writes one debugging line to stderr. Texts are redacted before they are cut, so that no half of a secret is left, and
 * escaped last, so that none hides behind escapes.
 */
export function writeDebugLine(channel: Channel, redact: Redactor, name: string, fields: Fields): void {
  const longest = channel === "model-payload" ? LONGEST_SNAPSHOT : LONGEST;
  const shown: Fields = {};
  for (const [key, value] of Object.entries(fields)) {
    shown[key] = typeof value === "string" ? cut(redact(value), longest) : value;
  }
  process.stderr.write(`[${channel}] ${escapeUntrustedLine(formatLine(name, shown))}\n`);
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text;
}
