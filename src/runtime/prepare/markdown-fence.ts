import type { CellLanguage } from "../types.js";
import type { SourceFault } from "./types.js";

export interface Unfenced {
  /** The source with its fence lines emptied: every line keeps its number. */
  source: string;
  /** The language the opening fence names. */
  language?: CellLanguage;
  /** Set when the fence names a language no cell can have. */
  foreign?: SourceFault;
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

const OPENING = /^\s*?(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n`]*(?=\n)/;

/**
 * Models like to hand over source inside a markdown code block. When one block of JavaScript or
 * TypeScript is all there is, what is inside it is the source.
 */
export function unfence(source: string): Unfenced {
  const opening = OPENING.exec(source.slice(0, 1000));
  if (opening === null) return { source };
  const [head, fence, name] = opening as unknown as [string, string, string];
  const end = source.trimEnd();
  const lastLine = end.slice(end.lastIndexOf("\n") + 1);
  if (lastLine.trim() !== fence || end.length - lastLine.length < head.length) return { source };
  const language = NAMES[name.toLowerCase()];
  if (language === undefined) {
    const text = `a cell is JavaScript or TypeScript, and this block says \`${name.slice(0, 40)}\``;
    return { source, foreign: { offset: source.indexOf(fence), text } };
  }
  const inside = source.slice(head.length, end.length - lastLine.length);
  return {
    source: head.replace(/[^\r\n]/g, "") + inside,
    ...(language === "" ? {} : { language }),
  };
}

/** The fault when a fence stands among prose, so that a source which does not parse was meant to be inside. */
export function findStrayFence(source: string): SourceFault | undefined {
  const match = /^[ \t]{0,3}(?:`{3,}|~{3,})[ \t]*(?:\w+[ \t]*)?$/m.exec(source);
  // An odd backtick before it means that the fence is text of a template.
  if (match === null || source.slice(0, match.index).split("`").length % 2 === 0) return undefined;
  const text = "a cell is source and nothing else: remove the markdown fence and the text around it";
  return { offset: match.index, text };
}
