import { renderCodeFrame } from "../ui/code-frame.js";
import { escapeUntrusted } from "../ui/escape.js";
import type { CheckFinding } from "./finding.js";

/**
 * Findings for a person: one line each with its place in the author's file, what to do, and the line of
 * source. Safe to print.
 */
export function renderFindings(
  findings: readonly CheckFinding[],
  cell: { source: string; label: string },
): string {
  return findings
    .map(({ severity, code, message, fix, line, column }) => {
      const what = escapeUntrusted(`${severity} ${code}: ${message}${fix === undefined ? "" : `. ${fix}`}`);
      const frame = renderCodeFrame({ ...cell, line, column, context: { before: 0, after: 0 } });
      return `${what}\n${frame}`;
    })
    .join("\n");
}

/** Whether any finding keeps the cell from running. */
export function blocks(findings: readonly CheckFinding[]): boolean {
  return findings.some(({ severity }) => severity === "error");
}
