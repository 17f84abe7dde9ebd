import type { Command } from "commander";
import { EXIT, UsageFailure } from "../errors.js";
import type { CellResult } from "../runtime/types.js";
import { type CommandContext, collect, examples } from "./command.js";
import type { SourceFlags } from "./exec/sources.js";

interface ExecFlags extends SourceFlags {
  plugin?: string[];
  mcp?: string[];
  session?: string;
  allow?: string[];
  limit?: string[];
  keepGoing?: boolean;
  check?: boolean;
  strict?: boolean;
  deadline?: string;
  wait: boolean;
  approve?: string;
  trajectory?: string;
}

function exitCodeOf(result: CellResult): number {
  if (result.status === "completed") return EXIT.ok;
  if (result.status === "waiting") return EXIT.waiting;
  return result.code === "runtime_unavailable" ? EXIT.internal : EXIT.failed;
}

function deadlineMs(flag: string | undefined): number {
  if (flag === undefined) return 900_000;
  const value = Number(flag);
  if (!Number.isInteger(value) || value < 1 || value > 2_147_483_647) {
    throw new UsageFailure(`--deadline ${flag}: give whole milliseconds, as in --deadline 60000`);
  }
  return value;
}

function onlyCode(source: string, previous: string | undefined): string {
  if (previous === undefined) return source;
  throw new UsageFailure(
    "-c is given twice",
    "Put the cells into files: --file first.js --file second.js runs them in order in one session.",
  );
}

async function run(flags: ExecFlags, context: CommandContext): Promise<void> {
  const { reporter } = context;
  const deadline = deadlineMs(flags.deadline);
  const { readSources } = await import("./exec/sources.js");
  const sources = await readSources(flags, context.cwd, process.stdin);
  const { openRun } = await import("./exec/open-run.js");
  const run = await openRun(flags, context);
  const results: unknown[] = [];
  let exitCode: number = EXIT.ok;
  try {
    for (const source of sources) {
      const { result, document } = await run.runCell(source, { deadlineMs: deadline, noWait: !flags.wait });
      results.push(document);
      const code = result === undefined ? EXIT.failed : exitCodeOf(result);
      if (exitCode === EXIT.ok) exitCode = code;
      if (code !== EXIT.ok && !flags.keepGoing) break;
    }
  } finally {
    await run.close();
  }
  reporter.document(sources.length > 1 ? results : results[0]);
  context.exitWith(exitCode);
}

export function configure(command: Command, context: CommandContext): void {
  command
    .argument("[cell]", "cell file (.js, .mjs, .ts, .mts), or - for stdin")
    .option("--file <path>", "cell file; repeat it to run cells in order in one session", collect)
    .option("-c, --code <source>", "inline source", onlyCode)
    .option("--language <name>", "javascript or typescript (default: by extension, else javascript)")
    .option(
      "--plugin <dir|id>",
      "use this plugin; repeatable (default: every enabled installed plugin)",
      collect,
    )
    .option("--mcp <file>", 'MCP servers as {"mcpServers": {...}}; repeatable', collect)
    .option("--session <name>", "keep store()/load() data under this name between runs")
    .option("--allow <tool>", "allow an optional tool; repeatable", collect)
    .option("--limit <name=value>", "set a Code Mode limit, as in timeoutMs=2000; repeatable", collect)
    .option("--keep-going", "with several cells, go on after a failed one")
    .option("--check", "type-check the cell against the tools it can see before running it")
    .option("--strict", "with --check, warnings block too")
    .option("--deadline <ms>", "wall clock over all legs (default: 900000)")
    .option("--no-wait", "stop at the first waiting result (exit 3) instead of resuming it")
    .option("--approve <mode>", "always, never or ask (default: ask on a terminal, else never)")
    .option("--trajectory <file>", "write nested calls as JSON lines to this file")
    .option("--json", "print the result object")
    .action((cell: string | undefined, flags: ExecFlags) =>
      run(cell === undefined ? flags : { ...flags, cell }, context),
    );
  examples(command, [
    "openclaw exec cell.ts --plugin .",
    `openclaw exec -c 'return await echo({ input: "hi" })'`,
    "echo 'return 1 + 1' | openclaw exec",
  ]);
  command.addHelpText(
    "after",
    "\nShells that eat quotes (PowerShell, cmd.exe): put the cell into a file or pipe it to stdin.",
  );
}
