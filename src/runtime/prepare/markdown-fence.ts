import type { CellLanguage } from "../types.js";

export interface Unfenced {
  /** The source with its fence lines emptied: every line keeps its number. */
  source: string;
  /** The language the opening fence names. */
  language?: CellLanguage;
}

const NAMES: Readonly<Record<string, CellLanguage | "">> = {
  "": "",
  js: "javascript",
  mjs: "javascript",
  javascript: "javascript",
  ts: "typescript",
  mts: "typescript",
  typescript: "typescript",
};

const OPENING = /^\s*?(`{3,}|~{3,})[ \t]*([A-Za-z]*)[ \t]*(?=\r?\n)/;

/**
 * Models like to hand over source inside a markdown code block. When one block of JavaScript or
 * TypeScript is all there is, what is inside it is the source.
 */
export function unfence(source: string): Unfenced {
  const opening = OPENING.exec(source.slice(0, 1000));
  if (opening === null) return { source };
  const [head, fence, name] = opening as unknown as [string, string, string];
  const language = NAMES[name.toLowerCase()];
  if (language === undefined) return { source };
  const end = source.trimEnd();
  const lastLine = end.slice(end.lastIndexOf("\n") + 1);
  if (lastLine.trim() !== fence) return { source };
  const inside = source.slice(head.length, end.length - lastLine.length);
  return {
    source: head.replace(/[^\r\n]/g, "") + inside,
    ...(language === "" ? {} : { language }),
  };
}

/** Offset of a fence that stands among other text, so that it was not taken off; -1 without one. */
export function strayFence(source: string): number {
  const match = /^[ \t]{0,3}(?:`{3,}|~{3,})[ \t]*[A-Za-z]*[ \t]*$/m.exec(source);
  return match === null ? -1 : match.index;
}
