export type Severity = "error" | "warning";

/** One thing to know about a plugin project. Checks make them; commands render them. */
export interface Finding {
  /** Stable name of the kind, in kebab case. */
  code: string;
  severity: Severity;
  /** Where: `openclaw.plugin.json`, `package.json#openclaw.extensions`, `tools.echo.parameters.input`. */
  path: string;
  /** What is wrong, one line that stands alone. */
  message: string;
  /** What to do about it, one line. */
  fix: string;
}

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === "error");
}

/** A list for a message: all of it, or the first ones and how many more there are. */
export function listed(items: readonly string[], most = 12): string {
  const rest = items.length - most;
  return rest > 0 ? `${items.slice(0, most).join(", ")} and ${rest} more` : items.join(", ");
}
