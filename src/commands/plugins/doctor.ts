import type { Command } from "commander";
import { loadConfig, type OpenClawConfig } from "../../config/config.js";
import { statePaths } from "../../config/paths.js";
import { CommandFailure, EXIT } from "../../errors.js";
import { type DoctorCheck, diagnose } from "../../plugin/install/doctor.js";
import { escapeUntrustedLine } from "../../ui/escape.js";
import { type CommandContext, examples } from "../command.js";

/** A broken configuration is a finding here, not the end. */
async function readConfig(
  paths: ReturnType<typeof statePaths>,
): Promise<{ config: OpenClawConfig; check: DoctorCheck }> {
  const name = "configuration";
  try {
    const { config, exists, warnings, path } = await loadConfig(paths);
    if (warnings.length > 0)
      return { config, check: { name, status: "warning", message: warnings.join("; ") } };
    return {
      config,
      check: { name, status: "ok", message: exists ? path : `${path} does not exist; defaults apply` },
    };
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const fix = "correct the file; `openclaw config validate` lists every problem";
    return { config: {}, check: { name, status: "error", message: error.message, fix } };
  }
}

export function configure(command: Command, { reporter, env, exitWith }: CommandContext): void {
  command
    .option("--fix", "repair what can be repaired without losing anything")
    .option("--json", "print one JSON document")
    .action(async (options: { fix?: boolean }) => {
      const paths = statePaths(env);
      const { config, check } = await readConfig(paths);
      const report = await diagnose({ paths, config, fix: options.fix === true });
      const checks = [check, ...report.checks];
      const ok = report.ok && check.status !== "error";
      reporter.document({ ...report, ok, checks });
      const { green, yellow, red, bold } = reporter.paint;
      const marks = {
        ok: green("ok"),
        warning: yellow("warning"),
        error: red("error"),
        fixed: green("fixed"),
      };
      for (const { name, status, message, fix } of checks) {
        reporter.print(
          `${marks[status]}  ${bold(escapeUntrustedLine(name))}: ${escapeUntrustedLine(message)}`,
        );
        if (fix !== undefined) reporter.print(`    fix: ${escapeUntrustedLine(fix)}`);
      }
      const bad = checks.filter(({ status }) => status === "error").length;
      reporter.print(ok ? "\nNo errors." : `\n${bad} ${bad === 1 ? "error" : "errors"}.`);
      if (!ok) exitWith(EXIT.failed);
    });
  examples(command, ["openclaw plugins doctor", "openclaw plugins doctor --fix"]);
}
