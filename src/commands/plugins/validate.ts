import type { Command } from "commander";
import { EXIT } from "../../errors.js";
import { checkPlugin } from "../../plugin/author/check-plugin.js";
import { tracePhase } from "../../plugin-events.js";
import { escapeUntrustedLine } from "../../ui/escape.js";
import { type CommandContext, examples } from "../command.js";
import { printFindings } from "./findings.js";

interface Options {
  root?: string;
  entry?: string;
  strict?: boolean;
  json?: boolean;
}

export function configure(command: Command, context: CommandContext): void {
  command
    .description(
      "Check a plugin's manifest, entry, tools and package.json, and say how to mend what is wrong",
    )
    .option("--root <path>", "the plugin's folder (default: the current one)")
    .option("--entry <path>", "the built entry (default: the first of openclaw.extensions in package.json)")
    .option("--strict", "let warnings fail too")
    .option("--json", "print one JSON document: valid, pluginId, errors, findings")
    .action((options: Options) => validate(options, context));
  examples(command, [
    "openclaw plugins validate",
    "openclaw plugins validate --entry ./dist/index.js --strict",
    "openclaw plugins validate --root ./stock-quotes --json",
  ]);
}

async function validate(options: Options, { cwd, reporter, exitWith }: CommandContext): Promise<void> {
  const check = await tracePhase("check", options.root ?? cwd, () =>
    checkPlugin({
      cwd,
      ...(options.root === undefined ? {} : { root: options.root }),
      ...(options.entry === undefined ? {} : { entry: options.entry }),
      hangDocument: ({ code, message, hint }) => ({
        valid: false,
        errors: [message],
        findings: [
          {
            code: code.replaceAll("_", "-"),
            severity: "error",
            path: options.entry ?? ".",
            message,
            fix: hint,
          },
        ],
      }),
    }),
  );
  const findings = [...check.stale, ...check.findings].sort(
    (a, b) => Number(a.severity === "warning") - Number(b.severity === "warning"),
  );
  const failing = options.strict ? findings : findings.filter(({ severity }) => severity === "error");
  const valid = failing.length === 0;
  reporter.document({
    valid,
    ...(check.pluginId === undefined ? {} : { pluginId: check.pluginId }),
    errors: failing.map(({ message }) => message),
    findings,
  });
  if (!reporter.json) {
    printFindings(reporter, findings);
    if (valid) reporter.print(`Plugin ${escapeUntrustedLine(check.pluginId ?? "")} is valid.`);
    else if (options.strict && findings.every(({ severity }) => severity === "warning")) {
      reporter.note("Warnings fail because of --strict.");
    }
  }
  if (!valid) exitWith(EXIT.failed);
}
