import type { Command } from "commander";
import { changeConfig } from "../../config/change.js";
import { formatPath } from "../../config/document.js";
import { parseConfigPath } from "../../config/path.js";
import { statePaths } from "../../config/paths.js";
import { UsageFailure } from "../../errors.js";
import { type CommandContext, examples } from "../command.js";

export function configure(command: Command, { reporter, env }: CommandContext): void {
  command
    .argument("<path>", "for example tools.codeMode.timeoutMs")
    .argument("<value>", "JSON5; what does not parse is taken as text")
    // A value may begin with a dash; a misspelled flag is one argument too many and still refused.
    .allowUnknownOption()
    .option("--strict-json", "refuse a value that is no JSON5")
    .option("--json", "print one JSON document")
    .action(async (path: string, text: string, options: { strictJson?: boolean }) => {
      const keys = parseConfigPath(path);
      const value = await parseValue(text, options.strictJson === true);
      const { configFile } = statePaths(env);
      const { changed, warnings } = await changeConfig(configFile, keys, value);
      for (const warning of warnings) reporter.warn(warning);
      reporter.print(
        changed ? `Set ${formatPath(keys)} in ${configFile}` : `${formatPath(keys)} is already so`,
      );
      reporter.document({ ok: true, path: configFile, key: formatPath(keys), value, changed, warnings });
    });
  examples(command, [
    "openclaw config set tools.codeMode.timeoutMs 20000",
    "openclaw config set tools.deny '[\"shipping_delete\"]'",
    "openclaw config set plugins.entries.weather.config.unit celsius",
  ]);
}

async function parseValue(text: string, strict: boolean): Promise<unknown> {
  const { default: JSON5 } = await import("json5");
  try {
    const value: unknown = JSON5.parse(text);
    // NaN and Infinity are JSON5 but no JSON; as settings they would be surprises.
    if (typeof value !== "number" || Number.isFinite(value)) return value;
  } catch {
    // Text, then.
  }
  if (strict) throw new UsageFailure(`\`${text}\` is no JSON5 value`, "Text needs quotes: '\"like this\"'");
  return text;
}
