/** A value of a JSON5 text with the range it takes there. Offsets are UTF-16 units, ends exclusive. */
export interface PlacedValue {
  kind: "object" | "array" | "scalar";
  start: number;
  end: number;
  /** Members of an object in written order, duplicates included. */
  members: PlacedMember[];
  items: PlacedValue[];
}

export interface PlacedMember {
  key: string;
  /** The key as written, quotes included. */
  keyText: string;
  start: number;
  value: PlacedValue;
}

export interface Token {
  text: string;
  start: number;
  end: number;
  kind: "space" | "line-comment" | "block-comment" | "punctuator" | "string" | "word";
}

export interface PlacedDocument {
  text: string;
  tokens: readonly Token[];
  root: PlacedValue;
}

export type ConfigPath = readonly (string | number)[];

const TOKEN =
  /(?<space>\s+)|(?<line>\/\/[^\n\r\u2028\u2029]*)|(?<block>\/\*[\s\S]*?\*\/)|(?<punctuator>[{}[\]:,])|(?<string>"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')|(?<word>[^\s{}[\]:,"']+?(?=\/[/*]|[\s{}[\]:,"']|$))/gy;

/** The tokens of a text that is known to be valid JSON5; what it cannot read it stops at. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const groups = match.groups as Record<string, string | undefined>;
    const kind: Token["kind"] =
      groups.space !== undefined
        ? "space"
        : groups.line !== undefined
          ? "line-comment"
          : groups.block !== undefined
            ? "block-comment"
            : groups.punctuator !== undefined
              ? "punctuator"
              : groups.string !== undefined
                ? "string"
                : "word";
    tokens.push({ text: match[0], start: match.index, end: match.index + match[0].length, kind });
  }
  return tokens;
}

/** Whether a token stands for nothing: white space or a comment. */
export function isTrivia(token: Token): boolean {
  return token.kind === "space" || token.kind === "line-comment" || token.kind === "block-comment";
}

/**
 * Where each value of a JSON5 text stands. The text must have passed a JSON5 parser before: this reader
 * finds places and does not judge. Keys are decoded by `decode` (the parser that judged the text).
 */
export function placeDocument(
  text: string,
  decode: (token: string) => unknown,
  tokens: readonly Token[] = tokenize(text),
): PlacedDocument {
  const significant = tokens.filter((token) => !isTrivia(token));
  let at = 0;
  const next = (): Token => {
    const token = significant[at++];
    if (token === undefined) throw new Error("placeDocument needs a valid JSON5 text");
    return token;
  };
  const peek = (): string | undefined => significant[at]?.text;
  const decodeKey = (token: Token): string => {
    if (token.kind === "string") return String(decode(token.text));
    return token.text.includes("\\")
      ? (Object.keys(decode(`{${token.text}:0}`) as object)[0] ?? token.text)
      : token.text;
  };
  const value = (): PlacedValue => {
    const first = next();
    if (first.kind !== "punctuator") {
      return { kind: "scalar", start: first.start, end: first.end, members: [], items: [] };
    }
    const close = first.text === "{" ? "}" : "]";
    const node: PlacedValue = {
      kind: first.text === "{" ? "object" : "array",
      start: first.start,
      end: first.end,
      members: [],
      items: [],
    };
    while (peek() !== close) {
      if (node.kind === "array") node.items.push(value());
      else {
        const key = next();
        next();
        node.members.push({
          key: decodeKey(key),
          keyText: key.text,
          start: key.start,
          value: value(),
        });
      }
      if (peek() === ",") next();
    }
    node.end = next().end;
    return node;
  };
  return { text, tokens, root: value() };
}

/** The member that counts: of duplicates the last, as parsers have it. */
export function memberOf(node: PlacedValue, key: string): PlacedMember | undefined {
  return node.members.findLast((member) => member.key === key);
}

/** One step down from a value, or undefined where there is nothing. */
export function childOf(node: PlacedValue, key: string | number): PlacedValue | undefined {
  return node.kind === "array" ? node.items[Number(key)] : memberOf(node, String(key))?.value;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value a path leads to, own properties only. */
export function valueAt(value: unknown, path: ConfigPath): unknown {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return undefined;
    inner = (inner as Record<string | number, unknown>)[key];
  }
  return inner;
}

/**
 * Offset to show for a path: of its value, or of the key when `at` is `"key"`. A path that leads nowhere
 * gives the deepest value on the way.
 */
export function offsetOf(document: PlacedDocument, path: ConfigPath, at: "key" | "value" = "value"): number {
  let node = document.root;
  let offset = node.start;
  for (const key of path) {
    const member = node.kind === "object" ? memberOf(node, String(key)) : undefined;
    const child = childOf(node, key);
    if (child === undefined) break;
    offset = at === "key" && member !== undefined ? member.start : child.start;
    node = child;
  }
  return offset;
}

/** One-based line and column (UTF-16 units) of an offset. */
export function lineColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|[\n\r\u2028\u2029]/);
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** Members whose key an earlier member of the same object already has. */
export function duplicates(root: PlacedValue): { member: PlacedMember; path: (string | number)[] }[] {
  const found: { member: PlacedMember; path: (string | number)[] }[] = [];
  const visit = (node: PlacedValue, path: (string | number)[]): void => {
    const seen = new Set<string>();
    for (const member of node.members) {
      const here = [...path, member.key];
      if (seen.has(member.key)) found.push({ member, path: here });
      seen.add(member.key);
      visit(member.value, here);
    }
    node.items.forEach((item, index) => {
      visit(item, [...path, index]);
    });
  };
  visit(root, []);
  return found;
}

/** A path as people write it: `agents.list[0].tools`, odd keys quoted in brackets. */
export function formatPath(path: ConfigPath): string {
  let text = "";
  for (const key of path) {
    if (typeof key === "number") text += `[${key}]`;
    else if (/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)) text += text === "" ? key : `.${key}`;
    else text += `[${JSON.stringify(key)}]`;
  }
  return text;
}
