import type { Catalog } from "../../catalog/types.js";
import { type CheckFinding, checkCell } from "../../check/check-cell.js";
import { renderCodeFrame } from "../../ui/code-frame.js";
import type { Reporter } from "../../ui/reporter.js";
import { type CellSource, labelOf } from "./sources.js";

/** What `--check` found in one cell; `blocked` when an error is certain. */
export interface SourceCheck {
  findings: CheckFinding[];
  blocked: boolean;
}

/** Checks a cell against the declarations of exactly what it will see. Loads the TypeScript compiler. */
export async function checkSource(
  source: CellSource,
  catalog: Catalog,
  strict: boolean,
): Promise<SourceCheck> {
  const findings = await checkCell({
    source: source.code,
    language: source.language,
    label: labelOf(source),
    catalog,
    strict,
  });
  return { findings, blocked: findings.some(({ severity }) => severity === "error") };
}

/** Findings for a person, on stderr: place, message, fix and the lines around it. */
export function renderFindings({ findings }: SourceCheck, source: CellSource, reporter: Reporter): void {
  const label = labelOf(source);
  for (const { severity, message, fix, line, column } of findings) {
    const text = `${label}:${line}:${column} ${message}${fix === undefined ? "" : `\n  ${fix}`}`;
    if (severity === "error") reporter.problem("error", text);
    else reporter.warn(text);
    reporter.note(
      renderCodeFrame({ source: source.code, label, line, column, context: { before: 0, after: 0 } }),
    );
  }
}

/** The result of a cell that was not run because of its findings. */
export function blockedResult(
  { findings }: SourceCheck,
  source: CellSource,
  catalog: Catalog,
): Record<string, unknown> {
  const errors = findings.filter(({ severity }) => severity === "error");
  const [first] = errors;
  const where =
    first === undefined ? "" : `${labelOf(source)}:${first.line}:${first.column} ${first.message}`;
  return {
    status: "failed",
    code: "invalid_input",
    failurePhase: "input",
    bridgeDispatchStarted: false,
    telemetry: {
      catalogSize: catalog.entries.length + catalog.mcpEntries.length,
      sources: catalog.sources,
      searchCount: 0,
      describeCount: 0,
      callCount: 0,
      visibleTools: ["exec", "wait"],
    },
    output: [],
    error: `the cell was not run: ${errors.length === 1 ? "1 error" : `${errors.length} errors`} of --check, first ${where}`,
    findings,
  };
}
