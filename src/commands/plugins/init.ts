import { resolve } from "node:path";
import type { Command } from "commander";
import { UsageFailure } from "../../errors.js";
import { SCAFFOLD_TYPES, type ScaffoldType, writeScaffold } from "../../plugin/author/scaffold.js";
import { titleOf } from "../../plugin/author/template-text.js";
import { toolchainSpec } from "../../plugin/author/toolchain-spec.js";
import { isPlainId, unsafeIdReason } from "../../plugin/plugin-id.js";
import { nearest } from "../../text/nearest.js";
import { shellWord } from "../../text/shell-word.js";
import { escapeUntrusted } from "../../ui/escape.js";
import { version } from "../../version.js";
import { type CommandContext, examples } from "../command.js";
import { typed } from "./findings.js";

interface Options {
  name?: string;
  directory?: string;
  type: string;
  toolchain?: string;
  force?: boolean;
  json?: boolean;
}

export function configure(command: Command, context: CommandContext): void {
  command
    .description("Create a plugin project that builds, validates and passes its tests as it is")
    .argument("<id>", "plugin id: a lower-case letter, then lower-case letters, digits or `-`")
    .option("--name <name>", "display name (default: the id in title case)")
    .option("--directory <path>", "folder to create (default: the id)")
    .option("--type <type>", "what the plugin adds: tool or provider", "tool")
    .option("--toolchain <spec>", "the `openclaw` devDependency (default: a file: path to this toolchain)")
    .option("--force", "write the starter files into an existing folder; its other files stay")
    .option("--json", "print one JSON document: id, name, directory, files")
    .action((id: string, options: Options) => init(id, options, context));
  examples(command, [
    'openclaw plugins init stock-quotes --name "Stock Quotes"',
    "openclaw plugins init acme-models --type provider --directory plugins/acme",
  ]);
}

function scaffoldType(given: string): ScaffoldType {
  const type = SCAFFOLD_TYPES.find((known) => known === given);
  if (type !== undefined) return type;
  const [close] = nearest(given, SCAFFOLD_TYPES);
  throw new UsageFailure(
    `unknown plugin type "${given}"; the types are ${SCAFFOLD_TYPES.join(" and ")}`,
    close === undefined ? undefined : `Did you mean --type ${close}?`,
  );
}

function checkedId(given: string): string {
  const id = given.trim();
  if (isPlainId(id)) return id;
  const suggestion = id
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "");
  const unsafe = /^[a-z][a-z0-9-]*$/.test(id) ? unsafeIdReason(id) : undefined;
  if (unsafe !== undefined) throw new UsageFailure(`"${given}" cannot be a plugin id: it ${unsafe}`);
  throw new UsageFailure(
    `"${given}" cannot be a plugin id: it must begin with a lower-case letter and hold only lower-case letters, digits and \`-\``,
    isPlainId(suggestion)
      ? `For example: openclaw plugins init ${suggestion}. Any display name can be given with --name.`
      : "Any display name can be given with --name.",
  );
}

function checkedName(given: string | undefined, id: string): string {
  if (given === undefined || given === "") return titleOf(id);
  const name = given.trim();
  if (name === "") throw new UsageFailure("the display name must not be blank");
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name)) {
    throw new UsageFailure("the display name must be one line without control characters");
  }
  return name;
}

async function init(given: string, options: Options, context: CommandContext): Promise<void> {
  const { cwd, reporter } = context;
  const type = scaffoldType(options.type);
  const id = checkedId(given);
  const name = checkedName(options.name, id);
  const directory = resolve(cwd, options.directory || id);
  const toolchain = options.toolchain ?? toolchainSpec(directory);
  const { files, replaced } = await writeScaffold({
    type,
    directory,
    values: { id, name, toolchain, version },
    force: options.force === true,
  });
  const shown = typed(cwd, directory);
  reporter.print(`Created ${escapeUntrusted(shown)}`);
  if (replaced.length > 0)
    reporter.note(`Replaced ${replaced.join(", ")}; other files there were left alone.`);
  const enter = shown === "." ? "" : `cd ${shellWord(shown)} && `;
  if (!reporter.json) reporter.note(`Next: ${enter}npm install && npm run plugin:validate && npm test`);
  reporter.document({ ok: true, id, name, type, directory, toolchain, files, replaced });
}
