import type { CellLanguage } from "../types.js";

/** What an `exec` call asks for, its aliases resolved. */
export interface CellRequest {
  source: string;
  /** Absent when the caller left it open. */
  language?: CellLanguage;
  restartSafe: boolean;
  title?: string;
}

export type RequestOutcome = { ok: true; request: CellRequest } | { ok: false; error: string };

const LANGUAGES: readonly CellLanguage[] = ["javascript", "typescript"];

/**
 * Reads the arguments of `exec`. `code` and `command` name the same thing: one of them must hold
 * source, and when both do they must be equal to the last byte. Unknown fields are ignored.
 */
export function readCellRequest(input: unknown): RequestOutcome {
  const fields = fieldsOf(input);
  if (fields === undefined) return refuse('exec takes an object such as {"code": "return 1;"}');
  const code = sourceIn(fields.code);
  const command = sourceIn(fields.command);
  if (code !== undefined && command !== undefined && code !== command) {
    return refuse("`code` and `command` differ: they are two names of one field, so give only `code`");
  }
  const source = command ?? code;
  if (source === undefined) {
    const wrongType = [fields.code, fields.command].some(
      (value) => value !== undefined && value !== null && typeof value !== "string",
    );
    return refuse(
      wrongType ? "`code` must be a string of source text" : "no source to run: `code` is missing or blank",
    );
  }
  if (fields.typecheck !== undefined) {
    return refuse(
      "`typecheck` is not a field of exec: `openclaw exec --check` type-checks a cell before it runs",
    );
  }
  const language = fields.language;
  if (language !== undefined && !LANGUAGES.includes(language as CellLanguage)) {
    return refuse('`language` must be "javascript" or "typescript"');
  }
  const { restartSafe, title } = fields;
  if (restartSafe !== undefined && restartSafe !== null && typeof restartSafe !== "boolean") {
    return refuse("`restartSafe` must be true or false");
  }
  return {
    ok: true,
    request: {
      source,
      restartSafe: restartSafe === true,
      ...(language === undefined ? {} : { language: language as CellLanguage }),
      ...(typeof title === "string" ? { title } : {}),
    },
  };
}

function refuse(error: string): RequestOutcome {
  return { ok: false, error: `${error}.` };
}

function sourceIn(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

const FIELDS = ["code", "command", "language", "typecheck", "restartSafe", "title"] as const;

/** The known fields of a plain object; a getter that throws counts as no object at all. */
function fieldsOf(input: unknown): Partial<Record<(typeof FIELDS)[number], unknown>> | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  try {
    const record = input as Record<string, unknown>;
    return Object.fromEntries(
      FIELDS.filter((name) => Object.hasOwn(record, name)).map((n) => [n, record[n]]),
    );
  } catch {
    return undefined;
  }
}
