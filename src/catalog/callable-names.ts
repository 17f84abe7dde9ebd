import { createHash } from "node:crypto";
import { compareNames } from "../text/order.js";
import { isReservedCallable } from "./reserved-names.js";

export interface Nameable {
  /** Catalog id: the stable source of a suffix. */
  id: string;
  /** Exact tool name. */
  name: string;
}

/**
 * The identifier nearest to a tool name: each UTF-16 unit outside `[A-Za-z0-9_$]` becomes `_`, and
 * `tool_` goes in front of what could not begin an identifier or would look like one of the host's own.
 */
export function normalizedName(name: string): string {
  const base = name.replace(/[^A-Za-z0-9_$]/g, "_");
  return /^[A-Za-z_$]/.test(base) && !base.startsWith("__openclaw") ? base : `tool_${base}`;
}

/**
 * The bare global of every tool, by catalog id. A tool whose own name is already a free identifier keeps
 * it whatever the others are called; the rest are placed by normalised name and id. A name that is
 * reserved or taken gets `_` and as many hexadecimal digits of its id's SHA-256 as it takes, at least 8.
 */
export function assignCallableNames(tools: readonly Nameable[]): Map<string, string> {
  const assigned = new Map<string, string>();
  const taken = new Set<string>();
  const rest: (Nameable & { base: string })[] = [];
  for (const { id, name } of tools) {
    const base = normalizedName(name);
    if (base === name && !isReservedCallable(name) && !taken.has(name)) {
      taken.add(name);
      assigned.set(id, name);
    } else {
      rest.push({ id, name, base });
    }
  }
  rest.sort((a, b) => compareNames(a.base, b.base) || compareNames(a.id, b.id));
  for (const { id, base } of rest) {
    const name = freeName(base, id, taken);
    taken.add(name);
    assigned.set(id, name);
  }
  return assigned;
}

function freeName(base: string, id: string, taken: ReadonlySet<string>): string {
  if (!isReservedCallable(base) && !taken.has(base)) return base;
  const hash = createHash("sha256").update(id).digest("hex");
  for (let digits = 8; ; digits += 2) {
    // Padding keeps this loop finite even if someone registers every prefix of the hash as a name.
    const name = `${base}_${hash.padEnd(digits, "0").slice(0, digits)}`;
    if (!taken.has(name)) return name;
  }
}
