import type ts from "typescript";
import type { TypeScript } from "./program.js";

/** The innermost node that starts at an offset and ends where `length` says, or covers that stretch. */
export function nodeAt(ts: TypeScript, file: ts.SourceFile, offset: number, length: number): ts.Node {
  let best: ts.Node = file;
  const descend = (node: ts.Node): void => {
    if (node.getStart(file) > offset || node.end < offset + length) return;
    best = node;
    ts.forEachChild(node, descend);
  };
  ts.forEachChild(file, descend);
  return best;
}

/** Calls `visit` for every node below a file, parents first. */
export function visitAll(ts: TypeScript, root: ts.Node, visit: (node: ts.Node) => void): void {
  const waiting: ts.Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    visit(node);
    ts.forEachChild(node, (child) => void waiting.push(child));
  }
}

/** An expression without what changes only its type or its grouping. */
export function bare(ts: TypeScript, node: ts.Expression): ts.Expression {
  let at = node;
  while (ts.isParenthesizedExpression(at) || ts.isSatisfiesExpression(at) || ts.isNonNullExpression(at)) {
    at = at.expression;
  }
  return at;
}

/** Whether an expression is written to: an assignment, an increment or a delete. */
export function isWritten(ts: TypeScript, node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent) && parent.left === node) {
    const kind = parent.operatorToken.kind;
    return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
  }
  if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent)) {
    return [ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken].includes(parent.operator);
  }
  if (ts.isDeleteExpression(parent)) return true;
  return (ts.isForInStatement(parent) || ts.isForOfStatement(parent)) && parent.initializer === node;
}
