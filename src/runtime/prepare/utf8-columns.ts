/** How many UTF-16 units of `text` its first `bytes` bytes of UTF-8 make; at most all of them. */
export function unitsOfBytes(text: string, bytes: number): number {
  let seen = 0;
  let units = 0;
  for (const character of text) {
    if (seen >= bytes) break;
    const code = character.codePointAt(0) ?? 0;
    seen += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    units += character.length;
  }
  return units;
}
