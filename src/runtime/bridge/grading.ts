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

const MENTIONS_OUTCOME = new RegExp(`"(?:${OUTCOME_FIELDS.join("|")})"\\s*:`);

/** The same for compact JSON text, parsed only when it may hold an outcome field. */
export function gradeOutcomeJson(json: string): FailureKind | undefined {
  return json.startsWith("{") && MENTIONS_OUTCOME.test(json) ? gradeOutcome(JSON.parse(json)) : undefined;
}
