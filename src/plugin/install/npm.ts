import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { CommandFailure, messageOf } from "../../errors.js";

/** Every run: no questions to a registry beyond the task, no scripts, no text but errors. */
const FLAGS = [
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--no-update-notifier",
  "--no-progress",
  "--loglevel=error",
  "--color=false",
];

/**
 * Settings npm hands down to children of its own scripts. They belong to the outer command (`npm publish
 * --dry-run`, `npm install -g`, a workspace run) and would redirect or silence ours.
 */
const OUTER =
  /^npm_(config_(global|location|dry_run|local_prefix|prefix|workspaces?|include_workspace_root|package_lock.*|json|omit|include|production|save.*|only|also|install_strategy|install_links|pack_destination|long|parseable|force)|lifecycle_.*|package_.*|command)$/i;

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !OUTER.test(entry[0]),
    ),
  );
}

/**
 * How to start npm without a shell: its script run by this Node where it can be found, since `npm.cmd`
 * cannot be spawned directly on Windows; else `npm` from the PATH.
 */
export function npmCommand(env: NodeJS.ProcessEnv = process.env): { file: string; args: string[] } {
  const script = ["node_modules", "npm", "bin", "npm-cli.js"];
  const beside = [
    ...(env.npm_execpath?.endsWith("npm-cli.js") ? [env.npm_execpath] : []),
    join(dirname(process.execPath), ...script),
    join(dirname(process.execPath), "..", "lib", ...script),
    ...(process.platform === "win32"
      ? (env.PATH ?? env.Path ?? "").split(delimiter).map((dir) => join(dir, ...script))
      : []),
  ];
  const found = beside.find((path) => existsSync(path));
  return found === undefined ? { file: "npm", args: [] } : { file: process.execPath, args: [found] };
}

const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT|FETCH_ERROR|UND_ERR_\w+)\b/;

/** The lines npm meant for people, without its prefix, its log file, its advice and repetitions. */
function complaint(stderr: string): { code: string | undefined; text: string; wanted: string | undefined } {
  const lines = stderr
    .split("\n")
    .map((line) => line.replace(/^npm (error|ERR!)\s?/, "").trim())
    .filter((line) => line !== "" && !/complete log of this run|^npm (warn|notice)/i.test(line));
  const code = lines.map((line) => /^code (\S+)/.exec(line)?.[1]).find(Boolean);
  const rest = lines
    .filter((line) => !/^(code|errno|syscall|path|dest) /.test(line))
    .map((line) => line.replace(/^(E[A-Z]+|404|engine|notsup|notarget|network|gyp|peer)(\s+|$)/, ""))
    .filter((line) => line !== "");
  const wanted = rest.map((line) => /requested resource '([^']+)'/.exec(line)?.[1]).find(Boolean);
  return { code, text: [...new Set(rest)].slice(0, 2).join(": "), wanted };
}

function npmFailure(what: string, stderr: string, error: unknown): CommandFailure {
  const { code, text, wanted } = complaint(stderr);
  const said = text === "" ? messageOf(error).split("\n")[0] : text;
  if (code === "E404") {
    const missing = wanted === undefined ? said : `the registry has no ${wanted}`;
    return new CommandFailure("package_not_found", `${what}: ${missing}`, { cause: error });
  }
  if (code === "ETARGET")
    return new CommandFailure("version_not_found", `${what}: ${said}`, { cause: error });
  if (UNREACHABLE.test(`${code} ${stderr}`)) {
    return new CommandFailure(
      "registry_unreachable",
      `${what}: the npm registry cannot be reached (${code ?? said})`,
      {
        hint: "Check the network and `npm config get registry`, then try again.",
        cause: error,
      },
    );
  }
  return new CommandFailure("npm_failed", `${what}: ${said}`, { cause: error });
}

export interface NpmOptions {
  cwd: string;
  /** Begins the error line: what was being done. */
  what: string;
  signal?: AbortSignal | undefined;
  /** Wall time, in ms (10 minutes). */
  timeoutMs?: number;
}

/**
 * Runs npm with the user's own configuration, lifecycle scripts off, and gives its stdout.
 * @throws CommandFailure `package_not_found`, `version_not_found`, `registry_unreachable`, `npm_missing`,
 *   `aborted` or `npm_failed`, in npm's own words
 */
export async function runNpm(args: readonly string[], options: NpmOptions): Promise<string> {
  const { execa } = await import("execa");
  const npm = npmCommand();
  const run = await execa(npm.file, [...npm.args, ...args, ...FLAGS], {
    cwd: options.cwd,
    env: environment(),
    extendEnv: false,
    stdin: "ignore",
    timeout: options.timeoutMs ?? 600_000,
    reject: false,
    ...(options.signal === undefined ? {} : { cancelSignal: options.signal }),
  });
  if (!run.failed) return run.stdout;
  if (run.isCanceled) throw new CommandFailure("aborted", `${options.what}: cancelled`, { cause: run });
  if (run.code === "ENOENT") {
    throw new CommandFailure("npm_missing", `${options.what}: npm was not found`, {
      hint: "Install npm, or put it on the PATH.",
      cause: run,
    });
  }
  if (run.timedOut)
    throw new CommandFailure("npm_failed", `${options.what}: npm did not finish in time`, { cause: run });
  throw npmFailure(options.what, run.stderr, run.cause ?? run);
}

/** npm's own version. */
export async function npmVersion(): Promise<string> {
  const output = await runNpm(["--version"], { cwd: process.cwd(), what: "asking for npm's version" });
  return output.trim();
}
