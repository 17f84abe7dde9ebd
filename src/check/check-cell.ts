import type ts from "typescript";
import type { Catalog } from "../catalog/types.js";
import { prepareCell } from "../runtime/prepare/prepare.js";
import type { CellLanguage } from "../runtime/types.js";
import { placeAt } from "../ui/source-lines.js";
import { cellDeclarations } from "./declarations.js";
import { judgeDiagnostic } from "./diagnostics.js";
import type { CheckFinding, Found } from "./finding.js";
import { compileCell } from "./program.js";
import { checkToolInputs } from "./tool-inputs.js";

export type { CheckCode, CheckFinding } from "./finding.js";

export interface CheckOptions {
  /** The author's text, as it would be given to `exec`. */
  source: string;
  /** Left open, a markdown fence decides, else JavaScript. */
  language?: CellLanguage;
  /** How places name the source. */
  label: string;
  /** What the cell will see. */
  catalog: Catalog;
  /** Makes every warning an error. */
  strict?: boolean;
}

/**
 * Checks a cell without running it: first whether it may run at all, then its types against the
 * declarations of the run. Errors are certain: the cell would be refused, a name or a property it uses is
 * not there, or a tool will refuse its input. Everything else is a warning. Loads the TypeScript compiler.
 * @returns findings in the order of the source
 */
export async function checkCell(options: CheckOptions): Promise<CheckFinding[]> {
  const { source, label, catalog, strict = false } = options;
  const prepared = await prepareCell(
    { code: source, ...(options.language === undefined ? {} : { language: options.language }) },
    { languages: ["javascript", "typescript"], sourceLabel: label },
  );
  if (!prepared.ok) {
    const place = prepared.place ?? { line: 1, column: 1 };
    return [{ severity: "error", code: "syntax", message: prepared.reason, ...place }];
  }
  const { language, places } = prepared.cell;
  const findings = await checkTypes(places.source, language, catalog).catch((error: unknown) => {
    if (error instanceof RangeError) return [TOO_DEEP];
    throw error;
  });
  return strict ? findings.map((finding) => ({ ...finding, severity: "error" })) : findings;
}

/** The compiler and the walks over its tree recurse; a source deeper than their stack is left unjudged. */
const TOO_DEEP: CheckFinding = {
  severity: "warning",
  code: "type_error",
  message: "the cell is nested too deeply for its types to be checked",
  line: 1,
  column: 1,
};

async function checkTypes(source: string, language: CellLanguage, catalog: Catalog): Promise<CheckFinding[]> {
  const program = await compileCell(source, language, cellDeclarations(catalog, source));
  const inputs = await checkToolInputs(program, catalog);
  const opinions = program.diagnostics.flatMap((diagnostic: ts.Diagnostic) =>
    judgeDiagnostic(program, diagnostic, language, inputs.judged),
  );
  return unique([...inputs.found, ...opinions])
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, ...finding }) => ({ ...finding, ...placeAt(source, program.offsetInSource(offset)) }));
}

/** One finding a place and message: a name used twice is two, the same thing said twice is one. */
function unique(found: readonly Found[]): Found[] {
  return [...new Map(found.map((one) => [`${one.offset} ${one.message}`, one])).values()];
}
