import { type BudgetReport, budgetReport, type ToolCost } from "../../catalog/budget.js";
import type { CatalogEntry } from "../../catalog/types.js";
import { cheapestHintEdits, hintCosts } from "../../schema/hint-edits.js";
import { isObject } from "../../schema/keywords.js";
import { snapshot } from "../../schema/snapshot.js";
import { escapeUntrustedLine } from "../../ui/escape.js";
import { renderTable } from "../../ui/table.js";
import type { CommandContext } from "../command.js";
import { originOf } from "./entry.js";
import type { LoadedCatalog } from "./load.js";

/** Fields named of a tool that is left out. */
const MOST_FIELDS = 3;

/** What would show a tool's output in the index. */
interface Repair {
  /** Smallest edits of the output schema, in its own order. */
  edits: { path: string; edit: string }[];
  /** The hint they would give; absent when something else is in the way. */
  hint?: string;
  /** What no small edit helps against. */
  blockers: { path: string; why: string }[];
}

/** `--budget`: what fits into an index of `budget` characters, what each tool costs, and what would help. */
export function reportBudget(
  { catalog, diagnostics }: LoadedCatalog,
  budget: number,
  { reporter }: CommandContext,
): void {
  const report = budgetReport(catalog.entries, budget);
  const repairs = new Map(report.tools.map((cost) => [cost, repairOf(cost)]));
  reporter.document({
    budget,
    characters: report.index.length,
    whole: report.whole,
    index: report.index,
    tools: report.tools.map((cost) => document(cost, repairs.get(cost))),
    diagnostics,
  });
  if (reporter.json) return;
  reporter.print(summary(report));
  if (report.tools.length === 0) return;
  reporter.print(
    renderTable(
      ["Tool", "From", "Characters", "Listed", "Output"],
      report.tools.map(({ entry, characters, listed }) => [
        entry.callableName,
        originOf(entry),
        String(characters).padStart(10),
        listed ? "yes" : "no",
        entry.output === undefined ? "?" : "declared",
      ]),
    ),
  );
  const lines = report.tools.flatMap((cost) => advice(cost, repairs.get(cost)));
  if (lines.length > 0) reporter.print(`\n${lines.join("\n")}`);
}

function summary({ budget, index, whole, tools }: BudgetReport): string {
  const left = tools.filter(({ listed }) => !listed).length;
  if (tools.length === 0) return "The index is empty: a cell would see no native or client tools.";
  const used = `The index takes ${index.length} of ${budget} characters`;
  return left === 0
    ? `${used} and lists every tool.`
    : `${used}; ${left} of ${tools.length} tools are left out (all of them take ${whole}).`;
}

function repairOf({ entry }: ToolCost): Repair | undefined {
  if (entry.source !== "openclaw" || entry.output !== undefined || !entry.tool.outputSchema) return undefined;
  const { edits, hint, blockers } = cheapestHintEdits(entry.tool.outputSchema);
  return {
    edits,
    ...(hint === undefined ? {} : { hint }),
    blockers: blockers.map(({ path, why }) => ({ path, why })),
  };
}

function document(cost: ToolCost, repair: Repair | undefined): Record<string, unknown> {
  const { entry, characters, listed } = cost;
  return {
    callableName: entry.callableName,
    owner: entry.tool.owner,
    characters,
    listed,
    input: entry.input,
    ...(entry.output === undefined ? {} : { output: entry.output }),
    ...(repair === undefined ? {} : { repair }),
  };
}

function heaviestFields({ callableName, tool }: CatalogEntry): string[] {
  const costs = [tool.parameters, itemsOf(tool.outputSchema)]
    .flatMap(hintCosts)
    .sort((a, b) => b.characters - a.characters)
    .slice(0, MOST_FIELDS)
    .map(({ name, characters }) => `${escapeUntrustedLine(name)} ${characters}`);
  return costs.length === 0 ? [] : [`${callableName}: left out; its longest fields: ${costs.join(", ")}`];
}

/** The schema whose fields a reader thinks of: the items of a list, else the schema itself. */
function itemsOf(schema: unknown): unknown {
  const { value } = snapshot(schema);
  return isObject(value) && isObject(value.items) ? value.items : value;
}

/** How to get a tool, or its output, into the index: a few lines. */
function advice({ entry, listed }: ToolCost, repair: Repair | undefined): string[] {
  if (entry.source !== "openclaw") return [];
  if (entry.output !== undefined) return listed ? [] : heaviestFields(entry);
  if (repair === undefined) {
    return [`${entry.callableName}: no outputSchema; declare one and its output appears instead of "?"`];
  }
  const lines = repair.edits.map(
    ({ path, edit }) => `  at ${escapeUntrustedLine(path)}: ${escapeUntrustedLine(edit)}`,
  );
  const end =
    repair.hint === undefined
      ? repair.blockers.map(
          ({ path, why }) => `  in the way at ${escapeUntrustedLine(path)}: ${escapeUntrustedLine(why)}`,
        )
      : [`  then: -> ${escapeUntrustedLine(repair.hint)}`];
  return [`${entry.callableName}: its output schema gives no hint`, ...lines, ...end];
}
