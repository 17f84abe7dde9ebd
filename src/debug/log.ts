import { escapeUntrustedLine } from "../ui/escape.js";
import { type Fields, formatLine } from "./event-line.js";
import type { Redactor } from "./redact.js";

/** Who speaks, in front of each line. */
export type Channel =
  | "code-mode"
  | "model-payload"
  | "model-transport"
  | "sse"
  | "plugin-lifecycle"
  | "plugin-load";

/** Longest line, characters; only payloads and errors with long texts come near it. */
const LONGEST = 65_536;

/** Writes one debugging line to stderr: redacted first, then escaped, so that nothing can hide a secret in escapes. */
export function writeDebugLine(channel: Channel, redact: Redactor, name: string, fields: Fields): void {
  const line = escapeUntrustedLine(redact(formatLine(name, fields)));
  const cut = line.length > LONGEST ? `${line.slice(0, LONGEST)}… (${line.length} characters)` : line;
  process.stderr.write(`[${channel}] ${cut}\n`);
}
