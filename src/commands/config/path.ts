import type { Command } from "commander";
import { statePaths } from "../../config/paths.js";
import { type CommandContext, examples } from "../command.js";

export function configure(command: Command, { reporter, env }: CommandContext): void {
  command.option("--json", "print one JSON document").action(async () => {
    const { existsSync } = await import("node:fs");
    const path = statePaths(env).configFile;
    reporter.print(path);
    reporter.document({ path, exists: existsSync(path) });
  });
  examples(command, ["openclaw config path", 'cat "$(openclaw config path)"']);
}
