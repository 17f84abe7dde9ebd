import type { SchemaObject } from "./keywords.js";
import type { References } from "./refs.js";

/** How the type of one schema is written. */
export interface TypeStyle {
  /** Nesting below which everything is `unknown`. */
  depth: number;
  /** Names of helper types start with it. */
  aliasPrefix: string;
  /** The value is known to be an object, whatever the schema says. */
  rootIsObject: boolean;
  /** Fields by code unit, or required ones first and each group as written. */
  fieldOrder: "sorted" | "written";
  /** Top-level fields with a `default` may be left out. */
  defaultsOptional: boolean;
}

/** What the writers of object and array types need of the writer as a whole. */
export interface MemberWriter {
  readonly style: TypeStyle;
  readonly refs: References | undefined;
  /** Union members of the type of a value that matches all of `schemas`, found at `depth`. */
  child(schemas: readonly unknown[], depth: number): readonly string[];
  /** Names under `properties` of a facet. */
  names(facet: SchemaObject): readonly string[];
}

export const UNKNOWN: readonly string[] = ["unknown"];
export const NEVER: readonly string[] = ["never"];
export const ANY_OBJECT = "{ [key: string]: unknown }";
export const ANY_ARRAY = "Array<unknown>";

/** Distinct members, without `never`; `unknown` swallows all others. */
export function union(members: readonly string[]): readonly string[] {
  const distinct = new Set(members);
  if (distinct.has("unknown")) return UNKNOWN;
  distinct.delete("never");
  // A number with a range adds nothing to numbers.
  if (distinct.has("number")) {
    for (const member of distinct) if (member.startsWith("number /*")) distinct.delete(member);
  }
  return distinct.size === 0 ? NEVER : [...distinct];
}

/** The members as one type. */
export function join(members: readonly string[]): string {
  return members.join(" | ");
}
