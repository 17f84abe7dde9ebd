import type ts from "typescript";
import { declaredPath } from "./called-tool.js";
import { bare } from "./nodes.js";
import type { CellProgram } from "./program.js";
import { writesOf } from "./writes.js";

/** What a value becomes as JSON; `absent` is left out. */
export type JsonKind = "string" | "number" | "boolean" | "null" | "object" | "array" | "absent";

/** The JSON kinds an expression can have, or nothing when they are not certain. */
export function kindsOf(program: CellProgram, expression: ts.Expression): Set<JsonKind> | undefined {
  const { ts, checker } = program;
  const node = bare(ts, expression);
  if (ts.isObjectLiteralExpression(node)) return new Set(["object"]);
  if (ts.isArrayLiteralExpression(node)) return new Set(["array"]);
  return isTrusted(program, node) ? kindsOfType(program, checker.getTypeAtLocation(node)) : undefined;
}

function kindsOfType(program: CellProgram, type: ts.Type): Set<JsonKind> | undefined {
  const { ts, checker } = program;
  if (type.isUnion()) {
    const all = new Set<JsonKind>();
    for (const member of type.types) {
      const kinds = kindsOfType(program, member);
      if (kinds === undefined) return undefined;
      for (const kind of kinds) all.add(kind);
    }
    return all;
  }
  const has = (flags: ts.TypeFlags): boolean => (type.flags & flags) !== 0;
  if (has(ts.TypeFlags.StringLike)) return new Set(["string"]);
  if (has(ts.TypeFlags.NumberLike)) return new Set(["number"]);
  if (has(ts.TypeFlags.BooleanLike)) return new Set(["boolean"]);
  if (has(ts.TypeFlags.Null)) return new Set(["null"]);
  if (has(ts.TypeFlags.Undefined | ts.TypeFlags.Void)) return new Set(["absent"]);
  if (!has(ts.TypeFlags.Object)) return undefined;
  if (checker.isArrayType(type) || checker.isTupleType(type)) return new Set(["array"]);
  // Functions, and everything with a say in how it becomes JSON.
  if (type.getCallSignatures().length > 0 || type.getProperty("toJSON") !== undefined) return undefined;
  return new Set(["object"]);
}

/**
 * Whether the inferred type of an expression is a fact. Variables that may be assigned again, casts and
 * members of the author's own objects are not trusted: JavaScript lets them become anything.
 */
export function isTrusted(program: CellProgram, expression: ts.Expression): boolean {
  const { ts, checker } = program;
  const node = bare(ts, expression);
  if (ts.isLiteralExpression(node) || ts.isTemplateExpression(node) || ts.isTypeOfExpression(node))
    return true;
  if (
    [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword].includes(node.kind)
  ) {
    return true;
  }
  if (ts.isPrefixUnaryExpression(node)) return isTrusted(program, node.operand);
  if (ts.isAwaitExpression(node)) return isTrusted(program, node.expression);
  if (ts.isConditionalExpression(node)) {
    return isTrusted(program, node.whenTrue) && isTrusted(program, node.whenFalse);
  }
  if (ts.isBinaryExpression(node)) return isTrusted(program, node.left) && isTrusted(program, node.right);
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
    return isUnchanged(program, node) && isDeclaredData(program, node.expression);
  }
  if (ts.isCallExpression(node)) {
    const declaration = checker.getResolvedSignature(node)?.declaration;
    if (declaration === undefined) return false;
    if (declaredPath(declaration) !== undefined) return true;
    return (
      isLibrary(declaration) && (ts.isIdentifier(node.expression) || isDeclaredData(program, node.expression))
    );
  }
  return ts.isIdentifier(node) && isTrustedName(program, node);
}

/** Whether an expression is data whose type a declaration of the run states, or part of such data. */
export function isDeclaredData(program: CellProgram, expression: ts.Expression): boolean {
  const { ts, checker } = program;
  const node = bare(ts, expression);
  if (ts.isAwaitExpression(node)) return isDeclaredData(program, node.expression);
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
    return isDeclaredData(program, node.expression);
  }
  if (ts.isCallExpression(node)) {
    const declaration = checker.getResolvedSignature(node)?.declaration;
    if (declaration !== undefined && declaredPath(declaration) !== undefined) return true;
    return declaration !== undefined && isLibrary(declaration) && isDeclaredData(program, node.expression);
  }
  return ts.isIdentifier(node) && isDeclaredName(program, node);
}

/** Whether the cell never writes to a property of the name that is read. */
function isUnchanged(
  program: CellProgram,
  read: ts.PropertyAccessExpression | ts.ElementAccessExpression,
): boolean {
  const { ts } = program;
  const { properties, computed } = writesOf(program);
  const key = ts.isPropertyAccessExpression(read) ? read.name : read.argumentExpression;
  const named = ts.isIdentifier(key) || ts.isStringLiteralLike(key);
  return !computed && (named ? !properties.has(key.text) : ts.isNumericLiteral(key) || properties.size === 0);
}

function isLibrary(declaration: ts.Node): boolean {
  return /\/lib\.[\w.]+\.d\.ts$/.test(declaration.getSourceFile().fileName);
}

/** A name that is set once, from something trusted, or given to a callback by trusted data. */
function isTrustedName(program: CellProgram, name: ts.Identifier): boolean {
  const initial = onlyValue(program, name);
  if (initial === undefined) return false;
  return initial === "callback" ? true : isTrusted(program, initial);
}

function isDeclaredName(program: CellProgram, name: ts.Identifier): boolean {
  const initial = onlyValue(program, name);
  if (initial === undefined) return false;
  return initial === "callback" ? true : isDeclaredData(program, initial);
}

/**
 * What a name is set from when it is a `const` or a `for...of` constant without a pattern default, or
 * `callback` for the parameter of a function that declared data calls.
 */
function onlyValue(program: CellProgram, name: ts.Identifier): ts.Expression | "callback" | undefined {
  const { ts, checker } = program;
  const declaration = checker.getSymbolAtLocation(name)?.valueDeclaration;
  let node: ts.Node | undefined = declaration;
  while (
    node !== undefined &&
    (ts.isBindingElement(node) || ts.isObjectBindingPattern(node) || ts.isArrayBindingPattern(node))
  ) {
    if (ts.isBindingElement(node) && (node.initializer !== undefined || node.dotDotDotToken !== undefined))
      return undefined;
    node = node.parent;
  }
  if (node === undefined) return undefined;
  if (ts.isVariableDeclaration(node) && ts.isVariableDeclarationList(node.parent)) {
    if ((node.parent.flags & ts.NodeFlags.Const) === 0 || node.type !== undefined) return undefined;
    if (ts.isForOfStatement(node.parent.parent)) return node.parent.parent.expression;
    return node.initializer;
  }
  if (ts.isParameter(node) && node.initializer === undefined && node.type === undefined) {
    const { parent } = node;
    if (!ts.isArrowFunction(parent) && !ts.isFunctionExpression(parent)) return undefined;
    const call = parent.parent;
    const given = ts.isCallExpression(call) && call.arguments.includes(parent as ts.Expression);
    return given && isDeclaredData(program, call.expression) ? "callback" : undefined;
  }
  return undefined;
}
