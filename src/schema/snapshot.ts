import { isObject, setOwn } from "./keywords.js";
import { below, type Place, pointer } from "./pointer.js";

/** Something inside a schema that JSON cannot hold. */
export interface ForeignPart {
  /** JSON Pointer of the place, `#` at the root. */
  path: string;
  /** What is there. */
  what: string;
  /** What to write instead. */
  instead: string;
  /** Whether the schema cannot be used with it; otherwise it is merely lost on the way to JSON. */
  fatal: boolean;
}

/** A schema as plain JSON: no getters, classes or cycles; parts used twice stay one shared object. */
export interface Snapshot {
  readonly value: unknown;
  readonly parts: readonly ForeignPart[];
  /** Set when the schema is larger than `MOST_VALUES`; `value` is `true` then. */
  readonly tooLarge: boolean;
}

/** Most values (objects, arrays and leaves) a schema may consist of; shared parts count once. */
export const MOST_VALUES = 50_000;
const MOST_PARTS = 100;

const cache = new WeakMap<object, Snapshot>();

/**
 * Copies a schema, whatever it is, into plain JSON. Never throws, never runs for long: it is iterative,
 * visits a shared part once and stops at `MOST_VALUES`. Cached per object, so a schema must not change
 * after its first use.
 */
export function snapshot(schema: unknown): Snapshot {
  if (typeof schema !== "object" || schema === null) return take(schema);
  let known = cache.get(schema);
  if (known === undefined) {
    known = take(schema);
    cache.set(schema, known);
    // A copy is its own snapshot.
    if (isObject(known.value)) cache.set(known.value, { ...known, parts: [] });
  }
  return known;
}

interface Frame {
  source: object;
  copy: object;
  place: Place | undefined;
  /** Names of an object; an array is copied by index. */
  keys: readonly string[] | undefined;
  length: number;
  next: number;
}

function take(schema: unknown): Snapshot {
  const parts: ForeignPart[] = [];
  const report = (place: Place | undefined, what: string, instead: string, fatal = true): void => {
    if (parts.length < MOST_PARTS) parts.push({ path: pointer(place), what, instead, fatal });
  };
  const done = new Map<object, object>();
  const active = new Set<object>();
  const stack: Frame[] = [];
  let count = 0;

  // Copies a leaf or opens a frame; the copy of an object is filled while its frame is on the stack.
  const enter = (value: unknown, parent: Place | undefined, key?: string): unknown => {
    count += 1;
    if (isPlainLeaf(value)) return value;
    const place = key === undefined ? parent : below(parent, key);
    if (typeof value !== "object" || value === null) return foreignLeaf(value, place, report);
    const copied = done.get(value);
    if (copied !== undefined) return copied;
    if (active.has(value)) {
      report(place, "a schema that contains itself", "a $ref to a named definition (Type.Cyclic in TypeBox)");
      return true;
    }
    const foreign = foreignObject(value);
    if (foreign !== undefined) {
      report(place, foreign.what, foreign.instead);
      return true;
    }
    reportHidden(value, place, report);
    const keys = Array.isArray(value) ? undefined : Object.keys(value);
    const length = keys?.length ?? (value as unknown[]).length;
    // A sparse array may claim any length.
    if (length > MOST_VALUES) count += length;
    const copy: object = keys === undefined ? [] : {};
    active.add(value);
    stack.push({ source: value, copy, place, keys, length, next: 0 });
    return copy;
  };

  try {
    const value = enter(schema, undefined);
    while (stack.length > 0) {
      const frame = stack[stack.length - 1]!;
      if (frame.next === frame.length) {
        stack.pop();
        active.delete(frame.source);
        done.set(frame.source, frame.copy);
        continue;
      }
      const key = frame.keys?.[frame.next] ?? String(frame.next);
      frame.next += 1;
      if (count > MOST_VALUES) return { value: true, parts, tooLarge: true };
      const member = (frame.source as Record<string, unknown>)[key];
      if (Array.isArray(frame.copy)) {
        frame.copy.push(member === undefined ? null : enter(member, frame.place, key));
      } else if (member !== undefined) {
        setOwn(frame.copy, key, enter(member, frame.place, key));
      }
    }
    return { value, parts, tooLarge: false };
  } catch {
    report(stack[stack.length - 1]?.place, "a property that cannot be read", "a plain object");
    return { value: true, parts, tooLarge: false };
  }
}

type Report = (place: Place | undefined, what: string, instead: string, fatal?: boolean) => void;

function isPlainLeaf(value: unknown): boolean {
  return (
    value === null ||
    typeof value === "string" ||
    typeof value === "boolean" ||
    (typeof value === "number" && Number.isFinite(value)) ||
    value === undefined
  );
}

/** Reports a value that is neither an object nor JSON; `true` stands in for it. */
function foreignLeaf(value: unknown, place: Place | undefined, report: Report): true {
  if (typeof value === "bigint") report(place, "a bigint", "a number, or a string for large values");
  else if (typeof value === "function") report(place, "a function", "a JSON value");
  else if (typeof value === "symbol") report(place, "a symbol", "a string");
  else report(place, String(value), "a finite number");
  return true;
}

function foreignObject(value: object): { what: string; instead: string } | undefined {
  if ("_zod" in value || "_def" in value) {
    return { what: "a Zod schema", instead: "the JSON Schema made from it (z.toJSONSchema)" };
  }
  const tag = Object.prototype.toString.call(value);
  switch (tag) {
    case "[object Object]":
    case "[object Array]":
      return undefined;
    case "[object RegExp]":
      return { what: "a regular expression object", instead: "its source as a string" };
    case "[object Date]":
      return { what: "a Date object", instead: "an ISO 8601 string" };
    default:
      return { what: `a ${tag.slice(8, -1)} object`, instead: "plain JSON" };
  }
}

// TypeBox keeps code of Codec and Refine beside the schema, out of sight of JSON.
function reportHidden(value: object, place: Place | undefined, report: Report): void {
  for (const [key, name] of [
    ["~codec", "Type.Codec"],
    ["~refine", "Type.Refine"],
  ] as const) {
    if (Object.hasOwn(value, key)) {
      report(place, `${name}, whose code JSON cannot carry`, "prepareArguments, or a plain schema", false);
    }
  }
  for (const key of Object.getOwnPropertySymbols(value)) {
    const held = (value as Record<symbol, unknown>)[key];
    if (isObject(held) || typeof held === "function") {
      report(place, `${String(key)}, whose content JSON cannot carry`, "a plain schema", false);
    }
  }
}
