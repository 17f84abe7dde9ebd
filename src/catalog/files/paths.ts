import { CatalogInputError } from "../types.js";

/**
 * A virtual path as the files are keyed: without surrounding blanks and leading slashes. No URL decoding,
 * and a backslash is an ordinary character. Throws `CatalogInputError` when a segment is empty, `.` or `..`.
 */
export function normalizeApiPath(path: unknown): string {
  const normalized = String(path).trim().replace(/^\/+/, "");
  if (normalized.split("/").some((segment) => segment === "" || segment === "." || segment === "..")) {
    throw new CatalogInputError(
      `invalid API file path ${JSON.stringify(String(path))}: give a path that API.list() shows`,
      true,
    );
  }
  return normalized;
}

/** Whether `prefix` asks for everything. Trailing slashes are tolerated here, unlike in a read. */
export function normalizeApiPrefix(prefix: unknown): string | undefined {
  if (prefix === undefined || prefix === null) return undefined;
  const whole = String(prefix).trim();
  // By hand: the expression for it takes the square of the length of a text full of slashes.
  let end = whole.length;
  while (end > 0 && whole[end - 1] === "/") end -= 1;
  return end === 0 ? undefined : normalizeApiPath(whole.slice(0, end));
}

/** Whether a listing of `prefix` holds `path`: the file itself, or one in the folder. */
export function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}
