import { compareNames } from "../text/order.js";
import type { CatalogEntry } from "./types.js";

/** Characters of the index in the description of `exec`. */
export const QUICK_INDEX_BUDGET = 8000;

// As long as the host's, so that the same tools fit into the same budget.
const HEADING = [
  "Tools to call as global functions, each with its input -> its output:",
  "`await name(input)` gives the type after `->`; look at a `?` value first.",
].join("\n");
const FOOTER = "Call a listed tool directly; catalog.search(query) finds one when you are unsure";

// Always longer than FOOTER: whatever fits with it and omits nothing has fitted as a whole before.
function overflowFooter(omitted: number): string {
  const tools = omitted === 1 ? "1 more tool is" : `${omitted} more tools are`;
  return `${tools} not listed: name the task to catalog.search(query) instead of guessing a name or a shape.`;
}

/** One line of the index, with what it costs. */
export interface IndexLine {
  entry: CatalogEntry;
  text: string;
}

export interface QuickIndex {
  /** What a model gets; empty when there is nothing to list or no room for it. */
  text: string;
  listed: IndexLine[];
  omitted: IndexLine[];
}

/**
 * The index of native and client tools within `budget` characters: tools with a known output first, then
 * by name. When not every line fits, each line that still fits is kept, in order, and the last line says
 * how many are missing.
 */
export function quickIndex(entries: readonly CatalogEntry[], budget = QUICK_INDEX_BUDGET): QuickIndex {
  const lines = entries
    .map((entry) => ({ entry, text: `- ${entry.callableName} ${entry.input} -> ${entry.output ?? "?"}` }))
    .sort(
      (a, b) =>
        Number(a.entry.output === undefined) - Number(b.entry.output === undefined) ||
        compareNames(a.entry.callableName, b.entry.callableName),
    );
  if (lines.length === 0) return { text: "", listed: [], omitted: [] };

  const whole = block(lines, FOOTER);
  if (whole.length <= budget) return { text: whole, listed: lines, omitted: [] };
  const listed = fitting(lines, budget);
  const kept = new Set(listed);
  const omitted = lines.filter((line) => !kept.has(line));
  const text = block(listed, overflowFooter(omitted.length));
  return text.length <= budget ? { text, listed, omitted } : { text: "", listed: [], omitted: lines };
}

function block(lines: readonly IndexLine[], footer: string): string {
  return [HEADING, ...lines.map(({ text }) => text), "", footer].join("\n");
}

function fitting(lines: readonly IndexLine[], budget: number): IndexLine[] {
  const listed: IndexLine[] = [];
  // Each kept line shortens the count in the footer or leaves it as it is, so the length of the block is
  // judged with the footer that it would have.
  let used = HEADING.length + 2;
  for (const line of lines) {
    const next = used + 1 + line.text.length;
    const omitted = lines.length - listed.length - 1;
    if (next + overflowFooter(omitted).length > budget) continue;
    listed.push(line);
    used = next;
  }
  return listed;
}
