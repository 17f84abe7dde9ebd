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
  mcp: "Look at the MCP servers whose tools cells can call; serve Code Mode to MCP clients",
};

/** Every command, in help order. Loading an entry loads that command's module and nothing else. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    path: ["exec"],
    summary: "Run a cell: JavaScript or TypeScript with the tools of your plugins and servers",
    load: () => import("./exec.js"),
  },
  {
    path: ["plugins", "init"],
    summary: "Create a plugin project that builds, validates and passes its tests",
    load: () => import("./plugins/init.js"),
  },
  {
    path: ["plugins", "build"],
    summary: "Write the manifest from the plugin's definition and align package.json",
    load: () => import("./plugins/build.js"),
  },
  {
    path: ["plugins", "validate"],
    summary: "Check manifest, entry, tools, schemas and package, with what to do about each finding",
    load: () => import("./plugins/validate.js"),
  },
  {
    path: ["plugins", "install"],
    summary: "Install a plugin from a folder, an archive or npm",
    load: () => import("./plugins/install.js"),
  },
  {
    path: ["plugins", "list"],
    summary: "List installed, linked and configured plugins",
    load: () => import("./plugins/list.js"),
  },
  {
    path: ["plugins", "inspect"],
    aliases: ["info"],
    summary: "Show a plugin, its tools and its problems",
    load: () => import("./plugins/inspect.js"),
  },
  {
    path: ["plugins", "enable"],
    summary: "Let a plugin run",
    load: () => import("./plugins/enable.js"),
  },
  {
    path: ["plugins", "disable"],
    summary: "Keep a plugin from running",
    load: () => import("./plugins/disable.js"),
  },
  {
    path: ["plugins", "uninstall"],
    summary: "Remove an installed or linked plugin",
    load: () => import("./plugins/uninstall.js"),
  },
  {
    path: ["plugins", "doctor"],
    summary: "Check plugins, records and settings; --fix repairs what is safe",
    load: () => import("./plugins/doctor.js"),
  },
  {
    path: ["mcp", "list"],
    summary: "Start the configured MCP servers and show what each offers, or why it does not",
    load: () => import("./mcp/list.js"),
  },
  {
    path: ["mcp", "inspect"],
    summary: "Start one MCP server and show its tools as cells see them",
    load: () => import("./mcp/inspect.js"),
  },
  {
    path: ["mcp", "serve"],
    summary: "Offer Code Mode over your tools to any MCP client, on stdio or HTTP",
    load: () => import("./mcp/serve.js"),
  },
  {
    path: ["config", "get"],
    summary: "Print a setting",
    load: () => import("./config/get.js"),
  },
  {
    path: ["config", "set"],
    summary: "Change a setting; comments and formatting stay",
    load: () => import("./config/set.js"),
  },
  {
    path: ["config", "unset"],
    summary: "Remove a setting",
    load: () => import("./config/unset.js"),
  },
  {
    path: ["config", "validate"],
    summary: "Check openclaw.json and list every problem with its place",
    load: () => import("./config/validate.js"),
  },
  {
    path: ["config", "path"],
    summary: "Print where the configuration file is",
    load: () => import("./config/path.js"),
  },
  {
    path: ["config", "schema"],
    summary: "Print the JSON Schema of openclaw.json for editors",
    load: () => import("./config/schema.js"),
  },
  {
    path: ["catalog"],
    summary: "Show the tools a cell can see, with the hints a model gets",
    load: () => import("./catalog/list.js"),
  },
  {
    path: ["catalog", "search"],
    summary: "Search the tools as catalog.search does in a cell",
    load: () => import("./catalog/search.js"),
  },
  {
    path: ["catalog", "read"],
    summary: "Print a declaration file of the virtual API",
    load: () => import("./catalog/read.js"),
  },
  {
    path: ["completion"],
    summary: "Print a completion script for bash, zsh or fish",
    load: () => import("./completion.js"),
  },
];
