import { escapeUntrustedLine } from "./escape.js";
import { type SourcePlace, sourceLines } from "./source-lines.js";
import { displayWidth } from "./width.js";

export interface CodeFrame extends SourcePlace {
  /** The author's whole text. */
  source: string;
  /** How the author knows it: a path, usually. */
  label: string;
  /** Lines shown before and after the marked one (2 and 1). */
  context?: { before?: number; after?: number };
  /** Columns a line of source may take before it is cut around the mark (100). */
  width?: number;
}

const TAB = "    ";
const CUT = "…";

/**
 * The lines around a place, numbered, with a caret under it. Tabs, wide characters and escapes are
 * measured as a terminal draws them; a long line is cut to what surrounds the place. Safe to print.
 * A place outside the source is moved to its nearest line and column.
 */
export function renderCodeFrame(frame: CodeFrame): string {
  const lines = sourceLines(frame.source);
  const line = clamp(frame.line, 1, lines.length);
  const column = clamp(frame.column, 1, (lines[line - 1] ?? "").length + 1);
  const first = Math.max(1, line - (frame.context?.before ?? 2));
  const last = Math.min(lines.length, line + (frame.context?.after ?? 1));
  const room = Math.max(20, frame.width ?? 100);
  const digits = String(last).length;
  const text: string[] = [
    `${" ".repeat(digits + 2)}--> ${escapeUntrustedLine(frame.label)}:${line}:${column}`,
  ];
  // Only what may be seen is looked at, so that a line of megabytes costs no more than any other.
  const start = Math.max(0, column - 1 - 4 * room);
  const near = (number: number): string => (lines[number - 1] ?? "").slice(start, start + 8 * room);
  // Every line is cut at the same columns, so that what is shown still stands in its place.
  const mark = drawn(near(line).slice(0, column - 1 - start)).width;
  const from = start === 0 && mark < room - 10 ? 0 : Math.max(0, mark - Math.floor(room / 2));
  for (let number = first; number <= last; number += 1) {
    const shown = cut(near(number), from, room);
    text.push(`${number === line ? ">" : " "} ${String(number).padStart(digits)} | ${shown}`.trimEnd());
    if (number === line) text.push(`${" ".repeat(digits + 3)}| ${" ".repeat(mark - from)}^`);
  }
  return text.join("\n");
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(Number.isFinite(value) ? Math.trunc(value) : low, high));
}

/** One line of source as it is drawn, and how wide that is. */
function drawn(line: string): { text: string; width: number } {
  let text = "";
  let width = 0;
  for (const character of line) {
    const shape = character === "\t" ? TAB : escapeUntrustedLine(character);
    text += shape;
    width += displayWidth(shape);
  }
  return { text, width };
}

/** The part of a line that stands between two columns, with a sign where something was left out. */
function cut(line: string, from: number, room: number): string {
  const whole = drawn(line);
  if (from === 0 && whole.width <= room) return whole.text;
  let at = 0;
  let text = "";
  for (const character of whole.text) {
    const wide = displayWidth(character);
    if (at >= from && at + wide <= from + room) text += character;
    // A wide character that begins left of the cut still takes up its second column.
    else if (at < from && at + wide > from) text += " ".repeat(at + wide - from);
    at += wide;
  }
  if (from > 0 && text !== "") text = CUT + text.slice(firstLength(text));
  return at > from + room ? `${text}${CUT}` : text;
}

function firstLength(text: string): number {
  return String.fromCodePoint(text.codePointAt(0) ?? 0).length;
}

/** The first place of the source called `label` that an error text or a stack names. */
export function findPlace(text: string, label: string): SourcePlace | undefined {
  for (let at = text.indexOf(`${label}:`); at !== -1; at = text.indexOf(`${label}:`, at + 1)) {
    const match = /^:(\d+):(\d+)/.exec(text.slice(at + label.length, at + label.length + 40));
    if (match !== null) return { line: Number(match[1]), column: Number(match[2]) };
  }
  return undefined;
}
