/** A node of an ESTree, JavaScript or TypeScript, of either parser. */
export interface TreeNode {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

export function isNode(value: unknown): value is TreeNode {
  return typeof value === "object" && value !== null && typeof (value as TreeNode).type === "string";
}

/** Calls `visit` for every node below `root`, parents first, without recursion: trees may be deep. */
export function walk(root: TreeNode, visit: (node: TreeNode) => void): void {
  const waiting: TreeNode[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    visit(node);
    for (const value of Object.values(node)) {
      if (isNode(value)) waiting.push(value);
      else if (Array.isArray(value)) for (const item of value) if (isNode(item)) waiting.push(item);
    }
  }
}
