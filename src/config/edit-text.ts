import { CommandFailure } from "../errors.js";
import {
  type ConfigPath,
  childOf,
  formatPath,
  isRecord,
  isTrivia,
  memberOf,
  type PlacedValue,
  type Token,
  valueAt,
} from "./document.js";
import { type ParsedDocument, parseDocument } from "./parse.js";
import { indentOf, renderKey, renderValue, styleOf } from "./style.js";

export interface ConfigChange {
  /** Keys from the root; in an array, an index (its length appends). A number makes a missing parent an array. */
  path: readonly (string | number)[];
  /** A JSON value to set, or `undefined` to remove what is there. */
  value: unknown;
}

/** The text of a configuration with these changes made, one after the other; see `editConfig`. */
export async function editText(
  original: string,
  changes: readonly ConfigChange[],
  file: string,
): Promise<string> {
  const mark = original.startsWith("\ufeff") ? "\ufeff" : "";
  let text = original.slice(mark.length);
  if (text.trim() === "") text = "{}\n";
  const queue = [...changes];
  for (let change = queue.shift(); change !== undefined; change = queue.shift()) {
    const document = await parseDocument(text, file);
    const parts = memberwise(document, change);
    if (parts !== undefined) {
      queue.unshift(...parts);
      continue;
    }
    const next = await applyChange(document, change, file);
    if (next !== text) await assertEffect(document, next, change, file);
    text = next;
  }
  return mark + text;
}

/** An object set over an object becomes changes of its members, so that comments between them stay. */
function memberwise(document: ParsedDocument, change: ConfigChange): ConfigChange[] | undefined {
  const current = valueAt(document.value, change.path);
  const wanted = change.value;
  if (!isRecord(current) || !isRecord(wanted) || Object.keys(wanted).length === 0) return undefined;
  const member = (key: string, value: unknown): ConfigChange => ({ path: [...change.path, key], value });
  return [
    ...Object.keys(current)
      .filter((key) => !Object.hasOwn(wanted, key))
      .map((key) => member(key, undefined)),
    ...Object.entries(wanted).map(([key, value]) => member(key, value)),
  ];
}

async function applyChange(document: ParsedDocument, change: ConfigChange, file: string): Promise<string> {
  if (change.value !== undefined) return setAt(document, change.path, change.value, file);
  let next = removeAt(document, change.path);
  if (Array.isArray(valueAt(document.value, change.path.slice(0, -1)))) return next;
  // A document may name a key twice; removing it means that it is gone.
  for (let before = document.text; next !== before; ) {
    before = next;
    next = removeAt(await parseDocument(next, file), change.path);
  }
  return next;
}

/** Guards the user's file: what is written must parse to exactly what was meant. */
async function assertEffect(
  before: ParsedDocument,
  next: string,
  change: ConfigChange,
  file: string,
): Promise<void> {
  const { isDeepStrictEqual } = await import("node:util");
  const wanted = structuredClone(before.value) as Record<string, unknown>;
  let parent = wanted;
  change.path.slice(0, -1).forEach((key, depth) => {
    if (!Object.hasOwn(parent, key))
      define(parent, key, typeof change.path[depth + 1] === "number" ? [] : {});
    parent = parent[key] as Record<string, unknown>;
  });
  const last = change.path.at(-1) as string | number;
  if (change.value !== undefined) define(parent, last, JSON.parse(JSON.stringify(change.value)));
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  const got = (await parseDocument(next, file)).value;
  if (!isDeepStrictEqual(got, wanted)) throw new Error(`edit of ${formatPath(change.path)} went wrong`);
}

function define(target: object, key: string | number, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function setAt(document: ParsedDocument, path: ConfigPath, value: unknown, file: string): string {
  const { text, root } = document;
  let node = root;
  let depth = 0;
  for (; depth < path.length; depth += 1) {
    const child = childOf(node, path[depth] as string | number);
    if (child === undefined) break;
    node = child;
  }
  if (depth === path.length) {
    const current = depth === 0 ? document.value : valueAt(document.value, path);
    if (JSON.stringify(current) === JSON.stringify(value)) return text;
    const style = styleOf(document, node);
    const inline = !text.slice(node.start, node.end).includes("\n") && node.kind !== "scalar";
    return splice(text, node.start, node.end, renderValue(value, style, indentOf(text, node.start), inline));
  }
  const key = String(path[depth]);
  if (node.kind === "scalar" || (node.kind === "array" && key !== String(node.items.length))) {
    const at = formatPath(path.slice(0, depth));
    throw new CommandFailure(
      "config_conflict",
      node.kind === "array"
        ? `${file}: ${at} is a list of ${node.items.length}; \`${key}\` is no place in it`
        : `${file}: ${at === "" ? "the root" : at} is ${text.slice(node.start, node.end)}, so nothing can be set below it`,
      { hint: at === "" ? "The file must hold one object." : `Set ${at} itself to an object first.` },
    );
  }
  const gap = path.slice(depth + 1).find((name) => typeof name === "number" && name > 0);
  if (gap !== undefined) {
    throw new CommandFailure("config_conflict", `${file}: a new list begins with [0], not with [${gap}]`);
  }
  const rest = path
    .slice(depth + 1)
    .reduceRight<unknown>((inner, name) => (name === 0 ? [inner] : { [name]: inner }), value);
  return insert(document, node, node.kind === "array" ? undefined : key, rest);
}

/** The tokens strictly between two offsets. */
function between(document: ParsedDocument, from: number, to: number): Token[] {
  return document.tokens.filter((token) => token.start >= from && token.end <= to);
}

function insert(
  document: ParsedDocument,
  node: PlacedValue,
  key: string | undefined,
  value: unknown,
): string {
  const { text } = document;
  const style = styleOf(document, node);
  const close = node.end - 1;
  const children = node.kind === "array" ? node.items : node.members.map((member) => member.value);
  const last = children.at(-1);
  const multiline =
    text.slice(node.start, node.end).includes("\n") ||
    (last === undefined && (node.start === document.root.start || style.multilineDocument));
  const outer = indentOf(text, node.start);
  const inner = firstChildIndent(document, node) ?? outer + style.indent;
  const render = (indent: string, inline: boolean): string =>
    (key === undefined ? "" : `${renderKey(key, style)}: `) + renderValue(value, style, indent, inline);

  if (last === undefined) {
    const trivia = between(document, node.start + 1, close);
    if (!multiline && !trivia.some((token) => token.kind !== "space")) {
      const pad = node.kind === "array" ? "" : " ";
      return splice(text, node.start + 1, close, pad + render(outer, true) + pad);
    }
    const kept = text.slice(node.start + 1, close).trimEnd();
    return splice(
      text,
      node.start + 1,
      close,
      `${kept}${style.eol}${inner}${render(inner, false)}${style.eol}${outer}`,
    );
  }

  const after = between(document, last.end, close);
  const comma = after.find((token) => token.text === ",");
  if (!multiline || !text.slice(last.end, close).includes("\n")) {
    const at = comma?.end ?? last.end;
    return splice(
      text,
      at,
      at,
      `${comma === undefined ? "," : ""} ${render(inner, true)}${comma === undefined ? "" : ","}`,
    );
  }
  // A comment on the line of the last entry belongs to it: the new entry comes on the line after.
  let at = comma?.end ?? last.end;
  for (const token of after.filter((candidate) => candidate.start >= at)) {
    if (token.kind === "space" && token.text.includes("\n")) break;
    if (token.kind !== "space") at = token.end;
  }
  const entry = `${style.eol}${inner}${render(inner, false)}${comma === undefined ? "" : ","}`;
  const grown = splice(text, at, at, entry);
  return comma === undefined ? splice(grown, last.end, last.end, ",") : grown;
}

function firstChildIndent(document: ParsedDocument, node: PlacedValue): string | undefined {
  const start = node.kind === "array" ? node.items[0]?.start : node.members[0]?.start;
  if (start === undefined) return undefined;
  const lead = document.text.slice(node.start + 1, start);
  return lead.includes("\n") ? /[^\n\r]*$/.exec(lead)?.[0].match(/^\s*/)?.[0] : undefined;
}

function removeAt(document: ParsedDocument, path: ConfigPath): string {
  const { text } = document;
  let node: PlacedValue | undefined = document.root;
  for (const key of path.slice(0, -1)) node = node === undefined ? undefined : childOf(node, key);
  const key = path.at(-1);
  if (node === undefined || key === undefined || node.kind === "scalar") return text;
  const member = node.kind === "object" ? memberOf(node, String(key)) : undefined;
  const child = node.kind === "array" ? node.items[Number(key)] : member?.value;
  if (child === undefined) return text;
  const start = member?.start ?? child.start;
  const close = node.end - 1;
  const follow = between(document, child.end, close).find((token) => !isTrivia(token));
  if (follow?.text === ",") {
    return collapse(cut(cut(text, follow.start, follow.end), start, child.end), start);
  }
  // The last entry goes: the comma before it must not stay behind as a trailing one.
  const lead = between(document, node.start + 1, start).findLast((token) => !isTrivia(token));
  const shorter = cut(text, start, child.end);
  if (lead?.text !== ",") return collapse(shorter, start);
  return collapse(cut(shorter, lead.start, lead.end), start - 1);
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

function cut(text: string, start: number, end: number): string {
  return splice(text, start, end, "");
}

/** Removes the line around `at` when the cut left it blank, else doubled spaces. */
function collapse(text: string, at: number): string {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const found = text.indexOf("\n", at);
  const lineEnd = found < 0 ? text.length : found + 1;
  if (text.slice(lineStart, lineEnd).trim() === "" && found >= 0) return cut(text, lineStart, lineEnd);
  return text[at] === " " && (text[at - 1] === " " || /[{[]/.test(text[at - 1] ?? ""))
    ? cut(text, at, at + 1)
    : text;
}
