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
  config: "Read, change and check openclaw.json",
};

/** Every command, in help order. Loading an entry loads that command's module and nothing else. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    path: ["config", "get"],
    summary: "Print a setting",
    load: () => import("./config-get.js"),
  },
  {
    path: ["config", "set"],
    summary: "Change a setting; comments and formatting stay",
    load: () => import("./config-set.js"),
  },
  {
    path: ["config", "unset"],
    summary: "Remove a setting",
    load: () => import("./config-unset.js"),
  },
  {
    path: ["config", "validate"],
    summary: "Check openclaw.json and list every problem with its place",
    load: () => import("./config-validate.js"),
  },
  {
    path: ["config", "path"],
    summary: "Print where the configuration file is",
    load: () => import("./config-path.js"),
  },
  {
    path: ["config", "schema"],
    summary: "Print the JSON Schema of openclaw.json for editors",
    load: () => import("./config-schema.js"),
  },
  {
    path: ["completion"],
    summary: "Print a completion script for bash, zsh or fish",
    load: () => import("./completion.js"),
  },
];
