/** A secret that is kept elsewhere: in an environment variable, a file, or behind a command. */
export interface SecretRef {
  source: "env" | "file" | "exec";
  provider: string;
  id: string;
}

/** A secret as a configuration may hold it. */
export type SecretInput = string | SecretRef;

const SOURCES: readonly unknown[] = ["env", "file", "exec"];

export function isSecretRef(value: unknown): value is SecretRef {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { source, provider, id } = value as Record<string, unknown>;
  return (
    SOURCES.includes(source) && typeof provider === "string" && typeof id === "string" && id.trim() !== ""
  );
}

/** `${NAME}` and references, as a reference; `null` for plain text and anything else. */
export function coerceSecretRef(value: unknown): SecretRef | null {
  if (isSecretRef(value)) return value;
  const name = typeof value === "string" ? /^\$\{([A-Z][A-Z0-9_]*)\}$/.exec(value.trim())?.[1] : undefined;
  return name === undefined ? null : { source: "env", provider: "default", id: name };
}

/** Whether a setting holds a secret at all, plain or by reference. */
export function hasConfiguredSecretInput(value: unknown): boolean {
  return normalizeSecretInputString(value) !== undefined || coerceSecretRef(value) !== null;
}

/** A plain secret, trimmed; `undefined` for references, blanks and anything else. */
export function normalizeSecretInputString(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return text === "" || coerceSecretRef(text) !== null ? undefined : text;
}
