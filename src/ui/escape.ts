// Untrusted text (plugins, cells, servers) must not move the cursor, recolour the screen or reorder what
// is read, on terminals and pipes alike. Line feed and tab stay.
const UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

function visible(character: string): string {
  const unit = character.charCodeAt(0);
  return unit <= 0xff
    ? `\\x${unit.toString(16).padStart(2, "0")}`
    : `\\u${unit.toString(16).padStart(4, "0")}`;
}

/** `text` with control, ANSI and bidirectional characters replaced by visible escapes. */
export function escapeUntrusted(text: string): string {
  return text.replace(UNSAFE, visible);
}

/** As `escapeUntrusted`, with line breaks and tabs escaped too: for table cells and one-line messages. */
export function escapeUntrustedLine(text: string): string {
  return escapeUntrusted(text).replace(/\n/g, "\\n").replace(/\t/g, "\\t");
}
