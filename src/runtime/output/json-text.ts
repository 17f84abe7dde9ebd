/** Size of a text in UTF-8, the unit of every budget here. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** What one unit of text costs inside a JSON string, escapes included. */
function escapedBytes(code: number): number {
  if (code === 0x22 || code === 0x5c) return 2;
  if (code < 0x20) return code === 8 || code === 9 || code === 10 || code === 12 || code === 13 ? 2 : 6;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (code >= 0xd800 && code <= 0xdfff) return 6; // a lone surrogate: JSON writes its escape
  return code < 0x10000 ? 3 : 4;
}

/** Length in UTF-16 units of the piece at `at` that may not be split. */
function unitLength(text: string, at: number, isJson: boolean): number {
  const code = text.codePointAt(at)!;
  if (isJson && code === 0x5c) return text.charCodeAt(at + 1) === 0x75 ? 6 : 2;
  return code > 0xffff ? 2 : 1;
}

/**
 * The longest prefix of `text` that costs at most `room` bytes as the content of a JSON string
 * (quotes not counted). It never splits a code point and, when `text` is itself JSON (`isJson`),
 * never an escape sequence. Looks at no more than `room` units, however long the text is.
 */
export function fittingPrefix(text: string, room: number, isJson: boolean): string {
  let end = 0;
  let left = room;
  while (end < text.length) {
    const length = unitLength(text, end, isJson);
    let cost = 0;
    for (let at = end; at < end + length && at < text.length; ) {
      const code = text.codePointAt(at)!;
      cost += escapedBytes(code);
      at += code > 0xffff ? 2 : 1;
    }
    if (cost > left) break;
    left -= cost;
    end = Math.min(text.length, end + length);
  }
  return text.slice(0, end);
}

/** Bytes of `text` as a compact JSON string, quotes included. */
export function jsonStringBytes(text: string): number {
  return utf8Bytes(JSON.stringify(text));
}
