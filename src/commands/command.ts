import type { Command } from "commander";
import type { Reporter } from "../ui/reporter.js";

export interface CommandContext {
  readonly reporter: Reporter;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted by the first Ctrl-C or SIGTERM; a command that owns work ends it and then returns. */
  readonly signal: AbortSignal;
  /** Sets the exit code of a command that ran to its end but has bad news (a failed cell, a stale file). */
  exitWith(code: number): void;
}

/** One command in its own module, loaded only when it runs or when its help is asked for. */
export interface CommandModule {
  /** Declares arguments, options, examples and the action on a fresh commander command. */
  configure(command: Command, context: CommandContext): void;
}

/** Appends real examples to a command's help. */
export function examples(command: Command, lines: readonly string[]): void {
  command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}`);
}

/** Collects a repeatable option. */
export function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}
