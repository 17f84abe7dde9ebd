import type { Command } from "commander";
import { contractDiagnostics } from "../../catalog/contract-diagnostics.js";
import { QUICK_INDEX_BUDGET, quickIndex } from "../../catalog/quick-index.js";
import { parseModelRef } from "../../config/models.js";
import { UsageFailure } from "../../errors.js";
import { nearest } from "../../text/nearest.js";
import { escapeUntrusted } from "../../ui/escape.js";
import { type CommandContext, examples } from "../command.js";
import { toolOptions } from "../tool-flags.js";
import { reportBudget } from "./budget.js";
import { entryDocument } from "./entry.js";
import { type CatalogFlags, type LoadedCatalog, withCatalog } from "./load.js";
import { reportModel } from "./model.js";
import { toolTable } from "./tool-table.js";

interface ListFlags extends CatalogFlags {
  index?: boolean;
  budget?: string;
}

export function configure(command: Command, context: CommandContext): void {
  toolOptions(command)
    .option("--index", "print the quick index as a model gets it")
    .option(
      "--budget <chars>",
      "what fits into an index of this size, what each tool costs, and what would help",
    )
    .option(
      "--model <provider/model>",
      "whether Code Mode engages for this model, and what it would be shown",
    )
    .option("--agent <id>", "under the settings and policy of this agent")
    .option("--json", "print one JSON document")
    .allowExcessArguments()
    .action(async (flags: ListFlags) => {
      if (command.args.length > 0) throw unknownSubcommand(command.args[0]!);
      const budget = flags.budget === undefined ? undefined : budgetOf(flags.budget);
      if (budget !== undefined && flags.model !== undefined) {
        throw new UsageFailure(
          "--budget and --model answer different questions",
          "Ask them one after the other.",
        );
      }
      const model = flags.model === undefined ? undefined : parseModelRef(flags.model);
      await withCatalog(flags, context, (loaded) => {
        if (flags.index) return reportIndex(loaded, budget, context);
        if (budget !== undefined) return reportBudget(loaded, budget, context);
        if (model !== undefined) return reportModel(loaded, model, flags.agent, context);
        return reportTools(loaded, context);
      });
    });
  examples(command, [
    "openclaw catalog --plugin .",
    "openclaw catalog --index",
    "openclaw catalog --budget 2000 --plugin .",
    "openclaw catalog --model anthropic/claude-opus-5",
    'openclaw catalog search "list shipments"',
    "openclaw catalog read tools/shipping_list.d.ts",
  ]);
}

function unknownSubcommand(word: string): UsageFailure {
  const [close] = nearest(word, ["search", "read"]);
  return new UsageFailure(
    `unknown command \`catalog ${word}\``,
    close === undefined
      ? "Run `openclaw catalog --help` for usage."
      : `Did you mean \`openclaw catalog ${close}\`?`,
  );
}

function budgetOf(flag: string): number {
  const budget = /^\d[\d_]*$/.test(flag) ? Number(flag.replaceAll("_", "")) : Number.NaN;
  if (Number.isSafeInteger(budget) && budget > 0) return budget;
  throw new UsageFailure(
    `--budget ${flag}: give whole characters`,
    `A model gets ${QUICK_INDEX_BUDGET}, as in --budget ${QUICK_INDEX_BUDGET}.`,
  );
}

async function reportTools(
  { catalog, tools, diagnostics }: LoadedCatalog,
  { reporter }: CommandContext,
): Promise<void> {
  const contracts = await contractDiagnostics(catalog);
  const entries = [...catalog.entries, ...catalog.mcpEntries];
  reporter.document({ tools: entries.map(entryDocument), diagnostics: [...diagnostics, ...contracts] });
  for (const { message } of contracts) reporter.warn(message);
  const direct = tools.filter(({ catalogMode }) => catalogMode === "direct-only").map(({ name }) => name);
  if (direct.length > 0) {
    reporter.note(`Only the model itself can call ${direct.join(", ")} (catalogMode "direct-only").`);
  }
  if (reporter.json) return;
  if (entries.length === 0) {
    reporter.print("A cell would see no tools.");
    reporter.note("Name a plugin with --plugin <dir>, install one, or configure MCP servers.");
    return;
  }
  reporter.print(toolTable(entries, process.stdout.isTTY === true ? process.stdout.columns : undefined));
  const characters = catalog.quickIndex().length;
  reporter.print(
    `\n${countOf(entries.length, "tool")}; quick index: ${characters} of ${QUICK_INDEX_BUDGET} characters.`,
  );
}

function reportIndex(
  { catalog }: LoadedCatalog,
  budget: number | undefined,
  { reporter }: CommandContext,
): void {
  const { text, listed, omitted } = quickIndex(catalog.entries, budget);
  reporter.document({
    index: text,
    characters: text.length,
    budget: budget ?? QUICK_INDEX_BUDGET,
    listed: listed.map(({ entry }) => entry.callableName),
    omitted: omitted.map(({ entry }) => entry.callableName),
  });
  if (text === "") reporter.note("The index is empty: there is nothing to list, or no room for it.");
  else reporter.print(escapeUntrusted(text));
}

export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
