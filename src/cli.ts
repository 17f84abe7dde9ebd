import { finish, tolerateClosedPipes } from "./process-end.js";
import { version } from "./version.js";

/**
 * The command line. `--version` answers before anything else is loaded.
 * @param argv arguments behind `openclaw`
 */
export async function main(argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  tolerateClosedPipes();
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    process.stdout.write(`${version}\n`);
    return finish(0);
  }
  if (argv[0] === "exec" && !argv.includes("--help")) {
    // The worker boots on another core while this one still reads the command's own code.
    const { startRuntime } = await import("./runtime/supervisor/pool.js");
    startRuntime();
  }
  const { runProgram } = await import("./program.js");
  await runProgram(argv);
}
