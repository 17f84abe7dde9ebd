import type { CellOutput } from "../types.js";

/**
 * The output of all legs of one cell as one list, in order. A marker stands for all output of the cell
 * up to its leg, so it replaces everything before it.
 */
export function mergeLegs(legs: readonly (readonly CellOutput[])[]): CellOutput[] {
  let merged: CellOutput[] = [];
  for (const leg of legs) {
    const summarised = leg.length === 1 && "truncated" in leg[0]!;
    merged = summarised ? [...leg] : [...merged, ...leg];
  }
  return merged;
}
