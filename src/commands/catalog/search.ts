import type { Command } from "commander";
import { UsageFailure } from "../../errors.js";
import { type CommandContext, examples } from "../command.js";
import { toolOptions } from "../tool-flags.js";
import { entryDocument } from "./entry.js";
import { type CatalogFlags, withCatalog } from "./load.js";
import { toolTable } from "./tool-table.js";

interface SearchFlags extends CatalogFlags {
  limit?: string;
}

export function configure(command: Command, context: CommandContext): void {
  const { reporter } = context;
  toolOptions(command.argument("<query...>", "a task in plain words, or the name of a tool"))
    .option("--limit <n>", "how many results at most (default: searchDefaultLimit)")
    .option("--json", "print one JSON document")
    .action(async (words: string[], flags: SearchFlags) => {
      const limit = flags.limit === undefined ? {} : { limit: limitOf(flags.limit) };
      await withCatalog(flags, context, ({ catalog }) => {
        const found = catalog.search(words.join(" "), limit);
        reporter.document({ results: found.map(entryDocument) });
        if (reporter.json) return;
        if (found.length === 0)
          reporter.note("No tool matches. Describe the task in other words, or run `openclaw catalog`.");
        else
          reporter.print(
            toolTable(found, process.stdout.isTTY === true ? process.stdout.columns : undefined),
          );
      });
    });
  examples(command, [
    'openclaw catalog search "send a message"',
    "openclaw catalog search shipping_list --limit 3 --json",
  ]);
}

function limitOf(flag: string): number {
  const limit = /^\d+$/.test(flag) ? Number(flag) : 0;
  if (limit > 0) return limit;
  throw new UsageFailure(`--limit ${flag}: give a whole number above 0`, "For example --limit 5.");
}
