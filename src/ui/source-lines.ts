/** A place in source text: one-based line, one-based column in UTF-16 units. */
export interface SourcePlace {
  line: number;
  column: number;
}

// What ECMAScript, and with it the guest engine, counts as the end of a line.
const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

/** The offsets at which the lines of `text` start; the first is 0. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(LINE_END)) starts.push(match.index + match[0].length);
  return starts;
}

/** The lines of `text` without their line ends; at least one. */
export function sourceLines(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/);
}

/** The place of a UTF-16 offset; an offset outside the text is moved to its nearest end. */
export function placeAt(text: string, offset: number): SourcePlace {
  const inside = Math.max(0, Math.min(offset, text.length));
  let line = 1;
  let start = 0;
  for (const match of text.matchAll(LINE_END)) {
    const next = match.index + match[0].length;
    if (next > inside) break;
    start = next;
    line += 1;
  }
  return { line, column: inside - start + 1 };
}
