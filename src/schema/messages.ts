import { nearest } from "../text/nearest.js";
import type { CheckResult } from "./compile.js";
import { formatIssues } from "./issues.js";

const MOST_SUGGESTIONS = 3;
const MOST_COMPARED = 8;
const LONGEST_COMPARED = 64;

/**
 * Message of a refused call: every failing place, misspelt properties with what was probably meant, and
 * the compact input hint unless it says nothing. `name` is the callable name.
 */
export function describeInputIssues(name: string, result: CheckResult, hint = "unknown"): string {
  const meant = suggestions(result);
  return [
    `Input of ${name} is not valid: ${list(result)}.`,
    meant.length > 0 ? `Did you mean: ${meant.join(", ")}?` : undefined,
    hint === "unknown" ? undefined : `Expected input: ${hint}.`,
  ]
    .filter((part) => part !== undefined)
    .join(" ");
}

/** Message of a result that breaks the tool's declared output contract; the value is never shown. */
export function describeOutputIssues(name: string, result: CheckResult): string {
  return `Output of ${name} does not match its outputSchema: ${list(result)}.`;
}

/** Message of a call that cannot run because a schema of the tool does not compile. */
export function describeInvalidContract(
  name: string,
  which: "parameters" | "outputSchema",
  problem: string,
): string {
  return `${name} cannot run: its ${which} is not a usable JSON Schema (${problem}).`;
}

function list(result: CheckResult): string {
  const issues = formatIssues(result).join("; ");
  if (result.omitted > 0) return `${issues}; and ${result.omitted} more`;
  return result.partial ? `${issues}; the value is too large to list more` : issues;
}

function suggestions({ issues }: CheckResult): string[] {
  const found = new Set<string>();
  for (const { unknown } of issues) {
    if (unknown === undefined) continue;
    // A caller may send any number of names of any length.
    const names = unknown.names.slice(0, MOST_COMPARED).filter((name) => name.length <= LONGEST_COMPARED);
    for (const name of names) {
      for (const candidate of nearest(name, unknown.candidates, MOST_SUGGESTIONS)) found.add(candidate);
    }
  }
  return [...found].slice(0, MOST_SUGGESTIONS);
}
