import type { CatalogEntry } from "../../catalog/types.js";
import { clipText } from "../../catalog/untrusted-text.js";
import { renderTable } from "../../ui/table.js";
import { originOf } from "./entry.js";

const NARROWEST = 16;

/**
 * Tools with their hints, one a line. `columns` is the width of the terminal: hints are cut to it, so that
 * rows stay rows. Without a terminal nothing is cut.
 */
export function toolTable(entries: readonly CatalogEntry[], columns: number | undefined): string {
  const names = entries.map((entry) => [entry.callableName, originOf(entry)] as const);
  const widest = (values: readonly string[]): number => Math.max(0, ...values.map(({ length }) => length));
  const used =
    widest(["Call", ...names.map(([name]) => name)]) + widest(["From", ...names.map(([, from]) => from)]);
  // Three gaps of two; the rest is shared by the two hints, the input getting what the output leaves.
  const room = columns === undefined ? Number.POSITIVE_INFINITY : columns - used - 6;
  const outputs = widest(entries.map(outputOf));
  const output = Math.max(NARROWEST, Math.min(outputs, Math.floor(room / 2)));
  const input = Math.max(NARROWEST, room - Math.min(outputs, output));
  return renderTable(
    ["Call", "From", "Input", "Output"],
    entries.map((entry, index) => [
      ...names[index]!,
      clip(entry.source === "mcp" ? `see ${entry.apiPath}` : entry.input, input),
      clip(outputOf(entry), output),
    ]),
  );
}

function outputOf(entry: CatalogEntry): string {
  return entry.output ?? "?";
}

function clip(text: string, width: number): string {
  return text.length <= width ? text : `${clipText(text, width - 1)}…`;
}
