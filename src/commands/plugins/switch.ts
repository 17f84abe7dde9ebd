import type { Command } from "commander";
import { loadConfig, type OpenClawConfig } from "../../config/config.js";
import { editConfig } from "../../config/edit.js";
import { statePaths } from "../../config/paths.js";
import { discoverPlugins } from "../../plugin/load/discover.js";
import { findPlugin } from "../../plugin/load/find.js";
import { escapeUntrustedLine } from "../../ui/escape.js";
import { type CommandContext, examples } from "../command.js";

/** Settings beside `enabled` that keep a plugin from running. */
function blockers(id: string, config: OpenClawConfig): string[] {
  const plugins = config.plugins ?? {};
  return [
    ...(plugins.enabled === false ? ["plugins.enabled is false"] : []),
    ...(plugins.deny?.includes(id) ? ["plugins.deny lists it"] : []),
    ...(plugins.allow !== undefined && !plugins.allow.includes(id) ? ["plugins.allow does not list it"] : []),
  ];
}

/** `plugins enable` and `plugins disable`: one setting, edited in place. */
export function configureSwitch(command: Command, { reporter, env }: CommandContext, enabled: boolean): void {
  const verb = enabled ? "enable" : "disable";
  command
    .argument("<id>", "id of the plugin")
    .option("--json", "print one JSON document")
    .action(async (id: string) => {
      const paths = statePaths(env);
      const { config } = await loadConfig(paths);
      findPlugin(await discoverPlugins({ paths, config }), id);
      const entries = config.plugins?.entries;
      const before = entries !== undefined && Object.hasOwn(entries, id) ? entries[id]?.enabled : undefined;
      // An absent setting already means enabled: nothing needs writing.
      const changed =
        (before ?? true) !== enabled &&
        (await editConfig(paths.configFile, [
          { path: ["plugins", "entries", id, "enabled"], value: enabled },
        ]));
      const name = escapeUntrustedLine(id);
      reporter.print(
        changed ? `${enabled ? "Enabled" : "Disabled"} plugin: ${name}` : `${name} is already ${verb}d`,
      );
      const blocked = enabled ? blockers(id, config) : [];
      for (const reason of blocked)
        reporter.warn(`${id} still does not run: ${reason} in ${paths.configFile}`);
      reporter.document({ ok: true, id, enabled: enabled && blocked.length === 0, changed, blocked });
    });
  examples(command, [`openclaw plugins ${verb} stock-quotes`]);
}
