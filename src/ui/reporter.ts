import kleur from "kleur";
import { escapeUntrusted } from "./escape.js";
import { writeStdout } from "./own-stdout.js";

/**
 * How a command speaks: data on stdout, everything else on stderr. With `json`, stdout carries exactly
 * one JSON document and the human forms are silent there.
 */
export interface Reporter {
  readonly json: boolean;
  /** Whether stderr is a terminal, so that progress may be drawn. */
  readonly interactive: boolean;
  readonly paint: typeof kleur;
  /** Human output: one or more whole lines on stdout. Silent with `json`. */
  print(text: string): void;
  /** Exact text on stdout without an added line feed. Silent with `json`. */
  write(text: string): void;
  /** The one JSON document of this command; ignored without `json`. */
  document(value: unknown): void;
  /** Information on stderr, escaped. */
  note(text: string): void;
  /** One warning line on stderr, escaped. */
  warn(text: string): void;
  /** A failure on stderr: a coloured label of ours, then escaped text. */
  problem(label: string, text: string): void;
}

export interface ReporterOptions {
  json: boolean;
  color: boolean;
  stdout?: NodeJS.WritableStream;
  stderr?: NodeJS.WritableStream;
}

export function createReporter(options: ReporterOptions): Reporter {
  const stdout = options.stdout ?? { write: (text: string) => writeStdout(text) };
  const stderr = options.stderr ?? process.stderr;
  kleur.enabled = options.color;
  return {
    json: options.json,
    interactive: !options.json && (stderr as { isTTY?: boolean }).isTTY === true,
    paint: kleur,
    print: (text) => {
      if (!options.json) stdout.write(text.endsWith("\n") ? text : `${text}\n`);
    },
    write: (text) => {
      if (!options.json) stdout.write(text);
    },
    document: (value) => {
      if (options.json) stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    },
    note: (text) => {
      stderr.write(`${escapeUntrusted(text)}\n`);
    },
    warn: (text) => {
      stderr.write(`${kleur.yellow("warning:")} ${escapeUntrusted(text)}\n`);
    },
    problem: (label, text) => {
      stderr.write(`${kleur.red(`${label}:`)} ${escapeUntrusted(text)}\n`);
    },
  };
}

/** Whether colour is wanted: `--no-color`, NO_COLOR and FORCE_COLOR win over the terminal. */
export function colorWanted(argv: readonly string[], env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (argv.includes("--no-color")) return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false") return true;
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  return isTerminal && env.TERM !== "dumb";
}
