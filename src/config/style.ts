import type { PlacedValue } from "./document.js";
import type { ParsedDocument } from "./parse.js";

/** How a file is written, so that additions look like the rest of it. */
export interface EditStyle {
  eol: string;
  /** One level. */
  indent: string;
  quote: '"' | "'";
  /** Whether keys that are identifiers go without quotes. */
  bareKeys: boolean;
  keyQuote: '"' | "'";
  trailingComma: boolean;
  multilineDocument: boolean;
}

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** Reads the style off the document, nearest the node first. */
export function styleOf(document: ParsedDocument, node: PlacedValue): EditStyle {
  const { text, tokens, root } = document;
  const keys: string[] = [];
  const collect = (value: PlacedValue): void => {
    for (const member of value.members) {
      keys.push(member.keyText);
      collect(member.value);
    }
    value.items.forEach(collect);
  };
  const siblings = node.members.map((member) => member.keyText);
  collect(root);
  const sample = siblings.length > 0 ? siblings : keys;
  const keyTexts = new Set(keys);
  const firstString = tokens.find((token) => token.kind === "string" && !keyTexts.has(token.text));
  const quotedKey = sample.find((key) => /^["']/.test(key)) ?? keys.find((key) => /^["']/.test(key));
  const quote = (firstString?.text[0] ?? quotedKey?.[0]) === "'" ? "'" : '"';
  return {
    eol: text.includes("\r\n") ? "\r\n" : "\n",
    indent: indentUnit(text),
    quote,
    bareKeys: sample.length > 0 && sample.some((key) => !/^["']/.test(key)),
    keyQuote: (quotedKey?.[0] as '"' | "'" | undefined) ?? quote,
    trailingComma: /,\s*(?:\/\/[^\n]*\s*|\/\*[\s\S]*?\*\/\s*)*[}\]]/.test(text),
    multilineDocument: text.trim().includes("\n") || root.members.length === 0,
  };
}

function indentUnit(text: string): string {
  const lead = /\n([ \t]+)\S/.exec(text)?.[1];
  if (lead === undefined) return "  ";
  return lead.startsWith("\t") ? "\t" : lead;
}

/** The white space a line begins with. */
export function indentOf(text: string, offset: number): string {
  const lineStart = Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? "";
}

export function renderKey(key: string, style: EditStyle): string {
  return style.bareKeys && IDENTIFIER.test(key) ? key : quoted(key, style.keyQuote);
}

function quoted(text: string, quote: '"' | "'"): string {
  const json = JSON.stringify(text).replace(/[\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`);
  return quote === '"' ? json : `'${json.slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
}

/** A JSON value in the document's style; `inline` keeps it on one line. */
export function renderValue(value: unknown, style: EditStyle, indent: string, inline: boolean): string {
  if (typeof value === "string") return quoted(value, style.quote);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const isArray = Array.isArray(value);
  const deeper = indent + style.indent;
  const render = (nested: boolean): string[] =>
    isArray
      ? value.map((item) => renderValue(item ?? null, style, deeper, nested))
      : Object.entries(value)
          .filter(([, item]) => item !== undefined)
          .map(([key, item]) => `${renderKey(key, style)}: ${renderValue(item, style, deeper, nested)}`);
  const flat = render(true);
  if (flat.length === 0) return isArray ? "[]" : "{}";
  const scalars = isArray && value.every((item) => typeof item !== "object" || item === null);
  if (inline || (scalars && flat.join(", ").length <= 80)) {
    return isArray ? `[${flat.join(", ")}]` : `{ ${flat.join(", ")} }`;
  }
  const body = render(false)
    .map((line) => deeper + line)
    .join(`,${style.eol}`);
  const tail = style.trailingComma ? "," : "";
  return `${isArray ? "[" : "{"}${style.eol}${body}${tail}${style.eol}${indent}${isArray ? "]" : "}"}`;
}
