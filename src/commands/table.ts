import type { CommandModule } from "./command.js";

export interface CommandEntry {
  /** Words that select it: `["plugins", "build"]`. */
  path: readonly string[];
  summary: string;
  aliases?: readonly string[];
  load: () => Promise<CommandModule>;
}

/** Groups that hold commands, with the line their parent's help shows. */
export const GROUPS: Readonly<Record<string, string>> = {
  plugins: "Write, check, install and inspect tool plugins",
};

/** Every command, in help order. Loading an entry loads that command's module and nothing else. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    path: ["completion"],
    summary: "Print a completion script for bash, zsh or fish",
    load: () => import("./completion.js"),
  },
];
