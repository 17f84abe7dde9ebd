import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { systemReason, UsageFailure } from "../../errors.js";
import type { CellLanguage } from "../../runtime/types.js";

/** One cell to run: its text and how its author knows it. */
export interface CellSource {
  code: string;
  language: CellLanguage;
  /** Path as given, or undefined for inline code and stdin. */
  label?: string;
}

const INLINE_LABELS: Record<CellLanguage, string> = {
  javascript: "openclaw-code-mode:user.js",
  typescript: "openclaw-code-mode:user.ts",
};

/** How places in this source are named. */
export function labelOf({ label, language }: CellSource): string {
  return label ?? INLINE_LABELS[language];
}

export interface SourceFlags {
  cell?: string;
  file?: string[];
  code?: string;
  language?: string;
}

const BY_EXTENSION: Record<string, CellLanguage> = { ".ts": "typescript", ".mts": "typescript" };

function languageFlag(language: string | undefined): CellLanguage | undefined {
  if (language === undefined) return undefined;
  if (language === "javascript" || language === "typescript") return language;
  throw new UsageFailure(`--language ${language}: use javascript or typescript`);
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageFailure(`${name} is not UTF-8 text`, "Save the cell as UTF-8 and run it again.");
  }
}

async function readStdin(stdin: AsyncIterable<Uint8Array | string>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return decode(Buffer.concat(chunks), "stdin");
}

async function readCell(path: string, cwd: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(resolve(cwd, path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") {
      throw new UsageFailure(`cell file not found: ${path}`, "To run inline code, use -c '<source>'.");
    }
    if (code === "EISDIR") throw new UsageFailure(`${path} is a folder, not a cell file`);
    throw new UsageFailure(`cannot read ${path}: ${systemReason(error)}`);
  }
  return decode(bytes, path);
}

/**
 * The cells a command line names, in order: the positional and `--file` paths, or `-c`, or stdin.
 * @throws UsageFailure for no source, a blank one, two kinds of source, or a file that cannot be read
 */
export async function readSources(
  flags: SourceFlags,
  cwd: string,
  stdin: NodeJS.ReadStream,
): Promise<CellSource[]> {
  const forced = languageFlag(flags.language);
  const paths = [...(flags.cell === undefined ? [] : [flags.cell]), ...(flags.file ?? [])];
  if (flags.code !== undefined && paths.length > 0) {
    throw new UsageFailure(`-c and a cell file (${paths[0]}) cannot be combined`, "Give one of them.");
  }
  const sources: CellSource[] = [];
  if (flags.code !== undefined) {
    sources.push({ code: flags.code, language: forced ?? "javascript" });
  } else if (paths.length === 0) {
    if (stdin.isTTY) {
      throw new UsageFailure("no cell given", "Name a file, use -c '<source>', or pipe the source to stdin.");
    }
    sources.push({ code: await readStdin(stdin), language: forced ?? "javascript" });
  }
  for (const path of paths) {
    const code = path === "-" ? await readStdin(stdin) : await readCell(path, cwd);
    const language = forced ?? BY_EXTENSION[extname(path).toLowerCase()] ?? "javascript";
    sources.push(path === "-" ? { code, language } : { code, language, label: path });
  }
  for (const { code, label } of sources) {
    if (code.replace(/^\ufeff/, "").trim() === "") {
      throw new UsageFailure(
        `${label ?? (flags.code === undefined ? "stdin" : "-c")} holds no code`,
        "Name a file, use -c '<source>', or pipe the source to stdin.",
      );
    }
  }
  return sources;
}
