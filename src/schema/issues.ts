import type { ErrorObject } from "ajv/dist/2020.js";
import { mergeAlternatives } from "./issue-alternatives.js";
import { issueText } from "./issue-text.js";
import { own, type SchemaObject } from "./keywords.js";

/** One failing place of a value. */
export interface SchemaIssue {
  /** `<root>`, or keys and array indexes joined by dots: `rows.1.id`. */
  path: string;
  /** What is wrong there; never holds the value itself. */
  text: string;
  /** Properties the schema does not know, with those it does and the value lacks. */
  unknown?: { names: string[]; candidates: string[] };
}

export interface CollectedIssues {
  issues: SchemaIssue[];
  omitted: number;
}

/** Most issues listed; the rest are counted. */
export const MOST_ISSUES = 8;
const MOST_ISSUE_BYTES = 256;
const CUT = " [truncated]";

/** Readable issues from the validator's errors: grouped, without repetition, the first 8 of them. */
export function collectIssues(errors: readonly ErrorObject[]): CollectedIssues {
  const issues: SchemaIssue[] = [];
  const seen = new Set<string>();
  const extras = new Map<string, SchemaIssue>();
  let total = 0;
  for (const error of mergeAlternatives(errors)) {
    const name = unknownProperty(error);
    if (name !== undefined) {
      const place = `${error.instancePath} ${error.schemaPath}`;
      const group = extras.get(place);
      if (group !== undefined) {
        group.unknown!.names.push(name);
        continue;
      }
      total += 1;
      const issue: SchemaIssue = {
        path: pathOf(error),
        text: "",
        unknown: { names: [name], candidates: candidates(error) },
      };
      extras.set(place, issue);
      issues.push(issue);
      continue;
    }
    const text = issueText(error);
    if (text === undefined) continue;
    const path = pathOf(error);
    const key = `${path}\n${text}`;
    if (seen.has(key)) continue;
    seen.add(key);
    total += 1;
    if (issues.length < MOST_ISSUES) issues.push({ path, text });
  }
  const listed = issues.slice(0, MOST_ISSUES);
  for (const issue of listed) {
    if (issue.unknown !== undefined) issue.text = `must not have ${more(issue.unknown.names)}`;
  }
  return { issues: listed, omitted: total - listed.length };
}

/** `path: text` of each issue, at most 256 UTF-8 bytes each (then cut and marked). */
export function formatIssues(result: CollectedIssues): string[] {
  return result.issues.map(({ path, text }) => cutToBytes(`${path}: ${text}`, MOST_ISSUE_BYTES));
}

/** `text` cut to at most `bytes` UTF-8 bytes plus ` [truncated]`, never inside a character. */
function cutToBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  let end = bytes;
  // A byte of this form continues a character.
  while (end > 0 && (encoded[end]! & 0xc0) === 0x80) end -= 1;
  return encoded.subarray(0, end).toString() + CUT;
}

function unknownProperty(error: ErrorObject): string | undefined {
  if (error.keyword === "additionalProperties") return String(error.params.additionalProperty);
  if (error.keyword === "unevaluatedProperties") return String(error.params.unevaluatedProperty);
  return undefined;
}

function candidates(error: ErrorObject): string[] {
  const properties = error.parentSchema && own(error.parentSchema as SchemaObject, "properties");
  const data: object = typeof error.data === "object" && error.data !== null ? error.data : {};
  return Object.keys(properties ?? {}).filter((name) => !Object.hasOwn(data, name));
}

const MOST_NAMES = 8;

function more(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => JSON.stringify(name));
  const rest = names.length - shown.length;
  const list = `${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  return names.length === 1 ? `the property ${list}` : `the properties ${list}`;
}

/** The readable path of an error; a missing property and a bad name are places of their own. */
function pathOf(error: ErrorObject): string {
  const segments = error.instancePath
    .split("/")
    .slice(1)
    .map((segment) => segment.replace(/~1/g, "/").replace(/~0/g, "~"));
  if (error.keyword === "required" || error.keyword === "dependentRequired") {
    segments.push(String(error.params.missingProperty));
  } else if (error.propertyName !== undefined) segments.push(error.propertyName);
  else if (error.keyword === "items" && typeof error.params.limit === "number")
    segments.push(String(error.params.limit));
  else if (error.keyword === "unevaluatedItems" && typeof error.params.len === "number")
    segments.push(String(error.params.len));
  if (segments.length === 0) return "<root>";
  return segments.map((segment) => visible(segment.replaceAll("/", "."))).join(".");
}

/** Control characters and line separators escaped, so that a key stays on its line. */
function visible(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
