import type ts from "typescript";
import { bare } from "./nodes.js";
import type { TypeScript } from "./program.js";

/** What an expression is as JSON, when its text alone decides that. `absent` is left out of an object. */
export type StaticValue = { known: true; value: unknown } | { known: true; absent: true } | { known: false };

const UNKNOWN: StaticValue = { known: false };
const ABSENT: StaticValue = { known: true, absent: true };

/** Reads literals, and objects and arrays of them. */
export function staticValue(ts: TypeScript, expression: ts.Expression): StaticValue {
  const node = bare(ts, expression);
  if (ts.isStringLiteralLike(node)) return { known: true, value: node.text };
  if (ts.isNumericLiteral(node)) return { known: true, value: Number(node.text.replaceAll("_", "")) };
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { known: true, value: true };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { known: true, value: false };
  if (node.kind === ts.SyntaxKind.NullKeyword) return { known: true, value: null };
  if (ts.isIdentifier(node) && node.text === "undefined") return ABSENT;
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return ABSENT;
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    const inner = staticValue(ts, node.operand);
    return inner.known && "value" in inner && typeof inner.value === "number"
      ? { known: true, value: -inner.value }
      : UNKNOWN;
  }
  if (ts.isArrayLiteralExpression(node)) return staticArray(ts, node);
  return ts.isObjectLiteralExpression(node) ? staticObject(ts, node) : UNKNOWN;
}

function staticArray(ts: TypeScript, node: ts.ArrayLiteralExpression): StaticValue {
  const items: unknown[] = [];
  for (const element of node.elements) {
    if (ts.isSpreadElement(element)) return UNKNOWN;
    const item = ts.isOmittedExpression(element) ? ABSENT : staticValue(ts, element);
    if (!item.known) return UNKNOWN;
    items.push("value" in item ? item.value : null);
  }
  return { known: true, value: items };
}

function staticObject(ts: TypeScript, node: ts.ObjectLiteralExpression): StaticValue {
  const value: Record<string, unknown> = {};
  for (const property of node.properties) {
    const name = property.name === undefined ? undefined : propertyName(ts, property.name);
    // A prototype or a toJSON of its own makes something else of the object.
    if (name === undefined || name === "__proto__" || name === "toJSON") return UNKNOWN;
    if (ts.isMethodDeclaration(property)) continue;
    if (!ts.isPropertyAssignment(property)) return UNKNOWN;
    const member = staticValue(ts, property.initializer);
    if (!member.known) return UNKNOWN;
    if ("value" in member) value[name] = member.value;
    else delete value[name];
  }
  return { known: true, value };
}

/** The name of a property as written, when it is no computed one. */
export function propertyName(ts: TypeScript, name: ts.PropertyName): string | undefined {
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  return ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression)
    ? name.expression.text
    : undefined;
}
