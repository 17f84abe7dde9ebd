import type { SourcePlace } from "../ui/source-lines.js";

/** What kind of thing a check found; more may be added. */
export type CheckCode =
  | "syntax"
  | "unknown_name"
  | "unknown_property"
  | "unknown_tool"
  | "input_contract"
  | "missing_await"
  | "possibly_null"
  | "unknown_shape"
  | "type_error";

/** One finding about a cell, at a place of the author's source. */
export interface CheckFinding extends SourcePlace {
  /** Errors are provable: the cell would fail, or use what is not there. */
  severity: "error" | "warning";
  code: CheckCode;
  /** One line without the place; holds the declared type that was missed where there is one. */
  message: string;
  /** What to do, one sentence. */
  fix?: string;
}

/** A finding before its place is known as line and column. */
export interface Found extends Omit<CheckFinding, "line" | "column"> {
  offset: number;
}

const MOST_TYPE = 300;

/** A declared type as part of a message: one line, bounded. */
export function shownType(text: string): string {
  const line = text.replace(/\s+/g, " ").replace(/; }/g, " }");
  return line.length > MOST_TYPE ? `${line.slice(0, MOST_TYPE - 1)}…` : line;
}

/** `Did you mean` with the candidates, when there are any. */
export function didYouMean(names: readonly string[]): { fix: string } | undefined {
  if (names.length === 0) return undefined;
  const quoted = names.map((name) => `\`${name}\``);
  return { fix: `Did you mean ${quoted.join(" or ")}?` };
}
