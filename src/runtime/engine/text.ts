const encoder = new TextEncoder();

/**
 * UTF-8 in which a lone surrogate keeps its own three bytes (WTF-8): the engine reads that back as the
 * same code unit, so every JavaScript string crosses unchanged.
 */
export function encodeText(text: string): Uint8Array {
  if (text.isWellFormed()) return encoder.encode(text);
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code >= 0xd800 && code <= 0xdfff) {
      bytes.push(0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
    } else {
      bytes.push(...encoder.encode(character));
    }
  }
  return Uint8Array.from(bytes);
}

/** The inverse of `encodeText`. */
export function decodeText(bytes: Buffer): string {
  if (!hasSurrogate(bytes)) return bytes.toString("utf8");
  let text = "";
  let from = 0;
  for (let at = bytes.indexOf(0xed); at !== -1; at = bytes.indexOf(0xed, at + 1)) {
    const second = bytes[at + 1];
    if (second === undefined || second < 0xa0 || second > 0xbf) continue;
    text += bytes.toString("utf8", from, at);
    text += String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | (bytes[at + 2]! & 0x3f));
    from = at + 3;
  }
  return text + bytes.toString("utf8", from);
}

function hasSurrogate(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(0xed); at !== -1; at = bytes.indexOf(0xed, at + 1)) {
    const second = bytes[at + 1];
    if (second !== undefined && second >= 0xa0 && second <= 0xbf) return true;
  }
  return false;
}
