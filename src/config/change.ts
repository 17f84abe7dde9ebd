import { CommandFailure } from "../errors.js";
import { checkConfigText, issueFailure, readConfigText } from "./config.js";
import type { ConfigPath } from "./document.js";
import { editConfig } from "./edit.js";

/** A problem of a configuration file, as `config validate` reports it. */
export interface Finding {
  severity: "error" | "warning";
  line: number;
  column: number;
  /** Keys joined by dots; absent for syntax errors. */
  path?: string;
  message: string;
}

/**
 * Sets or removes (`undefined`) one setting. An edit that would bring a new error into the file is
 * refused before anything is written; errors that were there already do not stand in its way.
 * @throws CommandFailure `config_invalid` and what `editConfig` throws
 */
export async function changeConfig(
  file: string,
  path: ConfigPath,
  value: unknown,
): Promise<{ changed: boolean; warnings: string[] }> {
  const warnings: string[] = [];
  const changed = await editConfig(file, [{ path, value }], async (before, after) => {
    const known = new Set<string>();
    if (before !== undefined && before.replace(/^\ufeff/, "").trim() !== "") {
      for (const issue of (await checkConfigText(before, file)).issues) known.add(issue.message);
    }
    const { document, issues } = await checkConfigText(after, file);
    for (const issue of issues.filter(({ message }) => !known.has(message))) {
      if (issue.level === "error") {
        const { message } = issueFailure(file, document, issue, 0);
        const text = message.slice(message.indexOf(issue.message));
        throw new CommandFailure("config_invalid", text, { hint: `Nothing was written to ${file}.` });
      }
      warnings.push(issue.message);
    }
  });
  return { changed, warnings };
}

/**
 * Every problem of a configuration file, a syntax error as the only one.
 * @throws CommandFailure `config_unreadable`, or `config_not_found` with `mustExist`
 */
export async function findings(
  file: string,
  options: { mustExist?: boolean } = {},
): Promise<{ exists: boolean; found: Finding[] }> {
  try {
    const text = await readConfigText(file);
    if (text === undefined) {
      if (options.mustExist !== true) return { exists: false, found: [] };
      throw new CommandFailure("config_not_found", `there is no file ${file}`);
    }
    const { issues } = await checkConfigText(text, file);
    const found = issues.map(({ level, line, column, path, message }) => ({
      severity: level,
      line,
      column,
      path: path.join("."),
      message,
    }));
    return { exists: true, found };
  } catch (error) {
    if (!(error instanceof CommandFailure) || error.code !== "config_invalid") throw error;
    const { line, column } = error.details as { line: number; column: number };
    const message = error.message.slice(`${file}:${line}:${column}: `.length);
    return { exists: true, found: [{ severity: "error", line, column, message }] };
  }
}
