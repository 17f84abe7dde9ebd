import { quote } from "./text.js";

/** Where a value sits inside the one that is converted; linked, so that only warnings pay for a text. */
export interface Place {
  parent: Place | undefined;
  key: string | number;
}

/** `$`, then `.name`, `["other name"]` or `[index]` for each step. */
export function pathText(parent: Place | undefined, key: string | number): string {
  let text = parent === undefined ? "" : keyText(key);
  for (let at = parent; at !== undefined && at.parent !== undefined; at = at.parent) {
    text = keyText(at.key) + text;
  }
  return `$${text}`;
}

function keyText(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  return isName(key) ? `.${key}` : `[${quote(key)}]`;
}

function isName(key: string): boolean {
  for (let index = 0; index < key.length; index++) {
    const c = key[index]!;
    const letter = (c >= "a" && c <= "z") || (c >= "A" && c <= "Z") || c === "_" || c === "$";
    if (!letter && (index === 0 || c < "0" || c > "9")) return false;
  }
  return key.length > 0 && key.length <= 60;
}
