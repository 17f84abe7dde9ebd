import { escapeUntrustedLine } from "./escape.js";

// Terminals draw these two columns wide; counting code points would misalign every row behind them.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;

function columns(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : /\p{Mn}/u.test(character) ? 0 : 1;
  return width;
}

/**
 * Plain aligned columns, two spaces apart, header first, every cell escaped to one line. The last
 * column is never padded, so copied lines carry no trailing blanks.
 */
export function renderTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [header, ...rows].map((row) =>
    header.map((_, column) => escapeUntrustedLine(row[column] ?? "")),
  );
  const widths = header.map((_, column) => Math.max(...cells.map((row) => columns(row[column] ?? ""))));
  return cells
    .map((row) =>
      row
        .map((cell, column) =>
          column === row.length - 1 ? cell : cell + " ".repeat((widths[column] ?? 0) - columns(cell)),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
