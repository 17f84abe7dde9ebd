import { escapeUntrustedLine } from "../../ui/escape.js";
import { clipText } from "../untrusted-text.js";

/** Lines of one text that a comment keeps. */
const MAX_LINES = 12;
/** UTF-16 units of one line. */
const MAX_LINE = 400;

/** A parameter as documentation lists it. */
export interface DocumentedParam {
  name: string;
  optional: boolean;
  description?: string;
  default?: unknown;
}

/**
 * A JSDoc block of untrusted text, `indent` in front of each line, or nothing when there is nothing to
 * say. The text can neither end the comment nor pass for a tag or another line.
 */
export function docComment(
  description: string,
  params: readonly DocumentedParam[],
  indent: string,
): string[] {
  const about = linesOf(description);
  const tags = params.flatMap(paramTag);
  if (about.length === 0 && tags.length === 0) return [];
  const body = [...about, ...(about.length > 0 && tags.length > 0 ? [""] : []), ...tags];
  return [
    `${indent}/**`,
    ...body.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}`),
    `${indent} */`,
  ];
}

function paramTag(param: DocumentedParam): string[] {
  const said = linesOf(param.description ?? "").join(" ");
  const fallback = "default" in param ? `Default: ${inComment(jsonOf(param.default))}.` : "";
  if (said === "" && fallback === "") return [];
  const plain = /^[A-Za-z_$][\w$]*$/.test(param.name) && param.name.length <= MAX_LINE;
  const name = plain ? param.name : inComment(JSON.stringify(param.name));
  return [`@param ${name}${param.optional ? "?" : ""} ${[said, fallback].filter(Boolean).join(" ")}`];
}

function linesOf(text: string): string[] {
  return text
    .slice(0, 4 * MAX_LINES * MAX_LINE)
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, MAX_LINES)
    .map(inComment)
    .map((line) => line.replace(/^@/, "\\@"));
}

function inComment(line: string): string {
  const escaped = escapeUntrustedLine(line).replace(/\*\//g, "* /");
  const clipped = clipText(escaped, MAX_LINE);
  return clipped === escaped ? escaped : `${clipped}...`;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "undefined";
  } catch {
    return "a value that is not JSON";
  }
}
