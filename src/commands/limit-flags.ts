import { type CodeModeLimits, LIMIT_NAMES, LIMIT_RULES, resolveLimits } from "../config/limits.js";
import { UsageFailure } from "../errors.js";
import { nearest } from "../text/nearest.js";
import type { Reporter } from "../ui/reporter.js";

/**
 * Limits from configuration with `--limit name=value` flags on top. Out of range clamps with one line on
 * stderr.
 * @throws UsageFailure for an unknown name or a value that is not a whole number
 */
export function limitsFromFlags(
  base: Partial<Record<keyof CodeModeLimits, unknown>>,
  flags: readonly string[] | undefined,
  reporter: Reporter,
): CodeModeLimits {
  const asked: Partial<Record<keyof CodeModeLimits, unknown>> = { ...base };
  const given = new Set<string>();
  for (const flag of flags ?? []) {
    const at = flag.indexOf("=");
    const name = at < 0 ? flag : flag.slice(0, at);
    const value = at < 0 ? "" : flag.slice(at + 1).replaceAll("_", "");
    if (!(LIMIT_NAMES as string[]).includes(name)) {
      const [close] = nearest(name, LIMIT_NAMES);
      throw new UsageFailure(
        `--limit ${flag}: no limit is called \`${name}\``,
        close === undefined ? `Limits: ${LIMIT_NAMES.join(", ")}.` : `Did you mean \`${close}\`?`,
      );
    }
    if (!/^-?\d+$/.test(value)) {
      throw new UsageFailure(
        `--limit ${flag}: give a whole number, as in ${name}=${LIMIT_RULES[name as keyof CodeModeLimits].default}`,
      );
    }
    asked[name as keyof CodeModeLimits] = Math.max(1, Number(value));
    given.add(name);
  }
  return resolveLimits(asked, (name, wanted, used) => {
    if (given.has(name)) reporter.warn(`--limit ${name}=${wanted} is out of range; using ${used}`);
  });
}
