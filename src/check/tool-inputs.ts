import type ts from "typescript";
import type { Catalog } from "../catalog/types.js";
import { type SchemaCompiler, schemaCompiler } from "../schema/compile.js";
import type { SchemaIssue } from "../schema/issues.js";
import { snapshot } from "../schema/snapshot.js";
import { nearest } from "../text/nearest.js";
import { type CalledTool, calledTool } from "./called-tool.js";
import { type Contradiction, contradictions } from "./contradictions.js";
import { didYouMean, type Found, shownType } from "./finding.js";
import { bare, isWritten, visitAll } from "./nodes.js";
import type { CellProgram } from "./program.js";
import { propertyName, staticValue } from "./static-value.js";

/** What was found out about the calls of tools in a cell. */
export interface ToolInputs {
  found: Found[];
  /** Every argument of a tool, so that the compiler's opinion of it can be weighed. */
  judged: { from: number; to: number; refused: boolean }[];
}

/**
 * Holds the input of every tool call against the schema that will check it at run time. Only what is
 * certain from the text counts: the schema refuses it, whatever the rest of the cell does.
 */
export async function checkToolInputs(program: CellProgram, catalog: Catalog): Promise<ToolInputs> {
  const result: ToolInputs = { found: [], judged: [] };
  const calls: ts.CallExpression[] = [];
  visitAll(program.ts, program.cell, (node) => {
    if (program.ts.isCallExpression(node)) calls.push(node);
  });
  for (const call of calls) {
    const tool = calledTool(program, catalog, call);
    if (tool === undefined) continue;
    if ("problem" in tool) {
      const offset = call.arguments[0]!.getStart();
      result.found.push({ severity: "error", code: "unknown_tool", message: tool.problem, offset });
      continue;
    }
    const refused = await judge(program, call, tool, await schemaCompiler());
    result.found.push(...refused);
    result.judged.push({ from: call.getStart(), to: call.end, refused: refused.length > 0 });
  }
  return result;
}

async function judge(
  program: CellProgram,
  call: ts.CallExpression,
  { entry, member, inputIndex }: CalledTool,
  compiler: SchemaCompiler,
): Promise<Found[]> {
  const { ts } = program;
  const { parameters, prepareArguments } = entry.tool;
  // What the tool makes of its arguments, or a client of them, is not known here.
  if (entry.source === "client" || prepareArguments !== undefined || parameters === undefined) return [];
  if (member !== undefined && member.operation !== "tool") return [];
  const compiled = compiler.compile(parameters, { purpose: "input" });
  if (!compiled.ok) return [];
  const written = call.arguments[inputIndex];
  if (call.arguments.slice(0, inputIndex + 1).some((argument) => ts.isSpreadElement(argument))) return [];
  const argument = written === undefined ? undefined : settled(program, written);
  const value = argument === undefined ? ({ known: true, value: {} } as const) : staticValue(ts, argument);
  const input = value.known ? ("value" in value ? (value.value ?? {}) : {}) : undefined;
  let refusals: Contradiction[];
  if (input !== undefined) {
    const filled = member === undefined ? input : { ...member.defaults, ...(input as object) };
    const { issues } = compiled.check(filled);
    refusals = issues.map((issue) => placed(program, issue, argument ?? call.expression));
  } else {
    refusals = contradictions(
      program,
      argument!,
      snapshot(parameters).value,
      Object.keys(member?.defaults ?? {}),
    );
  }
  const declared = takes(program, call, entry.input);
  const settledOn = simplified(refusals, argument ?? call.expression);
  return settledOn.map(({ node, path, text, meant = [], extra }) => {
    // MCP servers commonly drop what they do not know, whatever their schema says.
    const certain = extra !== true || member === undefined;
    return {
      severity: certain ? "error" : "warning",
      code: "input_contract",
      message: `${entry.callableName} ${certain ? "refuses" : "may refuse"} this input: ${path}: ${text}; it takes ${declared}`,
      offset: node.getStart(),
      ...didYouMean(meant),
    };
  });
}

/**
 * What is worth saying of several refusals: a property that is missing because it is misspelt is said
 * once, and where alternatives were tried in vain, only that.
 */
function simplified(refusals: readonly Contradiction[], argument: ts.Expression): Contradiction[] {
  const alternatives = refusals.find(({ text }) => /alternatives$/.test(text));
  if (alternatives !== undefined) {
    const meant = [...new Set(refusals.flatMap((one) => one.meant ?? []))].slice(0, 3);
    return [{ ...alternatives, node: alternatives.path === "<root>" ? argument : alternatives.node, meant }];
  }
  const misspelt = new Set(refusals.flatMap(({ meant }) => meant ?? []));
  return refusals.filter(
    ({ path, text }) => !(/required/.test(text) && misspelt.has(path.split(".").at(-1) ?? "")),
  );
}

/** The input as declared: the compact hint, else the type of the parameter. */
function takes(program: CellProgram, call: ts.CallExpression, hint: string): string {
  if (hint !== "unknown") return shownType(hint);
  const { ts, checker } = program;
  const parameter = checker.getResolvedSignature(call)?.parameters[0];
  if (parameter === undefined) return "no input";
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(parameter));
  return shownType(checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation));
}

/**
 * The object literal a constant was set to, when nothing in the cell could have changed it in between;
 * otherwise the expression itself.
 */
function settled(program: CellProgram, expression: ts.Expression): ts.Expression {
  const { ts, checker, cell } = program;
  const name = bare(ts, expression);
  if (!ts.isIdentifier(name)) return expression;
  const symbol = checker.getSymbolAtLocation(name);
  const declaration = symbol?.valueDeclaration;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration) || declaration.type !== undefined)
    return expression;
  const initial = declaration.initializer;
  const constant = (declaration.parent.flags & ts.NodeFlags.Const) !== 0;
  if (initial === undefined || !constant || !ts.isObjectLiteralExpression(bare(ts, initial)))
    return expression;
  let uses = 0;
  let harmless = 0;
  visitAll(ts, cell, (node) => {
    if (!ts.isIdentifier(node) || node.text !== name.text || node.parent === declaration) return;
    if (checker.getSymbolAtLocation(node) !== symbol) return;
    uses += 1;
    const { parent } = node;
    if (node === name) harmless += 1;
    else if (ts.isPropertyAccessExpression(parent) && parent.expression === node) {
      const called = ts.isCallExpression(parent.parent) && parent.parent.expression === parent;
      if (!isWritten(ts, parent) && !called && !ts.isPropertyAccessExpression(parent.parent)) harmless += 1;
    }
  });
  return uses === harmless ? initial : expression;
}

/** An issue of the validator at the deepest node its path leads to. */
function placed({ ts }: CellProgram, issue: SchemaIssue, root: ts.Expression): Contradiction {
  const { path, text, unknown } = issue;
  let node: ts.Node = root;
  for (const segment of path === "<root>" ? [] : path.split(".")) {
    const inside: ts.Node | undefined = member(ts, node as ts.Expression, segment);
    if (inside === undefined) break;
    node = inside;
  }
  if (unknown === undefined) return { node, path, text };
  const literal = bare(ts, node as ts.Expression);
  const named = ts.isObjectLiteralExpression(literal)
    ? literal.properties.find(
        ({ name }) => name !== undefined && unknown.names.includes(propertyName(ts, name) ?? ""),
      )
    : undefined;
  const meant = unknown.names.flatMap((name) => nearest(name, unknown.candidates));
  return { node: named?.name ?? node, path, text, meant: [...new Set(meant)].slice(0, 3), extra: true };
}

function member(ts: CellProgram["ts"], node: ts.Expression, segment: string): ts.Expression | undefined {
  const literal = bare(ts, node);
  if (ts.isArrayLiteralExpression(literal)) return literal.elements[Number(segment)];
  if (!ts.isObjectLiteralExpression(literal)) return undefined;
  const property = literal.properties.findLast(
    ({ name }) => name !== undefined && propertyName(ts, name) === segment,
  );
  return property !== undefined && ts.isPropertyAssignment(property) ? property.initializer : undefined;
}
