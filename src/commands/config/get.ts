import type { Command } from "commander";
import { loadConfig } from "../../config/config.js";
import { valueAt } from "../../config/document.js";
import { parseConfigPath } from "../../config/path.js";
import { statePaths } from "../../config/paths.js";
import { CommandFailure } from "../../errors.js";
import { nearest } from "../../text/nearest.js";
import { escapeUntrusted } from "../../ui/escape.js";
import { type CommandContext, examples } from "../command.js";

export function configure(command: Command, { reporter, env }: CommandContext): void {
  command
    .argument("[path]", "for example tools.codeMode or agents.list[0].id; without it the whole file")
    .option("--json", "print the value as JSON")
    .action(async (path: string | undefined) => {
      const keys = path === undefined ? [] : parseConfigPath(path);
      const loaded = await loadConfig(statePaths(env));
      for (const warning of loaded.warnings) reporter.warn(warning);
      const value = valueAt(loaded.config, keys);
      if (value === undefined) {
        const parent = valueAt(loaded.config, keys.slice(0, -1));
        const siblings = typeof parent === "object" && parent !== null ? Object.keys(parent) : [];
        const [close] = nearest(String(keys.at(-1)), siblings);
        throw new CommandFailure("config_not_set", `${path} is not set in ${loaded.path}`, {
          ...(close === undefined ? {} : { hint: `There is \`${close}\` beside it.` }),
        });
      }
      reporter.document(value);
      reporter.print(escapeUntrusted(typeof value === "string" ? value : JSON.stringify(value, null, 2)));
    });
  examples(command, ["openclaw config get tools.codeMode", "openclaw config get mcp.servers --json"]);
}
