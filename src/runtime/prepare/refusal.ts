import { placeAt } from "../../ui/source-lines.js";
import type { PrepareOutcome, SourceFault } from "./types.js";

export type Refusal = Extract<PrepareOutcome, { ok: false }>;

/** A refusal with no place of its own. */
export function refuse(error: string): Refusal {
  return { ok: false, code: "invalid_input", error, reason: error.replace(/\.$/, "") };
}

/** The text of a syntax error; `place` is `line:column`. */
export function syntaxErrorText(label: string, place: string, text: string): string {
  return refusalText(`SyntaxError at ${label}:${place}`, text);
}

/** A source that cannot be parsed. */
export function refuseSyntax(source: string, label: string, fault: SourceFault): Refusal {
  return refuseAt(source, label, fault, "SyntaxError at ");
}

/** A source that may not run, though it parses or because it is none: modules, shell commands. */
export function refuseAt(source: string, label: string, fault: SourceFault, prefix = ""): Refusal {
  const place = placeAt(source, fault.offset);
  const where = `${prefix}${label}:${place.line}:${place.column}`;
  return { ...refuse(refusalText(where, fault.text, fault.advice)), reason: readable(fault.text), place };
}

function refusalText(where: string, text: string, advice = "fix this place and run the cell again"): string {
  return `${where}: ${readable(text)}. No tools were dispatched; ${advice}.`;
}

const LONGEST = 240;

/** Parser messages quote the source: control characters become visible, and the length stays bounded. */
function readable(text: string): string {
  const visible = text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return visible.length > LONGEST
    ? `${visible.slice(0, LONGEST - 1).replace(/[\ud800-\udbff]$/, "")}…`
    : visible;
}
