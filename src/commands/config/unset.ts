import type { Command } from "commander";
import { changeConfig } from "../../config/change.js";
import { formatPath } from "../../config/document.js";
import { parseConfigPath } from "../../config/path.js";
import { statePaths } from "../../config/paths.js";
import { type CommandContext, examples } from "../command.js";

export function configure(command: Command, { reporter, env }: CommandContext): void {
  command
    .argument("<path>", "for example plugins.entries.weather")
    .option("--json", "print one JSON document")
    .action(async (path: string) => {
      const keys = parseConfigPath(path);
      const { configFile } = statePaths(env);
      const { changed, warnings } = await changeConfig(configFile, keys, undefined);
      for (const warning of warnings) reporter.warn(warning);
      reporter.print(
        changed ? `Removed ${formatPath(keys)} from ${configFile}` : `${formatPath(keys)} is not set`,
      );
      reporter.document({ ok: true, path: configFile, key: formatPath(keys), changed, warnings });
    });
  examples(command, ["openclaw config unset tools.codeMode.timeoutMs"]);
}
