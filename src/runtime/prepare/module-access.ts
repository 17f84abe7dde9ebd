import { isNode, type TreeNode, walk } from "./tree.js";
import type { SourceFault } from "./types.js";

/** The start of every refusal of a module loader, also of one that shows only when the cell runs. */
export const MODULE_ACCESS_REFUSAL = "module access is disabled";

/** Whether `source` holds a word that may load a module, so that a tree has to decide. */
export function mayTouchModules(source: string): boolean {
  return /import|require|export|\\u/.test(source);
}

/**
 * The first place at which a tree loads a module or exports something: `import` in every form,
 * `require(...)` however it is written, `export`. `export default` of a function, an empty `export {}`
 * and the exports of a TypeScript namespace are let pass.
 */
export function findModuleAccess(tree: TreeNode): SourceFault | undefined {
  let first: SourceFault | undefined;
  const ofNamespaces = new Set<TreeNode>();
  walk(tree, (node) => {
    if (node.type === "TSModuleBlock") for (const member of node.body as TreeNode[]) ofNamespaces.add(member);
    const fault = ofNamespaces.has(node) && isNode(node.declaration) ? undefined : accessOf(node);
    if (fault !== undefined && (first === undefined || node.start < first.offset)) {
      first = { offset: node.start, ...fault };
    }
  });
  return first;
}

type Access = Omit<SourceFault, "offset">;

function accessOf(node: TreeNode): Access | undefined {
  switch (node.type) {
    case "ImportDeclaration":
      return disabled("import");
    case "ImportExpression":
    case "TSImportType":
      return disabled("import(...)");
    case "TSImportEqualsDeclaration":
      return isNode(node.moduleReference) && node.moduleReference.type === "TSExternalModuleReference"
        ? disabled("import")
        : undefined;
    case "MetaProperty":
      return isNode(node.meta) && node.meta.name === "import" ? disabled("import.meta") : undefined;
    case "ExportAllDeclaration":
    case "TSExportAssignment":
    case "TSNamespaceExportDeclaration":
      return EXPORT;
    case "ExportNamedDeclaration":
      return isEmptyExport(node) ? undefined : EXPORT;
    case "ExportDefaultDeclaration":
      return isNode(node.declaration) && isFunction(node.declaration)
        ? undefined
        : { ...EXPORT, text: "only a function can be the default export of a cell" };
    case "CallExpression":
      return isNode(node.callee) && callsRequire(node.callee) ? disabled("require(...)") : undefined;
    default:
      return undefined;
  }
}

const EXPORT: Access = { text: "a cell exports nothing", advice: "return the value instead" };

function disabled(form: string): Access {
  return {
    text: `${MODULE_ACCESS_REFUSAL} in a cell, and \`${form}\` asks for it`,
    advice: "call the tools of the catalog instead",
  };
}

/** `export {}`: no names, no source. Editors need it to accept `await` at the top level. */
export function isEmptyExport(node: TreeNode): boolean {
  return (
    node.type === "ExportNamedDeclaration" &&
    !isNode(node.declaration) &&
    !isNode(node.source) &&
    Array.isArray(node.specifiers) &&
    node.specifiers.length === 0
  );
}

export function isFunction(node: TreeNode): boolean {
  return ["ArrowFunctionExpression", "FunctionExpression", "FunctionDeclaration"].includes(node.type);
}

/** Whether a callee comes down to the plain name `require`. */
function callsRequire(callee: TreeNode): boolean {
  let node: unknown = callee;
  while (isNode(node)) {
    switch (node.type) {
      case "Identifier":
        return node.name === "require";
      case "SequenceExpression":
        node = (node.expressions as TreeNode[]).at(-1);
        break;
      case "ParenthesizedExpression":
      case "ChainExpression":
      case "TSAsExpression":
      case "TSSatisfiesExpression":
      case "TSNonNullExpression":
      case "TSTypeAssertion":
      case "TSInstantiationExpression":
        node = node.expression;
        break;
      default:
        return false;
    }
  }
  return false;
}
