import type ts from "typescript";
import { nearest } from "../text/nearest.js";
import { declaredPath } from "./called-tool.js";
import { didYouMean, type Found, shownType } from "./finding.js";
import { isDeclaredData } from "./kinds.js";
import type { CellProgram } from "./program.js";
import { writesOf } from "./writes.js";

/** A property that is read, and the type it is read from. */
interface Read {
  name: string;
  node: ts.Node;
  /** Absent for a pattern. */
  from?: ts.Expression;
  type: ts.Type;
}

/**
 * What to make of a property the compiler does not find. It is an error where the run declares the whole
 * shape: a closed output of a tool, a global of the guest. `undefined` leaves it to the caller.
 */
export function unknownProperty(program: CellProgram, node: ts.Node): Found | undefined {
  const read = readAt(program, node);
  if (read === undefined) return undefined;
  const { ts, checker } = program;
  const offset = node.getStart();
  const awaited = promised(program, read.type);
  if (
    awaited !== undefined &&
    (awaited.getProperty(read.name) !== undefined || isToolPromise(program, read))
  ) {
    const message = `this is a promise, which has no \`${read.name}\``;
    return {
      severity: "error",
      code: "missing_await",
      message,
      offset,
      fix: "Write `await` before the call.",
    };
  }
  const shape = checker.getNonNullableType(read.type);
  if ((shape.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0) return undefined;
  if (OPEN.has(shape.symbol?.name)) return undefined;
  const parts = shape.isUnion() ? shape.types : [shape];
  const owner = parts.map((part) => declaredOwner(program, part)).find((path) => path !== undefined);
  const ofData = read.from !== undefined && isDeclaredData(program, read.from);
  if (owner === undefined && !ofData) return undefined;
  const place = { code: "unknown_property", offset } as const;
  const having = parts.filter((part) => part.getProperty(read.name) !== undefined);
  if (having.length > 0) {
    const message = `\`${read.name}\` is only in some of ${ownerText(program, owner, read, parts)}`;
    const fix = `Tell them apart first: \`"${read.name}" in ...\`.`;
    return { ...place, severity: "warning", message, fix };
  }
  const names = parts.flatMap((part) => checker.getPropertiesOfType(part).map((property) => property.name));
  return {
    ...place,
    // What the cell itself adds to the object is there later.
    severity: isEverWritten(program, read.name) ? "warning" : "error",
    message: `\`${read.name}\` is not in ${ownerText(program, owner, read, parts)}`,
    ...didYouMean(nearest(read.name, names, 1)),
  };
}

function readAt(program: CellProgram, node: ts.Node): Read | undefined {
  const { ts, checker } = program;
  const { parent } = node;
  // `typeof a.b` and `a.b?.()` ask whether it is there.
  const use = parent.parent;
  if (ts.isTypeOfExpression(use)) return undefined;
  if (ts.isCallExpression(use) && use.expression === parent && use.questionDotToken !== undefined)
    return undefined;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    const from = parent.expression;
    return { name: parent.name.text, node, from, type: checker.getTypeAtLocation(from) };
  }
  if (ts.isElementAccessExpression(parent) && ts.isStringLiteralLike(parent.argumentExpression)) {
    const from = parent.expression;
    return { name: parent.argumentExpression.text, node, from, type: checker.getTypeAtLocation(from) };
  }
  if (ts.isBindingElement(parent) && ts.isIdentifier(parent.propertyName ?? parent.name)) {
    const name = (parent.propertyName ?? parent.name) as ts.Identifier;
    const pattern = parent.parent;
    const whole = ts.isVariableDeclaration(pattern.parent) ? pattern.parent.initializer : undefined;
    return {
      name: name.text,
      node,
      ...(whole && { from: whole }),
      type: checker.getTypeAtLocation(pattern),
    };
  }
  return undefined;
}

function promised({ ts, checker }: CellProgram, type: ts.Type): ts.Type | undefined {
  const isPromise = (type.flags & ts.TypeFlags.Object) !== 0 && type.symbol?.name === "Promise";
  return isPromise ? checker.getAwaitedType(type) : undefined;
}

function isToolPromise(program: CellProgram, read: Read): boolean {
  return read.from !== undefined && isDeclaredData(program, read.from);
}

/** Types whose declaration names the usual members only. */
const OPEN = new Set(["McpApiHeader", "McpRootApiHeader"]);

/** The declaration file that states this type, when it states all of it. */
function declaredOwner({ ts, checker }: CellProgram, type: ts.Type): string | undefined {
  if (checker.getIndexInfosOfType(type).length > 0 || (type.flags & ts.TypeFlags.Object) === 0)
    return undefined;
  const declaration = type.symbol?.declarations?.[0];
  return declaration === undefined ? undefined : declaredPath(declaration);
}

/** What the property was looked for in: a global by its name, data by the tool that returned it. */
function ownerText(
  program: CellProgram,
  owner: string | undefined,
  { from }: Read,
  parts: readonly ts.Type[],
): string {
  const name = from?.getText() ?? "";
  if (from !== undefined && /^[\w$.]{1,60}$/.test(name) && isGlobal(program, from)) return `\`${name}\``;
  const types = shownType(parts.map((part) => spelledOut(program, part)).join(" | "));
  const tool = owner === undefined ? undefined : /^tools\/(.+)\.d\.ts$/.exec(owner)?.[1];
  return tool === undefined ? types : `what ${tool} returns: ${types}`;
}

/** Whether an expression is a global of the run, or a member of one. */
function isGlobal({ ts, checker }: CellProgram, expression: ts.Expression): boolean {
  let root: ts.Expression = expression;
  while (ts.isPropertyAccessExpression(root)) root = root.expression;
  const declaration = checker.getSymbolAtLocation(root)?.declarations?.[0];
  return declaration !== undefined && declaredPath(declaration) !== undefined;
}

/** A type with its members, where its name alone would say nothing to the author. */
function spelledOut({ ts, checker, cell }: CellProgram, type: ts.Type): string {
  const text = (shown: ts.Type): string =>
    checker.typeToString(shown, undefined, ts.TypeFormatFlags.NoTruncation);
  const named = type.aliasSymbol !== undefined || type.isClassOrInterface();
  if (!named || checker.isArrayType(type)) return text(type);
  const members = checker.getPropertiesOfType(type).map((member) => {
    const optional = (member.flags & ts.SymbolFlags.Optional) !== 0;
    const value = checker.getTypeOfSymbolAtLocation(member, cell);
    return `${member.name}${optional ? "?" : ""}: ${text(optional ? checker.getNonNullableType(value) : value)}`;
  });
  return `{ ${members.join("; ")} }`;
}

/** Whether the cell may give an object a property of this name. */
function isEverWritten(program: CellProgram, name: string): boolean {
  const { properties, computed } = writesOf(program);
  return computed || properties.has(name);
}
