import type ts from "typescript";
import { bare, isWritten, visitAll } from "./nodes.js";
import type { CellProgram } from "./program.js";

/** What a cell writes at run time, beyond its declarations. */
export interface Writes {
  /** Names of properties that are set somewhere, on whatever object. */
  properties: ReadonlySet<string>;
  /** Whether an object that is not plainly the cell's own gets a property whose name only shows at run time. */
  computed: boolean;
  /** Whether globals can come into being unseen: `eval`, `Function`, `with`, computed names. */
  unseenNames: boolean;
}

const known = new WeakMap<ts.SourceFile, Writes>();

/** The writes of a cell, found once. */
export function writesOf(program: CellProgram): Writes {
  const { ts, cell } = program;
  const before = known.get(cell);
  if (before !== undefined) return before;
  const properties = new Set<string>();
  const writes = { properties, computed: false, unseenNames: false };
  const writeUnseen = (target: ts.Expression | undefined): void => {
    if (target === undefined || isOwnLiteral(program, target)) return;
    writes.computed = true;
    if (ts.isIdentifier(target) ? target.text === "globalThis" : target.kind === ts.SyntaxKind.ThisKeyword) {
      writes.unseenNames = true;
    }
  };
  visitAll(ts, cell, (node) => {
    if (ts.isPropertyAccessExpression(node) && isWritten(ts, node)) properties.add(node.name.text);
    if (ts.isElementAccessExpression(node) && isWritten(ts, node)) {
      const key = node.argumentExpression;
      if (ts.isStringLiteralLike(key)) properties.add(key.text);
      else if (!ts.isNumericLiteral(key)) writeUnseen(node.expression);
    }
    if (ts.isCallExpression(node) && isPropertyWriter(ts, node.expression)) writeUnseen(node.arguments[0]);
    if (ts.isWithStatement(node)) writes.unseenNames = true;
    if (ts.isIdentifier(node) && (node.text === "eval" || node.text === "Function"))
      writes.unseenNames = true;
  });
  known.set(cell, writes);
  return writes;
}

/** `Object.assign`, `Object.defineProperty` and the like. */
function isPropertyWriter(ts: CellProgram["ts"], callee: ts.Expression): boolean {
  return (
    ts.isPropertyAccessExpression(callee) &&
    /^(?:assign|defineProperty|defineProperties|set|setPrototypeOf)$/.test(callee.name.text) &&
    ts.isIdentifier(callee.expression) &&
    /^(?:Object|Reflect)$/.test(callee.expression.text)
  );
}

/** An object the cell made itself: a literal, or a variable that was set to one. */
function isOwnLiteral({ ts, checker }: CellProgram, expression: ts.Expression): boolean {
  const made = (node: ts.Expression): boolean =>
    ts.isObjectLiteralExpression(node) ||
    ts.isArrayLiteralExpression(node) ||
    ts.isNewExpression(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node);
  const node = bare(ts, expression);
  if (made(node)) return true;
  const declaration = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node)?.valueDeclaration : undefined;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return false;
  return declaration.initializer !== undefined && made(bare(ts, declaration.initializer));
}
