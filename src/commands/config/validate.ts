import type { Command } from "commander";
import { type Finding, findings } from "../../config/change.js";
import { statePaths } from "../../config/paths.js";
import { EXIT } from "../../errors.js";
import { type CommandContext, examples } from "../command.js";

export function configure(command: Command, { reporter, env, exitWith }: CommandContext): void {
  command
    .argument("[file]", "another file than the configured one")
    .option("--strict", "fail on warnings too")
    .option("--json", "print one JSON document")
    .action(async (file: string | undefined, options: { strict?: boolean }) => {
      const { resolve } = await import("node:path");
      const path = file === undefined ? statePaths(env).configFile : resolve(file);
      const { exists, found } = await findings(path, { mustExist: file !== undefined });
      const errors = found.filter((finding) => finding.severity === "error");
      const valid = errors.length === 0 && (options.strict !== true || found.length === 0);
      for (const finding of found) reporter.print(line(path, finding));
      if (found.length === 0)
        reporter.print(exists ? `${path} is valid` : `${path} does not exist; defaults hold`);
      reporter.document({
        valid,
        path,
        exists,
        errors: errors.map(({ message }) => message),
        findings: found,
      });
      if (!valid) exitWith(EXIT.failed);
    });
  examples(command, ["openclaw config validate", "openclaw config validate ./openclaw.json --strict --json"]);
}

function line(path: string, { line, column, severity, message }: Finding): string {
  return `${path}:${line}:${column}: ${severity}: ${message}`;
}
