import type ts from "typescript";
import type { CellLanguage } from "../runtime/types.js";
import { type CheckCode, type Found, shownType } from "./finding.js";
import { unknownName } from "./names.js";
import { nodeAt } from "./nodes.js";
import type { CellProgram } from "./program.js";
import { unknownProperty } from "./properties.js";
import type { ToolInputs } from "./tool-inputs.js";

// Codes of the compiler, by what they mean for a cell.
const NAME = new Set([
  2304, 2503, 2552, 2580, 2581, 2582, 2583, 2584, 2591, 2592, 2593, 2663, 2686, 2868, 18004,
]);
const PROPERTY = new Set([2339, 2550, 2551, 2568, 7053]);
const NULLABLE = new Set([2531, 2532, 2533, 18047, 18048, 18049]);
const UNKNOWN = new Set([2571, 18046]);
const NOT_ITERABLE = new Set([2461, 2488, 2504]);
/** A promise where a condition or a value was meant. */
const NOT_AWAITED = new Set([2801]);
const NOT_ASSIGNABLE = new Set([2322, 2345, 2353, 2554, 2561, 2739, 2740, 2741, 2769]);
/** What strict mode forbids; a cell is sloppy. Codes below 2000 are grammar, which was judged before. */
const NOT_OF_CELLS = new Set([2410, 2451, 2683, 2703, 8017]);

const AWAIT = "Write `await` before it.";

/** What a diagnostic of the compiler means for a cell; usually nothing when the cell is JavaScript. */
export function judgeDiagnostic(
  program: CellProgram,
  diagnostic: ts.Diagnostic,
  language: CellLanguage,
  judged: ToolInputs["judged"],
): Found[] {
  const { ts, cell } = program;
  const { code, start, length } = diagnostic;
  if (start === undefined || length === undefined || code < 2000 || NOT_OF_CELLS.has(code)) return [];
  const node = nodeAt(ts, cell, start, length);
  const text = shownType(ts.flattenDiagnosticMessageText(diagnostic.messageText, " ").replace(/\.$/, ""));
  const warn = (kind: CheckCode, message = text, fix?: string): Found[] => [
    { severity: "warning", code: kind, message, offset: start, ...(fix === undefined ? {} : { fix }) },
  ];
  if (NAME.has(code) && ts.isIdentifier(node) && !isType(ts, node)) {
    const found = unknownName(program, node);
    return found === undefined ? [] : [found];
  }
  if (PROPERTY.has(code)) {
    const found = unknownProperty(program, node);
    // In JavaScript an object may gain any property, so that only what is certain is worth saying.
    if (found !== undefined) return found.severity === "error" || language === "typescript" ? [found] : [];
    return language === "typescript" && code !== 7053 ? warn("type_error") : [];
  }
  if (code >= 7000 && code < 7100) return [];
  if (NULLABLE.has(code) && node.kind !== ts.SyntaxKind.ThisKeyword)
    return warn("possibly_null", nullText(program, node), "Check it first, or use `?.`.");
  if (NOT_AWAITED.has(code)) {
    return warn("missing_await", "this is a promise, which always counts as true", AWAIT);
  }
  if (NOT_ITERABLE.has(code) && /Promise</.test(text)) {
    const message = "this is a promise, which cannot be iterated";
    return [{ severity: "error", code: "missing_await", message, offset: start, fix: AWAIT }];
  }
  if (NOT_ASSIGNABLE.has(code)) {
    const input = judged.filter(({ from, to }) => from <= start && start <= to).at(-1);
    if (input?.refused === true) return [];
    const nullable =
      input !== undefined && /'(?:[^']* \| )?(?:null|undefined)(?: \| [^']*)?' is not assignable/.test(text);
    if (nullable) return warn("possibly_null");
  }
  if (language === "javascript") return [];
  return warn(UNKNOWN.has(code) ? "unknown_shape" : "type_error");
}

function isType(ts: CellProgram["ts"], node: ts.Node): boolean {
  return (
    ts.isPartOfTypeNode(node) || (ts.isExpressionWithTypeArguments(node.parent) && !isBase(ts, node.parent))
  );
}

/** `class A extends Name` uses the name as a value. */
function isBase(ts: CellProgram["ts"], node: ts.Node): boolean {
  return ts.isHeritageClause(node.parent) && node.parent.token === ts.SyntaxKind.ExtendsKeyword;
}

function nullText({ ts, checker, cell }: CellProgram, node: ts.Node): string {
  const type = checker.getTypeAtLocation(node);
  const shown = shownType(checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation));
  const source = node.getText(cell);
  const name = source.length > 60 ? "this" : `\`${source}\``;
  const nothing =
    type.isUnion() && type.types.some((part) => part.flags & ts.TypeFlags.Null) ? "null" : "undefined";
  return `${name} may be ${nothing}: it is declared as ${shown}`;
}
