import { inspectText } from "./inspect.js";
import {
  append,
  construct,
  defineProperty,
  ErrorType,
  indexOf,
  isArray,
  isError,
  type List,
  min,
  newList,
  PromiseType,
  slice,
  symbolText,
  toText,
} from "./primordials.js";
import { quote, withoutOwnFrames } from "./text.js";

const MAX_CAUSES = 5;
const MAX_MEMBERS = 8;

/** Raw frames of this moment, the controller's among them. */
export function callSite(): string {
  const stack: unknown = (construct(ErrorType, []) as Error).stack;
  return typeof stack === "string" ? stack : "";
}

/** What a call site looks like to the cell: its own frames only. */
function cellFrames(site: string): string {
  const kept = withoutOwnFrames(site);
  const at = indexOf(kept, "(native)\n");
  return at === -1 ? kept : slice(kept, at + 9);
}

/** Runs `body`; what it throws loses the controller's frames before the cell sees it. */
export function cleanly<T>(body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (isError(error)) {
      const stack: unknown = (error as Error).stack;
      if (typeof stack === "string") setStack(error as Error, withoutOwnFrames(stack));
    }
    throw error;
  }
}

function setStack(error: Error, stack: string): void {
  defineProperty(error, "stack", {
    __proto__: null,
    value: stack,
    writable: true,
    enumerable: false,
    configurable: true,
  } as PropertyDescriptor);
}

export interface FailurePayload {
  message: string;
  code?: string;
  effectStatus?: string;
  /** Call-site frames in the author's places. */
  location?: string;
}

/** The `Error` a failed request rejects with. Its stack is the raw call site, which results map. */
export function requestError(payload: FailurePayload, rawSite: string): Error {
  const error = construct(ErrorType, [payload.message]) as Error;
  setStack(error, cellFrames(rawSite));
  field(error, "location", payload.location ?? "");
  if (typeof payload.code === "string") field(error, "code", payload.code);
  if (typeof payload.effectStatus === "string") field(error, "effectStatus", payload.effectStatus);
  return error;
}

function field(error: Error, key: string, value: string): void {
  defineProperty(error, key, {
    __proto__: null,
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  } as PropertyDescriptor);
}

/** An error of ours with a code, thrown or rejected without crossing to the host. */
export function localError(message: string, code: string, site: string): Error {
  const error = construct(ErrorType, [message]) as Error;
  setStack(error, cellFrames(site));
  field(error, "code", code);
  return error;
}

/**
 * What a reason says, for a failed result: a list of parts, each a header line and its raw frames. The
 * first is the reason itself, the others its causes and the members of an `AggregateError`.
 */
export function describeReason(reason: unknown): string {
  const parts = newList<string>();
  describeInto(parts, reason, "", 0);
  let text = "";
  for (let index = 0; index < parts.length; index++) text += `${index === 0 ? "" : ","}${parts[index]}`;
  return `[${text}]`;
}

function describeInto(parts: List<string>, reason: unknown, label: string, depth: number): void {
  if (!isError(reason)) {
    append(parts, part(label, thrownValue(reason), ""));
    return;
  }
  const error = reason as Error & { errors?: unknown };
  append(parts, part(label, header(error), frames(error)));
  if (depth >= MAX_CAUSES) return;
  const members = read(error, "errors");
  if (isArray(members)) {
    const shown = min(members.length, MAX_MEMBERS);
    for (let index = 0; index < shown; index++) {
      describeInto(parts, members[index], `error ${index + 1} of ${members.length}: `, depth + 1);
    }
  }
  const cause = read(error, "cause");
  if (cause !== undefined && cause !== null) describeInto(parts, cause, "caused by: ", depth + 1);
}

function part(label: string, head: string, stack: string): string {
  return `{"label":${quote(label)},"header":${quote(head)},"stack":${quote(stack)}}`;
}

function read(error: object, key: string): unknown {
  try {
    return (error as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

function header(error: Error): string {
  const name = textOr(read(error, "name"), "Error");
  const message = textOr(read(error, "message"), "");
  if (message === "") return name;
  return `${name}: ${message}`;
}

function textOr(value: unknown, fallback: string): string {
  if (value === undefined) return fallback;
  try {
    return typeof value === "symbol" ? symbolText(value) : toText(value);
  } catch {
    return fallback;
  }
}

function frames(error: Error): string {
  const stack = read(error, "stack");
  return typeof stack === "string" ? stack : "";
}

/** Text for a thrown value that is not an error: primitives as they are, the rest shown as data. */
function thrownValue(value: unknown): string {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) {
    return typeof value === "symbol" ? `Thrown ${symbolText(value)}` : toText(value);
  }
  return `Thrown ${inspectText(value)}`;
}

export function newPromise<T>(
  executor: (resolve: (value: T) => void, reject: (reason: unknown) => void) => void,
): Promise<T> {
  return construct(PromiseType, [executor]) as Promise<T>;
}
