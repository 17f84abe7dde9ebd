import { escapeUntrustedLine } from "./escape.js";
import { displayWidth } from "./width.js";

/**
 * Plain aligned columns, two spaces apart, header first, every cell escaped to one line. The last
 * column is never padded, so copied lines carry no trailing blanks.
 */
export function renderTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [header, ...rows].map((row) =>
    header.map((_, column) => escapeUntrustedLine(row[column] ?? "")),
  );
  const widths = header.map((_, column) => Math.max(...cells.map((row) => displayWidth(row[column] ?? ""))));
  return cells
    .map((row) =>
      row
        .map((cell, column) =>
          column === row.length - 1 ? cell : cell + " ".repeat((widths[column] ?? 0) - displayWidth(cell)),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
