import type { Command } from "commander";
import { loadConfig } from "../../config/config.js";
import { statePaths } from "../../config/paths.js";
import { EXIT } from "../../errors.js";
import { discoverPlugins } from "../../plugin/load/discover.js";
import { findPlugin } from "../../plugin/load/find.js";
import { type InstallRecord, readRecords } from "../../plugin/load/records.js";
import {
  coldView,
  declaredTools,
  loadedView,
  type PluginView,
  registeredTools,
  type ToolView,
} from "../../plugin/load/view.js";
import type { PluginDiagnostic } from "../../plugin/types.js";
import { escapeUntrusted, escapeUntrustedLine } from "../../ui/escape.js";
import type { Reporter } from "../../ui/reporter.js";
import { type CommandContext, examples } from "../command.js";

interface Inspection {
  plugin: PluginView;
  tools: ToolView[];
  /** Everything `register` registered, by kind; only after an import. */
  registrations?: Record<string, number>;
  diagnostics: PluginDiagnostic[];
  install?: InstallRecord;
}

const STATES: Readonly<Record<ToolView["state"], string>> = {
  usable: "declared",
  undeclared: "undeclared, dropped",
  optional: "optional, not allowed",
  conflict: "name taken, dropped",
  unmade: "made by a factory",
  failed: "factory failed",
  declared: "declared",
  missing: "declared, not registered",
};

function toolLines(tool: ToolView): string[] {
  const optional = tool.optional && tool.state !== "optional" ? ", optional" : "";
  const state = tool.state === "usable" && !tool.declared ? "undeclared" : STATES[tool.state];
  const lines = [
    `  ${tool.names.join(", ")} (${state}${optional})${tool.label === undefined || tool.label === tool.names[0] ? "" : `: ${tool.label}`}`,
  ];
  if (tool.description) lines.push(`    ${tool.description.split("\n")[0]}`);
  if (tool.input !== undefined) lines.push(`    ${tool.input} -> ${tool.output ?? "?"}`);
  return lines.map(escapeUntrustedLine);
}

function render(
  reporter: Reporter,
  { plugin, tools, registrations, diagnostics, install }: Inspection,
): void {
  const { bold, red, yellow } = reporter.paint;
  const line = (label: string, value: string | undefined): void => {
    if (value !== undefined && value !== "") reporter.print(`${label}: ${escapeUntrustedLine(value)}`);
  };
  reporter.print(bold(escapeUntrustedLine(plugin.name)));
  line("id", plugin.id);
  if (plugin.description !== undefined) reporter.print(escapeUntrusted(plugin.description));
  reporter.print("");
  const basis = plugin.basis === "imported" ? "by importing it" : "by its manifest, nothing was imported";
  reporter.print(`Status: ${plugin.status === "error" ? red("error") : plugin.status} (${basis})`);
  if (!plugin.enabled)
    reporter.print(`Enabled: no (openclaw plugins enable ${escapeUntrustedLine(plugin.id)})`);
  line("Failure phase", plugin.failurePhase);
  line("Error", plugin.error);
  line("Version", plugin.version);
  line("Package", plugin.packageName);
  line("Source", plugin.source);
  line("Origin", plugin.origin);
  line("Folder", plugin.rootDir);
  if (tools.length > 0) {
    reporter.print("\nTools:");
    for (const tool of tools) reporter.print(toolLines(tool).join("\n"));
    if (registrations === undefined) reporter.print("  (--runtime imports the plugin and shows their hints)");
    else if (tools.some(({ state }) => state === "unmade")) {
      reporter.print("  (factories are not run here; `openclaw catalog` shows what they make)");
    }
  }
  const others = Object.entries(registrations ?? {}).filter(([kind]) => kind !== "tool");
  if (others.length > 0) {
    reporter.print(
      `\nOther registrations: ${escapeUntrustedLine(others.map(([kind, count]) => `${kind} ${count}`).join(", "))}`,
    );
  }
  if (diagnostics.length > 0) {
    reporter.print("\nDiagnostics:");
    for (const { level, message, fix } of diagnostics) {
      const name = level === "error" ? red("ERROR") : level === "warning" ? yellow("WARNING") : "INFO";
      reporter.print(`  ${name}: ${escapeUntrusted(message)}`);
      if (fix !== undefined) reporter.print(`    fix: ${escapeUntrusted(fix)}`);
    }
  }
  if (install !== undefined) {
    reporter.print("\nInstall:");
    line("  Spec", install.spec);
    line("  Source path", install.sourcePath);
    line("  Resolved", install.resolvedSpec);
    line("  Install path", install.installPath);
    line("  Recorded version", install.version);
    line("  Integrity", install.integrity);
    line("  Installed at", install.installedAt);
  }
}

export function configure(command: Command, { reporter, env, exitWith }: CommandContext): void {
  command
    .argument("<id>", "id of the plugin, as `openclaw plugins list` shows it")
    .option("--runtime", "import the plugin, register it and show its tools with their hints")
    .option("--json", "print one JSON document")
    .action(async (id: string, options: { runtime?: boolean }) => {
      const paths = statePaths(env);
      const { config, warnings } = await loadConfig(paths);
      for (const warning of warnings) reporter.warn(warning);
      const [plugins, records] = await Promise.all([discoverPlugins({ paths, config }), readRecords(paths)]);
      const found = findPlugin(plugins, id);
      const install = records.installs[found.id];
      const common = install === undefined ? {} : { install };
      let inspection: Inspection;
      if (options.runtime) {
        const { loadPlugin } = await import("../../plugin/load/load-plugin.js");
        const loaded = await loadPlugin(found, { config, factories: "unnamed", stateDir: paths.stateDir });
        inspection = {
          plugin: loadedView(loaded, install),
          tools: await registeredTools(loaded),
          registrations: loaded.registrations,
          diagnostics: loaded.diagnostics,
          ...common,
        };
      } else {
        inspection = {
          plugin: coldView(found, install),
          tools: declaredTools(found),
          diagnostics: found.diagnostics,
          ...common,
        };
      }
      reporter.document(inspection);
      if (!reporter.json) render(reporter, inspection);
      if (inspection.plugin.status === "error") exitWith(EXIT.failed);
    });
  examples(command, [
    "openclaw plugins inspect stock-quotes",
    "openclaw plugins inspect stock-quotes --runtime --json",
  ]);
}
