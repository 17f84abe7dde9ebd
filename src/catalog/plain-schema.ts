import { snapshot } from "../schema/snapshot.js";

/** Values a shown schema may have once shared parts are written out at each place they are used. */
const MOST_WRITTEN_VALUES = 50_000;

/**
 * A schema as plain JSON, ready to be sent into a cell. One that would be enormous as text is replaced by
 * a permissive schema that says so: parts a plugin shares between places multiply when written out.
 */
export function plainSchema(schema: unknown): unknown {
  const { value, tooLarge } = snapshot(schema);
  if (!tooLarge && writtenValues(value) <= MOST_WRITTEN_VALUES) return value;
  return { $comment: "This schema is too large to be shown. Calls are checked against the whole of it." };
}

/** How many values `root` has as text; each shared part is counted once and multiplied. Iterative. */
function writtenValues(root: unknown): number {
  const sizes = new Map<object, number>();
  const stack = [root];
  while (stack.length > 0) {
    const value = stack.at(-1);
    if (typeof value !== "object" || value === null || sizes.has(value)) {
      stack.pop();
      continue;
    }
    const members = Object.values(value);
    const missing = members.filter(
      (member) => typeof member === "object" && member !== null && !sizes.has(member),
    );
    if (missing.length === 0) {
      stack.pop();
      sizes.set(
        value,
        members.reduce((sum: number, member) => sum + (sizes.get(member) ?? 1), 1),
      );
    } else {
      for (const member of missing) stack.push(member);
    }
  }
  return typeof root === "object" && root !== null ? sizes.get(root)! : 1;
}
