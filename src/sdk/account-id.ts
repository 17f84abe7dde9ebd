/** The account a channel uses when none is named. */
export const DEFAULT_ACCOUNT_ID = "default";

/** An account id in its one form: trimmed, lower case, `[a-z0-9_-]`, at most 64 characters, never empty. */
export function normalizeAccountId(value: string | null | undefined): string {
  const id = (value ?? "")
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64);
  return id === "" ? DEFAULT_ACCOUNT_ID : id;
}
