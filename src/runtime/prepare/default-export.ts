import { isEmptyExport, isFunction } from "./module-access.js";
import { isNode, type TreeNode } from "./tree.js";

export interface Unwrapped {
  code: string;
  /** What follows the author's lines. */
  tail: string;
  defaultName?: string;
}

/**
 * Turns `export default async () => {...}`, the form editors accept, into code that calls the function
 * as the last act of the cell. Nothing moves: what stands before the function is replaced in place.
 * Expects a tree that `findModuleAccess` let pass.
 */
export function unwrapExports(code: string, tree: TreeNode): Unwrapped {
  let text = code;
  let tail = "";
  let defaultName: string | undefined;
  const statements = (tree.body as TreeNode[]).filter((node) => node.type.startsWith("Export"));
  for (const node of statements.reverse()) {
    if (isEmptyExport(node)) {
      text = replaced(text, node.start, node.end, ";");
    } else if (isNode(node.declaration) && isFunction(node.declaration)) {
      const { start, end, id } = node.declaration;
      const hasName = isNode(id) && node.declaration.type === "FunctionDeclaration";
      const name = hasName ? String(id.name) : unusedName(code);
      if (text[end] !== ";") text = `${text.slice(0, end)};${text.slice(end)}`;
      text = replaced(text, node.start, start, hasName ? "" : `var ${name} =`);
      tail = `\nreturn ${name}();`;
      if (!hasName) defaultName = name;
    }
  }
  return { code: text, tail, ...(defaultName === undefined ? {} : { defaultName }) };
}

/** Puts `insert` over a stretch of text, keeping its length and its line ends where it can. */
function replaced(text: string, start: number, end: number, insert: string): string {
  const blank = text.slice(start, end).replace(/[^\r\n\u2028\u2029]/g, " ");
  const firstEnd = blank.search(/[\r\n\u2028\u2029]/);
  const room = firstEnd === -1 ? blank.length : firstEnd;
  return text.slice(0, start) + insert.padEnd(room) + blank.slice(room) + text.slice(end);
}

function unusedName(code: string): string {
  for (let counter = 0; ; counter += 1) {
    const name = counter === 0 ? "$default" : `$default${counter}`;
    if (!code.includes(name)) return name;
  }
}
