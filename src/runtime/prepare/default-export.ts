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
  let text = "";
  let done = 0;
  let tail = "";
  let defaultName: string | undefined;
  const put = (start: number, end: number, insert: string): void => {
    text += code.slice(done, start) + over(code.slice(start, end), insert);
    done = end;
  };
  for (const node of (tree.body as TreeNode[]).filter(({ type }) => type.startsWith("Export"))) {
    if (isEmptyExport(node)) {
      put(node.start, node.end, ";");
    } else if (isNode(node.declaration) && isFunction(node.declaration)) {
      const { start, end, id } = node.declaration;
      const hasName = isNode(id) && node.declaration.type === "FunctionDeclaration";
      if (!hasName) defaultName ??= unusedName(code);
      const name = hasName ? String(id.name) : defaultName;
      put(node.start, start, hasName ? "" : `var ${name} =`);
      text += code.slice(start, end) + (code[end] === ";" ? "" : ";");
      done = end;
      tail ||= `\nreturn ${name}();`;
    }
  }
  return { code: text + code.slice(done), tail, ...(defaultName === undefined ? {} : { defaultName }) };
}

/** `insert` in place of a stretch of text, with its length and its line ends where that is possible. */
function over(stretch: string, insert: string): string {
  const blank = stretch.replace(/[^\r\n\u2028\u2029]/g, " ");
  const firstEnd = blank.search(/[\r\n\u2028\u2029]/);
  const room = firstEnd === -1 ? blank.length : firstEnd;
  return insert.padEnd(room) + blank.slice(room);
}

function unusedName(code: string): string {
  const used = new Set(code.match(/\$default\d*/g));
  for (let counter = 0; ; counter += 1) {
    const name = counter === 0 ? "$default" : `$default${counter}`;
    if (!used.has(name)) return name;
  }
}
