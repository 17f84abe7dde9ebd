const FAILED_STATUS: ReadonlySet<string> = new Set([
  "error",
  "failed",
  "failure",
  "timeout",
  "timed_out",
  "blocked",
  "denied",
  "forbidden",
  "unavailable",
  "approval-unavailable",
  "disabled",
  "aborted",
  "cancelled",
  "canceled",
  "killed",
  "invalid",
]);
const BLOCKED: ReadonlySet<string> = new Set([
  "blocked",
  "denied",
  "forbidden",
  "disabled",
  "approval-unavailable",
]);
const CANCELLED: ReadonlySet<string> = new Set(["aborted", "cancelled", "canceled", "killed"]);

export type FailureKind = "blocked" | "timed_out" | "cancelled" | "failed";

/** Fields of `details` that say how a call went; a tool's own data must not use these names. */
export const OUTCOME_FIELDS = ["status", "ok", "success", "error", "timedOut", "exitCode"] as const;

/**
 * How a call that returned normally went, by the outcome fields of its `details`: undefined when it
 * counts as done, else the kind of failure. Only plain objects are graded. An explicit `ok` or
 * `success` outweighs a failing `status`, but neither an `error`, nor a timeout, nor a non-zero exit code.
 */
export function gradeOutcome(details: unknown): FailureKind | undefined {
  if (typeof details !== "object" || details === null || Array.isArray(details)) return undefined;
  const { status, ok, success, error, timedOut, exitCode } = details as Record<string, unknown>;
  const word = typeof status === "string" ? status.trim().toLowerCase() : "";
  if (!hasFailed()) return undefined;
  if (BLOCKED.has(word)) return "blocked";
  if (timedOut === true || word === "timeout" || word === "timed_out") return "timed_out";
  return CANCELLED.has(word) ? "cancelled" : "failed";

  function hasFailed(): boolean {
    if (ok === false || success === false) return true;
    if (FAILED_STATUS.has(word) && ok !== true && success !== true) return true;
    if (timedOut === true || error) return true;
    if (word === "completed") return false;
    return typeof exitCode === "number" && Number.isFinite(exitCode) && exitCode !== 0;
  }
}

/**
 * The same for `details` as a tool returned them, of which `json` is the JSON form. Only the outcome
 * fields are looked at, however large the rest is, unless the object has a JSON form of its own.
 */
export function gradeDetails(details: unknown, json: string): FailureKind | undefined {
  if (typeof details !== "object" || details === null || Array.isArray(details)) return undefined;
  const fields = details as Record<string, unknown>;
  if (typeof fields.toJSON === "function") return gradeOutcome(JSON.parse(json));
  const picked = OUTCOME_FIELDS.flatMap((name) =>
    Object.hasOwn(fields, name) ? [[name, fields[name]]] : [],
  );
  // Through JSON, which drops what the cell does not get either, such as a function called `error`.
  return gradeOutcome(JSON.parse(JSON.stringify(Object.fromEntries(picked))));
}
