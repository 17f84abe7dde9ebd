import { relative } from "node:path";
import type { Finding } from "../../plugin/author/finding.js";
import type { Reporter } from "../../ui/reporter.js";

/** Findings on stderr: one line each, what to do indented below it. */
export function printFindings(reporter: Reporter, findings: readonly Finding[]): void {
  for (const { severity, message, fix } of findings) {
    const text = `${message}\n  fix: ${fix}`;
    if (severity === "error") reporter.problem("error", text);
    else reporter.warn(text);
  }
}

/** A path as the user would type it: relative where that is shorter and stays below. */
export function typed(cwd: string, file: string): string {
  const path = relative(cwd, file);
  return path === "" ? "." : path.startsWith("..") ? file : path;
}
