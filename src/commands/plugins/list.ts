import type { Command } from "commander";
import { loadConfig } from "../../config/config.js";
import { statePaths } from "../../config/paths.js";
import { discoverPlugins } from "../../plugin/load/discover.js";
import { readRecords } from "../../plugin/load/records.js";
import { coldView, type PluginView, withId } from "../../plugin/load/view.js";
import { renderTable } from "../../ui/table.js";
import { type CommandContext, examples } from "../command.js";

function row(view: PluginView): string[] {
  return [
    view.name,
    view.id,
    view.status,
    view.version ?? "-",
    view.source,
    String(view.toolNames.length),
    view.rootDir,
  ];
}

export function configure(command: Command, { reporter, env }: CommandContext): void {
  command
    .option("--enabled", "only plugins that may run")
    .option("--json", "print one JSON document")
    .action(async (options: { enabled?: boolean }) => {
      const paths = statePaths(env);
      const { config, warnings } = await loadConfig(paths);
      for (const warning of warnings) reporter.warn(warning);
      const [all, records] = await Promise.all([discoverPlugins({ paths, config }), readRecords(paths)]);
      const plugins = options.enabled
        ? all.filter((plugin) => plugin.enabled && plugin.error === undefined)
        : all;
      const views = plugins.map((plugin) => coldView(plugin, records.installs[plugin.id]));
      const diagnostics = plugins.flatMap((plugin) => withId(plugin.id, plugin.diagnostics));
      reporter.document({
        plugins: views,
        diagnostics: [
          ...(records.problem === undefined ? [] : [{ level: "error", message: records.problem }]),
          ...diagnostics,
        ],
      });
      if (records.problem !== undefined) reporter.warn(records.problem);
      if (reporter.json) return;
      if (views.length === 0) {
        reporter.print(all.length === 0 ? `No plugins in ${paths.stateDir}.` : "No plugin is enabled.");
        if (all.length === 0) reporter.note("Install one: openclaw plugins install ./<folder>");
        return;
      }
      const enabled = all.filter((plugin) => plugin.enabled && plugin.error === undefined).length;
      reporter.print(`Plugins (${enabled}/${all.length} enabled; read from manifests, nothing was imported)`);
      reporter.print(
        renderTable(["Name", "ID", "Status", "Version", "Source", "Tools", "Folder"], views.map(row)),
      );
      for (const view of views) {
        if (view.error !== undefined) reporter.warn(`${view.id}: ${view.error}`);
      }
      for (const { pluginId, level, message, fix } of diagnostics) {
        if (level !== "info") reporter.warn(`${pluginId}: ${message}${fix === undefined ? "" : `; ${fix}`}`);
      }
    });
  examples(command, ["openclaw plugins list", "openclaw plugins list --enabled --json"]);
}
