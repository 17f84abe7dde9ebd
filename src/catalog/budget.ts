import { type IndexLine, quickIndex } from "./quick-index.js";
import type { CatalogEntry } from "./types.js";

/** What one tool takes of an index. */
export interface ToolCost {
  entry: CatalogEntry;
  /** Characters of its line, the line feed included. */
  characters: number;
  listed: boolean;
}

export interface BudgetReport {
  budget: number;
  index: string;
  /** Characters an index of every tool would have. */
  whole: number;
  /** Every native and client tool in index order. */
  tools: ToolCost[];
}

/** How the index of `entries` fits into `budget` characters. */
export function budgetReport(entries: readonly CatalogEntry[], budget: number): BudgetReport {
  const all = quickIndex(entries, Number.POSITIVE_INFINITY);
  const { text, listed } = quickIndex(entries, budget);
  const kept = new Set(listed.map(({ entry }) => entry));
  return {
    budget,
    index: text,
    whole: all.text.length,
    tools: all.listed.map(({ entry, text: line }: IndexLine) => ({
      entry,
      characters: line.length + 1,
      listed: kept.has(entry),
    })),
  };
}
