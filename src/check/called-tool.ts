import type ts from "typescript";
import { findLegacy } from "../catalog/legacy.js";
import { type Catalog, type CatalogEntry, CatalogInputError, type McpMember } from "../catalog/types.js";
import { DECLARED } from "./declarations.js";
import type { CellProgram } from "./program.js";

/** The tool a call expression reaches, and where its input stands among the arguments. */
export interface CalledTool {
  entry: CatalogEntry;
  member?: McpMember;
  inputIndex: 0 | 1;
}

/** The tool that a call runs, by the declaration it resolves to; nothing for any other call. */
export function calledTool(
  program: CellProgram,
  catalog: Catalog,
  call: ts.CallExpression,
): CalledTool | { problem: string } | undefined {
  const declaration = program.checker.getResolvedSignature(call)?.declaration;
  const path = declaration === undefined ? undefined : declaredPath(declaration);
  if (declaration === undefined || path === undefined) return undefined;
  if (path.startsWith("tools/")) {
    const entry = catalog.entries.find(({ apiPath }) => apiPath === path);
    return entry && { entry, inputIndex: 0 };
  }
  if (path.startsWith("mcp/")) return mcpTool(program, catalog, declaration);
  return path === "guest-globals.d.ts" ? byReference(program, catalog, call, declaration) : undefined;
}

/** The virtual path of the file a declaration stands in, when it declares something for the cell. */
export function declaredPath(declaration: ts.Node): string | undefined {
  const { fileName } = declaration.getSourceFile();
  return fileName.startsWith(DECLARED) ? fileName.slice(DECLARED.length) : undefined;
}

function mcpTool({ ts }: CellProgram, catalog: Catalog, declaration: ts.Node): CalledTool | undefined {
  const path: string[] = [];
  for (let node: ts.Node | undefined = declaration; node !== undefined; node = node.parent) {
    if ((ts.isFunctionDeclaration(node) || ts.isModuleDeclaration(node)) && node.name !== undefined) {
      path.unshift(node.name.text);
    }
  }
  const [, server, ...method] = path;
  const members = catalog.namespaces.find(({ identifier }) => identifier === server)?.members;
  const member = members?.find((one) => one.path.join(".") === method.join("."));
  const entry = member && catalog.byId(member.entryId);
  return entry && member && { entry, member, inputIndex: 0 };
}

/** `tools.callValue("id", input)` and its siblings, when the tool is named by a literal. */
function byReference(
  { ts }: CellProgram,
  catalog: Catalog,
  call: ts.CallExpression,
  declaration: ts.Node,
): CalledTool | { problem: string } | undefined {
  const [reference] = call.arguments;
  const method = ts.isMethodSignature(declaration) ? declaration.name.getText() : "";
  const ofTools =
    ts.isInterfaceDeclaration(declaration.parent) && declaration.parent.name.text === "CellTools";
  if (!ofTools || !["call", "callValue", "describe"].includes(method)) return undefined;
  if (reference === undefined || !ts.isStringLiteralLike(reference)) return undefined;
  try {
    const entry = findLegacy(catalog, reference.text);
    return method === "describe" ? undefined : { entry, inputIndex: 1 };
  } catch (error) {
    return error instanceof CatalogInputError ? { problem: error.message } : undefined;
  }
}
