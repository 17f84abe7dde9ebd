import type { Command } from "commander";
import { EXIT } from "../../errors.js";
import { noManifestToBuild } from "../../plugin/author/authored-entry.js";
import { checkPlugin, type PluginCheck } from "../../plugin/author/check-plugin.js";
import { hasErrors } from "../../plugin/author/finding.js";
import { describeChange } from "../../plugin/author/json-file.js";
import type { BuildPlan } from "../../plugin/author/plan-build.js";
import { writePlan } from "../../plugin/author/write-plan.js";
import { tracePhase } from "../../plugin-events.js";
import { escapeUntrusted } from "../../ui/escape.js";
import { type CommandContext, examples } from "../command.js";
import { printFindings, typed } from "./findings.js";

interface Options {
  root?: string;
  entry?: string;
  check?: boolean;
  json?: boolean;
}

export function configure(command: Command, context: CommandContext): void {
  command
    .description(
      "Write openclaw.plugin.json from the plugin's definition and align package.json with its entry",
    )
    .option("--root <path>", "the plugin's folder (default: the current one)")
    .option("--entry <path>", "the built entry (default: the first of openclaw.extensions in package.json)")
    .option("--check", "write nothing; fail and show what differs when the files are stale")
    .option("--json", "print one JSON document: what was or would be written, and the findings")
    .action((options: Options) => build(options, context));
  examples(command, [
    "openclaw plugins build --entry ./dist/index.js",
    "openclaw plugins build --entry ./dist/index.js --check",
  ]);
}

async function build(options: Options, context: CommandContext): Promise<void> {
  const { cwd, reporter } = context;
  const check = await tracePhase("check", options.root ?? cwd, () =>
    checkPlugin({
      cwd,
      ...(options.root === undefined ? {} : { root: options.root }),
      ...(options.entry === undefined ? {} : { entry: options.entry }),
    }),
  );
  if (check.handWritten && check.project !== undefined) throw noManifestToBuild(check.project.entry);
  const { plan } = check;
  // What npm would leave out is no reason not to build, and no news where the build mends it.
  const blocking = check.findings.filter(({ code }) => code !== "pack-incomplete");
  if (plan === undefined || hasErrors(blocking)) return refuse(check, context);
  if (options.check) return report(check, plan, context);
  const mendsFiles = plan.packageFile.changes.some(({ path }) => path[0] === "files");
  const findings = (mendsFiles ? blocking : check.findings).filter(({ code }) => code !== "entry-absent");
  const written = await tracePhase("write", check.pluginId, () => writePlan(plan));
  printFindings(reporter, findings);
  for (const { name, file } of written) {
    reporter.print(`${name === "package.json" ? "Updated" : "Wrote"} ${escapeUntrusted(typed(cwd, file))}`);
  }
  if (written.length === 0) reporter.print("Plugin metadata is up to date.");
  reporter.document({
    ok: true,
    pluginId: check.pluginId,
    entry: check.project?.entry,
    written: written.map(({ name }) => name),
    changes: changesOf(plan),
    findings,
  });
}

/** Nothing is written for a plugin that no host could use. */
function refuse(check: PluginCheck, { reporter, exitWith }: CommandContext): void {
  const errors = check.findings.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (reporter.json) {
    reporter.document({
      ok: false,
      error: { code: first?.code ?? "build-failed", message: first?.message ?? "the plugin cannot be built" },
      ...(check.pluginId === undefined ? {} : { pluginId: check.pluginId }),
      written: [],
      findings: check.findings,
    });
  } else {
    printFindings(reporter, check.findings);
  }
  exitWith(EXIT.failed);
}

function changesOf({ manifest, packageFile }: BuildPlan): object[] {
  return [manifest, packageFile].flatMap(({ name, changes }) =>
    changes.map(({ path, before, after }) => ({ file: name, path: path.join("."), before, after })),
  );
}

/** `--check`: the difference, field by field. */
function report(check: PluginCheck, plan: BuildPlan, { cwd, reporter, exitWith }: CommandContext): void {
  const stale = [plan.manifest, plan.packageFile].filter(({ changes }) => changes.length > 0);
  const message = "Generated plugin metadata is out of date.";
  const fix = `run \`openclaw plugins build --entry ${check.project?.entry}\``;
  reporter.document({
    ok: stale.length === 0,
    upToDate: stale.length === 0,
    ...(stale.length === 0 ? {} : { error: { code: "metadata_stale", message, hint: fix } }),
    pluginId: check.pluginId,
    entry: check.project?.entry,
    changes: changesOf(plan),
    findings: [...check.stale, ...check.findings],
  });
  if (stale.length > 0) exitWith(EXIT.failed);
  if (reporter.json) return;
  printFindings(reporter, check.findings);
  if (stale.length === 0) {
    reporter.print("Plugin metadata is up to date.");
    return;
  }
  const lines = stale.flatMap(({ file, before, changes }) => [
    `  ${typed(cwd, file)}${before === undefined ? " (absent)" : ""}`,
    ...changes.map((change) => `    ${describeChange(change)}`),
  ]);
  reporter.problem("error", [message, ...lines, `  fix: ${fix}`].join("\n"));
}
