import { readFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { editText } from "../../config/edit-text.js";
import { isRecord } from "../load/manifest.js";

/** One value that differs from what it should be. */
export interface Change {
  /** Keys from the root. */
  path: readonly string[];
  /** `undefined`: not there. */
  before: unknown;
  /** `undefined`: to be removed. */
  after: unknown;
}

/**
 * Where two JSON values differ, at the smallest object members that do; lists differ as a whole. Key order
 * does not count.
 */
export function changesBetween(before: unknown, after: unknown, path: readonly string[] = []): Change[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isRecord(before) || !isRecord(after)) return [{ path, before, after }];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => changesBetween(member(before, key), member(after, key), [...path, key]));
}

/** An own member; `__proto__` is a name like any other in JSON. */
function member(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * The text of a JSON file with these changes made in place: key order, indentation, line endings, byte
 * order mark and, in JSON5, comments stay. A file that is not there yet becomes plain JSON with two spaces.
 */
export async function changedText(
  before: string | undefined,
  after: unknown,
  changes: readonly Change[],
  file: string,
): Promise<string> {
  const whole = changes.find(({ path }) => path.length === 0);
  if (before === undefined || whole !== undefined) return `${JSON.stringify(after, null, 2)}\n`;
  return editText(
    before,
    changes.map(({ path, after: value }) => ({ path, value })),
    file,
  );
}

/** The text of a file, `undefined` when there is none. Any other failure is the caller's. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** A value in a message: compact JSON, cut when it is long. */
export function shown(value: unknown): string {
  if (value === undefined) return "(absent)";
  const text = JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 157)}...` : text;
}

function listChange(before: readonly unknown[], after: readonly unknown[]): string | undefined {
  const had = new Set(before.map((item) => JSON.stringify(item)));
  const has = new Set(after.map((item) => JSON.stringify(item)));
  const added = [...has].filter((item) => !had.has(item)).map((item) => `+${item}`);
  const gone = [...had].filter((item) => !has.has(item)).map((item) => `-${item}`);
  const parts = [...gone, ...added];
  return parts.length > 0 && parts.length <= 12 ? parts.join(" ") : undefined;
}

/** `contracts.tools: -"old" +"new"`, `description: "a" -> "b"`. */
export function describeChange({ path, before, after }: Change): string {
  const name = path.length === 0 ? "the whole file" : path.join(".");
  const lists = Array.isArray(before) && Array.isArray(after) ? listChange(before, after) : undefined;
  return `${name}: ${lists ?? `${shown(before)} -> ${shown(after)}`}`;
}
