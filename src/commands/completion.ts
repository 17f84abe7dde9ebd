import type { Command } from "commander";
import { UsageFailure } from "../errors.js";
import { type CommandContext, type CommandModule, examples } from "./command.js";

const SHELLS = ["bash", "zsh", "fish"] as const;

/** Words of every command, as the shells complete them: `plugins` -> `build`, `check`, ... */
async function wordTree(): Promise<Map<string, string[]>> {
  const { COMMANDS } = await import("./table.js");
  const tree = new Map<string, string[]>();
  for (const { path } of COMMANDS) {
    for (let depth = 0; depth < path.length; depth++) {
      const parent = path.slice(0, depth).join(" ");
      const words = tree.get(parent) ?? [];
      const word = path[depth] ?? "";
      if (!words.includes(word)) words.push(word);
      tree.set(parent, words);
    }
  }
  return tree;
}

function bashScript(tree: Map<string, string[]>): string {
  const cases = [...tree]
    .filter(([parent]) => parent !== "")
    .map(([parent, words]) => `    "${parent}") words="${words.join(" ")}" ;;`);
  return `_openclaw() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" path="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in -*) ;; *) path="\${path:+$path }\${COMP_WORDS[i]}" ;; esac
  done
  case "$path" in
    "") words="${(tree.get("") ?? []).join(" ")}" ;;
${cases.join("\n")}
  esac
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words --help" -- "$current")); else COMPREPLY=(); fi
}
complete -o default -F _openclaw openclaw
`;
}

function zshScript(tree: Map<string, string[]>): string {
  return `#compdef openclaw
autoload -U +X bashcompinit && bashcompinit
${bashScript(tree)}`;
}

function fishScript(tree: Map<string, string[]>): string {
  const lines = [`complete -c openclaw -f -n __fish_use_subcommand -a '${(tree.get("") ?? []).join(" ")}'`];
  for (const [parent, words] of tree) {
    if (parent === "") continue;
    lines.push(
      `complete -c openclaw -f -n '__fish_seen_subcommand_from ${parent}; and not __fish_seen_subcommand_from ${words.join(" ")}' -a '${words.join(" ")}'`,
    );
  }
  lines.push("complete -c openclaw -n '__fish_seen_subcommand_from exec' -F");
  return `${lines.join("\n")}\n`;
}

const module: CommandModule = {
  configure(command: Command, { reporter }: CommandContext) {
    command
      .argument("<shell>", `one of ${SHELLS.join(", ")}`)
      .option("--json", "print the script as a JSON document")
      .action(async (shell: string) => {
        const tree = await wordTree();
        const scripts: Record<string, (tree: Map<string, string[]>) => string> = {
          bash: bashScript,
          zsh: zshScript,
          fish: fishScript,
        };
        const render = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
        if (render === undefined) {
          throw new UsageFailure(`no completion for \`${shell}\``, `Use one of ${SHELLS.join(", ")}.`);
        }
        reporter.write(render(tree));
        reporter.document({ shell, script: render(tree) });
      });
    examples(command, ["openclaw completion bash > ~/.local/share/bash-completion/completions/openclaw"]);
  },
};

export const configure = module.configure;
