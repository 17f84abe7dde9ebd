import { Command, CommanderError } from "commander";
import type { CommandContext } from "./commands/command.js";
import { COMMANDS, type CommandEntry, GROUPS } from "./commands/table.js";
import { debugFlags } from "./debug/flags.js";
import { CommandFailure, EXIT, messageOf, UsageFailure } from "./errors.js";
import { finish, installSignals } from "./process-end.js";
import { nearest } from "./text/nearest.js";
import { escapeUntrusted } from "./ui/escape.js";
import { colorWanted, createReporter, type Reporter } from "./ui/reporter.js";
import { version } from "./version.js";

/** Flags that may stand before the command word. */
const ROOT_FLAGS = new Set(["--no-color"]);

function isGroup(word: string | undefined): word is string {
  return word !== undefined && Object.hasOwn(GROUPS, word);
}

/** The words whose help is asked for by `help x` or, in a group, `x help y`. */
function helpRequest(words: readonly string[]): string[] | undefined {
  const [first = "", second, ...more] = words;
  if (first === "help") return words.slice(1);
  return isGroup(first) && second === "help" ? [first, ...more] : undefined;
}

function selectEntry(words: readonly string[]): CommandEntry | undefined {
  const matches = (entry: CommandEntry): boolean =>
    entry.path.every((part, index) => {
      const last = index === entry.path.length - 1;
      return words[index] === part || (last && (entry.aliases ?? []).includes(words[index] ?? ""));
    });
  return COMMANDS.filter(matches).sort((a, b) => b.path.length - a.path.length)[0];
}

function buildProgram(selected: CommandEntry | undefined): { program: Command; leaf: Command | undefined } {
  const program = new Command("openclaw")
    .description("Build, check and install OpenClaw tool plugins, and run Code Mode cells.")
    .version(version, "-V, --version")
    .option("--no-color", "never colour the output")
    .enablePositionalOptions();
  const groups = new Map<string, Command>();
  let leaf: Command | undefined;
  for (const entry of COMMANDS) {
    let parent = program;
    for (const word of entry.path.slice(0, -1)) {
      const known = groups.get(word);
      parent =
        known ??
        parent
          .command(word)
          .description(GROUPS[word] ?? "")
          .enablePositionalOptions();
      groups.set(word, parent);
    }
    const name = entry.path.at(-1) ?? "";
    const command = parent.commands.find((existing) => existing.name() === name) ?? parent.command(name);
    groups.set(name, command);
    command
      .summary(entry.summary)
      .description(entry.summary)
      .aliases([...(entry.aliases ?? [])]);
    if (entry === selected) leaf = command;
    else misplaced(command, entry);
  }
  return { program, leaf };
}

/** A command that is reached although the words before the flags did not select it: flags stand in front of it. */
function misplaced(command: Command, { path }: CommandEntry): void {
  const words = path.join(" ");
  command
    .allowUnknownOption()
    .allowExcessArguments()
    .helpOption(false)
    .action(() => {
      throw new UsageFailure(
        `flags stand in front of \`${path.at(-1)}\``,
        `Write them behind the command: openclaw ${words} ...`,
      );
    });
}

/** An empty value is an unset variable of a script far more often than a wish, so it is never guessed at. */
function refuseBlankValues(command: Command): void {
  command.hook("preAction", () => {
    for (const { long, attributeName } of command.options.map((option) => ({
      long: option.long ?? option.flags,
      attributeName: option.attributeName(),
    }))) {
      const value: unknown = command.getOptionValue(attributeName);
      if ([value].flat().some((one) => typeof one === "string" && one.trim() === "")) {
        throw new UsageFailure(`${long} has an empty value`, "Give it one, or leave the flag out.");
      }
    }
  });
}

/** Applies to every command, also those created by a command's module. */
function strict(command: Command, writeOut: (text: string) => void): void {
  command.exitOverride().configureOutput({ writeOut, writeErr: () => {} });
  for (const child of command.commands) strict(child, writeOut);
}

function usageFromCommander(error: CommanderError, command: Command): UsageFailure {
  const message = error.message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ");
  const words: string[] = [];
  for (let at: Command | null = command; at; at = at.parent) words.unshift(at.name());
  return new UsageFailure(message, `Run \`${words.join(" ")} --help\` for usage.`);
}

function unknownCommand(words: readonly string[]): UsageFailure {
  const group = isGroup(words[0]) && words.length > 1 ? words[0] : undefined;
  const wrong = group === undefined ? (words[0] ?? "") : (words[1] ?? "");
  const candidates = COMMANDS.filter((entry) => (group === undefined) !== (entry.path[0] === group)).map(
    (entry) => entry.path.at(group === undefined ? 0 : 1) ?? "",
  );
  if (group === undefined) candidates.push(...Object.keys(GROUPS));
  const [close] = nearest(wrong, candidates);
  const prefix = group === undefined ? "" : `${group} `;
  return new UsageFailure(
    `unknown command \`${prefix}${wrong}\``,
    close === undefined
      ? `Run \`openclaw ${prefix}--help\` for the list.`
      : `Did you mean \`openclaw ${prefix}${close}\`?`,
  );
}

async function report(thrown: unknown, reporter: Reporter, env: NodeJS.ProcessEnv): Promise<number> {
  const failure =
    thrown instanceof CommandFailure
      ? thrown
      : new CommandFailure("internal_error", `unexpected fault: ${messageOf(thrown)}`, {
          exitCode: EXIT.internal,
          hint: "Set OPENCLAW_DEBUG=1 to see the stack, and please report this.",
          cause: thrown,
        });
  if (reporter.json) {
    const { code, message, hint, details } = failure;
    reporter.document({ ok: false, error: { code, message, ...(hint ? { hint } : {}), ...details } });
  } else {
    const hint = failure.hint === undefined ? "" : `\n  ${failure.hint}`;
    process.stderr.write(`${reporter.paint.red("error:")} ${escapeUntrusted(failure.message + hint)}\n`);
  }
  if (env.OPENCLAW_DEBUG === "1") {
    const origin = failure.cause instanceof Error ? failure.cause : failure;
    const { earlyRedactor } = await import("./debug/plugin-trace.js");
    const stack = (await earlyRedactor(env))(origin.stack ?? String(origin));
    process.stderr.write(`${escapeUntrusted(stack)}\n`);
  }
  return failure.exitCode;
}

/** Whether stdout must be one JSON document: decided from raw argv, before anything else is loaded. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).includes("--json");
}

/**
 * Runs one command line and ends the process with its exit code once stdout has drained.
 * @param argv arguments behind `openclaw`
 */
export async function runProgram(argv: readonly string[]): Promise<void> {
  const env = process.env;
  const reporter = createReporter({
    json: wantsJson(argv),
    color: colorWanted(argv, env, process.stdout.isTTY === true),
  });
  const signals = installSignals();
  let exitCode: number = EXIT.ok;
  try {
    const debug = debugFlags(env);
    for (const warning of debug.warnings) reporter.warn(warning);
    if (debug.pluginLifecycle || debug.pluginLoad) {
      await (await import("./debug/plugin-trace.js")).tracePlugins(debug, env);
    }
    const rest = argv.filter(
      (word, index) => !(ROOT_FLAGS.has(word) && argv.slice(0, index).every((w) => ROOT_FLAGS.has(w))),
    );
    const help = helpRequest(rest);
    const words = help ?? rest;
    const selected = selectEntry(words);
    const { program, leaf } = buildProgram(selected);
    const context: CommandContext = {
      reporter,
      cwd: process.cwd(),
      env,
      signal: signals.signal,
      exitWith: (code) => {
        exitCode = code;
      },
    };
    if (selected !== undefined && leaf !== undefined) {
      leaf.option("--no-color", "never colour the output");
      (await selected.load()).configure(leaf, context);
      refuseBlankValues(leaf);
    } else if (
      words[0] !== undefined &&
      !words[0].startsWith("-") &&
      !(isGroup(words[0]) && (words[1] ?? "-").startsWith("-"))
    ) {
      throw unknownCommand(words);
    }
    let text = "";
    let asDocument: unknown;
    strict(program, (part) => {
      text += part;
    });
    if (rest.length === 0) program.outputHelp();
    else if (isGroup(words[0]) && words.length === 1) {
      program.commands.find((command) => command.name() === words[0])?.outputHelp();
    } else {
      try {
        await program.parseAsync(help === undefined ? rest : [...words, "--help"], { from: "user" });
      } catch (error) {
        if (!(error instanceof CommanderError)) throw error;
        if (error.exitCode !== 0) throw usageFromCommander(error, leaf ?? program);
        if (error.code === "commander.version") asDocument = { version };
      }
    }
    if (text !== "") {
      reporter.write(text);
      reporter.document(asDocument ?? { help: text });
    }
  } catch (error) {
    exitCode = await report(error, reporter, env);
  }
  return finish(signals.exitCode() ?? exitCode);
}
