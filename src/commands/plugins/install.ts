import type { Command } from "commander";
import { loadConfig } from "../../config/config.js";
import { statePaths } from "../../config/paths.js";
import { installPlugin } from "../../plugin/install/install.js";
import type { InstallResult } from "../../plugin/install/install-options.js";
import { shellWord } from "../../text/shell-word.js";
import { escapeUntrustedLine } from "../../ui/escape.js";
import { type Progress, startProgress } from "../../ui/progress.js";
import { type CommandContext, examples } from "../command.js";

/** A yes or no on the terminal; Ctrl-C and the end of input mean no. */
async function ask(question: string): Promise<boolean> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<boolean>((resolve) => {
      lines.once("close", () => {
        process.stderr.write("\n");
        resolve(false);
      });
      lines.question(`${question} [y/N] `).then(
        (answer) => {
          lines.removeAllListeners("close");
          resolve(/^y(es)?$/i.test(answer.trim()));
        },
        () => resolve(false),
      );
    });
  } finally {
    lines.close();
  }
}

function replacedText({ replaced, version }: InstallResult): string {
  if (replaced === undefined) return "";
  if (replaced.version === undefined) return " (replaced what was there)";
  return replaced.version === version ? " (reinstalled the same version)" : ` (replaced ${replaced.version})`;
}

export function configure(command: Command, { reporter, env, cwd, signal }: CommandContext): void {
  command
    .argument("<spec>", "folder, .tgz, npm-pack:<tgz>, npm:<package>[@version] or package name")
    .option("-l, --link", "use the folder in place instead of copying it")
    .option("--force", "install from a registry without being asked; replace an untracked folder")
    .option("--json", "print one JSON document")
    .action(async (spec: string, options: { link?: boolean; force?: boolean }) => {
      const paths = statePaths(env);
      const { config, warnings } = await loadConfig(paths);
      for (const warning of warnings) reporter.warn(warning);
      const terminal = process.stdin.isTTY === true && process.stderr.isTTY === true && !reporter.json;
      let progress: Progress | undefined = await startProgress(reporter, "Installing");
      try {
        const result = await installPlugin({
          spec,
          link: options.link === true,
          force: options.force === true,
          paths,
          config,
          cwd,
          signal,
          canConsent: options.force === true || terminal,
          consent: async ({ name, version }) => {
            if (options.force === true) return true;
            progress?.done(`Found ${name}@${version}`);
            const text = `Install ${name}@${version} from the npm registry? Its code runs with your permissions.`;
            const agreed = await ask(text);
            progress = agreed ? await startProgress(reporter, "Installing") : undefined;
            return agreed;
          },
          onProgress: (text) => progress?.update(escapeUntrustedLine(text)),
        });
        progress?.done("Checked and in place");
        for (const warning of result.warnings) reporter.warn(warning);
        const { id, version, rootDir, source } = result;
        const what = escapeUntrustedLine(version === undefined ? id : `${id} ${version}`);
        const verb = source === "link" ? "Linked" : "Installed";
        reporter.print(`${verb} plugin: ${what}${replacedText(result)}`);
        reporter.print(`  ${escapeUntrustedLine(rootDir)}`);
        reporter.print(
          `  See its tools: openclaw plugins inspect ${escapeUntrustedLine(shellWord(id))} --runtime`,
        );
        reporter.document({ ok: true, ...result });
      } catch (error) {
        progress?.fail();
        throw error;
      }
    });
  examples(command, [
    "openclaw plugins install ./stock-quotes",
    "openclaw plugins install --link ./stock-quotes",
    "openclaw plugins install npm-pack:./openclaw-plugin-stock-quotes-0.1.0.tgz",
    "openclaw plugins install npm:@acme/stock-quotes@^1.2.0 --force",
  ]);
}
