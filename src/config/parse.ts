import { CommandFailure } from "../errors.js";
import { escapeUntrustedLine } from "../ui/escape.js";
import { lineColumn, type PlacedDocument, placeDocument, type Token, tokenize } from "./document.js";

export interface ParsedDocument extends PlacedDocument {
  value: unknown;
}

/** Deeper files are no configuration anybody wrote, and every reader behind this one recurses. */
const MAX_DEPTH = 200;

interface Json5Error extends Error {
  lineNumber?: number;
  columnNumber?: number;
}

/** One placed complaint about a file: `<file>:<line>:<column>: <text>`, with the place in `details`. */
export function placedFailure(
  file: string,
  text: string,
  place: { line: number; column: number },
  message: string,
  extra: { hint?: string; path?: string } = {},
): CommandFailure {
  const source = text.split(/\r\n|[\n\r]/)[place.line - 1] ?? "";
  return new CommandFailure("config_invalid", `${file}:${place.line}:${place.column}: ${message}`, {
    hint: extra.hint ?? excerpt(source, place.column),
    details: { file, ...place, ...(extra.path === undefined ? {} : { path: extra.path }) },
  });
}

/** The line in question with a caret under the column, cut around it when it is long. */
function excerpt(source: string, column: number): string {
  const from = Math.max(0, Math.min(column - 40, source.length - 80));
  const shown = escapeUntrustedLine(
    masked(source)
      .slice(from, from + 80)
      .replace(/\t/g, " "),
  );
  return `${shown}\n  ${" ".repeat(Math.max(0, column - 1 - from))}^`;
}

/** Error output ends up in logs: what may be a credential keeps its length only. */
function masked(source: string): string {
  return source.replace(
    /(\w*(?:key|token|secret|passw|auth|credential|cookie)\w*["']?\s*:\s*)?(["'])((?:\\.|(?!\2)[^\\])*)\2?/gi,
    (whole: string, key: string | undefined, _quote: string, content: string) =>
      key !== undefined || /^[^\s/\\]{24,}$/.test(content)
        ? whole.slice(0, whole.lastIndexOf(content)) +
          "*".repeat(content.length) +
          whole.slice(whole.lastIndexOf(content) + content.length)
        : whole,
  );
}

function describeSyntax(error: Json5Error, text: string): { message: string; line: number; column: number } {
  let line = error.lineNumber ?? 1;
  let column = error.columnNumber ?? 1;
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  // The parser counts a line break as the start of the next line; people look at the end of this one.
  if (column < 1) {
    line = Math.max(1, line - 1);
    column = (lines[line - 1] ?? "").length + 1;
  }
  const character = /invalid character '(.*)' at \d+:\d+$/s.exec(error.message)?.[1];
  if (character === undefined) {
    return {
      message: "the file ends too early: a brace, bracket, quote or comment is not closed",
      line,
      column,
    };
  }
  const shown = character === "\\n" || character === "\n" ? "line break" : `\`${character}\``;
  const where = [...lines.slice(0, line - 1), (lines[line - 1] ?? "").slice(0, column - 1)]
    .join("\n")
    .trimEnd();
  const gap = /["'\w}\]]$/.test(where) && /^["'\w$]/.test(character);
  return {
    message: `unexpected ${shown}${gap ? "; a comma or colon is missing before it" : ""}`,
    line,
    column,
  };
}

function assertShallow(tokens: readonly Token[], text: string, file: string): void {
  let depth = 0;
  for (const token of tokens) {
    if (token.text === "{" || token.text === "[") depth += 1;
    else if (token.text === "}" || token.text === "]") depth -= 1;
    if (depth > MAX_DEPTH) {
      throw placedFailure(
        file,
        text,
        lineColumn(text, token.start),
        `more than ${MAX_DEPTH} levels of nesting`,
      );
    }
  }
}

/**
 * Parses JSON5 text (no byte order mark) and finds the place of every value. Strict JSON does not load the JSON5 parser.
 * @param file name shown in errors
 * @throws CommandFailure `config_invalid` with the place of the first syntax error
 */
export async function parseDocument(text: string, file: string): Promise<ParsedDocument> {
  if (text.trim() === "") {
    throw placedFailure(file, text, { line: 1, column: 1 }, "the file is empty", {
      hint: "Write `{}` for a configuration without settings, or delete the file.",
    });
  }
  const tokens = tokenize(text);
  assertShallow(tokens, text, file);
  let value: unknown;
  let decode: (token: string) => unknown = JSON.parse;
  try {
    value = JSON.parse(text);
  } catch {
    const { default: JSON5 } = await import("json5");
    decode = JSON5.parse;
    try {
      value = JSON5.parse(text);
    } catch (error) {
      const { message, line, column } = describeSyntax(error as Json5Error, text);
      throw placedFailure(file, text, { line, column }, message);
    }
  }
  return { ...placeDocument(text, decode, tokens), value };
}
