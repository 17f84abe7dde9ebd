import type { Command } from "commander";
import { loadConfig } from "../../config/config.js";
import { statePaths } from "../../config/paths.js";
import { planUninstall, type UninstallPlan, uninstallPlugin } from "../../plugin/install/uninstall.js";
import { discoverPlugins } from "../../plugin/load/discover.js";
import { findPlugin } from "../../plugin/load/find.js";
import { escapeUntrustedLine } from "../../ui/escape.js";
import { type CommandContext, examples } from "../command.js";

function describe(plan: UninstallPlan): string {
  return [
    ...(plan.record ? ["install record"] : []),
    ...(plan.folder === undefined ? [] : [`folder ${plan.folder}`]),
  ].join(", ");
}

export function configure(command: Command, { reporter, env }: CommandContext): void {
  command
    .argument("<id>", "id of the plugin")
    .option("--dry-run", "say what would be removed and change nothing")
    .option("--json", "print one JSON document")
    .action(async (id: string, options: { dryRun?: boolean }) => {
      const paths = statePaths(env);
      const { config } = await loadConfig(paths);
      const plugin = findPlugin(await discoverPlugins({ paths, config }), id);
      const plan = await planUninstall(plugin, paths);
      const removed = escapeUntrustedLine(describe(plan));
      const kept: string[] = [];
      if (plan.linkedFolder !== undefined) kept.push(`the linked folder ${plan.linkedFolder}`);
      const entries = config.plugins?.entries;
      if (entries !== undefined && Object.hasOwn(entries, id)) {
        kept.push(`its settings, plugins.entries.${id} in ${paths.configFile}`);
      }
      if (options.dryRun !== true) await uninstallPlugin(plan, paths);
      reporter.print(
        options.dryRun
          ? `Would uninstall ${escapeUntrustedLine(id)}. Would remove: ${removed}. Dry run, nothing was changed.`
          : `Uninstalled plugin: ${escapeUntrustedLine(id)}. Removed: ${removed}.`,
      );
      if (kept.length > 0) reporter.print(`Kept: ${escapeUntrustedLine(kept.join("; "))}.`);
      reporter.document({ ok: true, id, dryRun: options.dryRun === true, removed: plan, kept });
    });
  examples(command, [
    "openclaw plugins uninstall stock-quotes --dry-run",
    "openclaw plugins uninstall stock-quotes",
  ]);
}
