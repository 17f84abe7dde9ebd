import { fitErrorText } from "../output/error-text.js";
import type { BridgeReply } from "./types.js";

/** Why a request failed, as the guest may branch on it. */
export type FailureCode =
  | "invalid_input"
  | "input_contract"
  | "output_contract"
  | "invalid_contract"
  | "tool_error";

/**
 * A request that failed for a reason the cell may know. Without a code the guest sees a plain error:
 * bad API paths and cancellation.
 */
export class BridgeFailure extends Error {
  constructor(
    message: string,
    readonly code?: FailureCode,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "BridgeFailure";
  }
}

/** The run was dropped or its session closed. */
export function cancelled(): BridgeFailure {
  return new BridgeFailure("the call was cancelled");
}

/** Longest chain of causes that is followed. */
const CAUSES = 8;

/**
 * What may be said of anything thrown: messages only, causes and the members of an AggregateError behind
 * it, `outer | inner`. No name, stack or field of a host error ever crosses. Never throws, whatever
 * getters do.
 */
export function messageChain(thrown: unknown): string {
  const messages: string[] = [];
  const queue: unknown[] = [thrown];
  const seen = new Set<unknown>();
  while (queue.length > 0 && messages.length < CAUSES) {
    const error = queue.shift();
    if (seen.has(error)) continue;
    seen.add(error);
    const message = ownMessage(error);
    if (message !== "" && messages.at(-1) !== message) messages.push(message);
    queue.push(...membersOf(error));
    const cause = read(error, "cause");
    if (cause !== undefined) queue.push(cause);
  }
  return messages.length === 0 ? "failed without a message" : messages.join(" | ");
}

/** The first members of an AggregateError; a list that is none of ours may be anything. */
function membersOf(error: unknown): unknown[] {
  try {
    const members = read(error, "errors");
    if (!Array.isArray(members)) return [];
    return Array.from({ length: Math.min(members.length, CAUSES) }, (_, index) => members[index] as unknown);
  } catch {
    return [];
  }
}

/** As `instanceof`, which a proxy or a revoked one can turn into a throw. */
export function isInstance<T>(value: unknown, type: abstract new (...args: never[]) => T): value is T {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}

function read(value: unknown, key: string): unknown {
  try {
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  } catch {
    return undefined;
  }
}

function ownMessage(thrown: unknown): string {
  if (typeof thrown === "string") return thrown.trim();
  const message = read(thrown, "message");
  if (typeof message === "string" && message.trim() !== "") return message.trim();
  try {
    if (thrown instanceof Error) return "";
    if (typeof thrown === "object" && thrown !== null) return JSON.stringify(thrown)?.slice(0, 500) ?? "";
    return thrown === undefined ? "" : String(thrown);
  } catch {
    return "";
  }
}

export interface FailureContext {
  /** Bytes an error message may take. */
  maxBytes: number;
  /** Replaces the internal id of the tool that was called by the name the cell knows. */
  rename?: { id: string; callableName: string } | undefined;
}

/** The reply for anything thrown while a request was served; what is not ours counts as `tool_error`. */
export function failureReply(thrown: unknown, context: FailureContext): BridgeReply {
  let message = messageChain(thrown);
  if (context.rename !== undefined) {
    message = message.replaceAll(context.rename.id, context.rename.callableName);
  }
  const code = isInstance(thrown, BridgeFailure) ? thrown.code : "tool_error";
  const fitted = fitErrorText(message, context.maxBytes);
  return {
    ok: false,
    message: fitted,
    ...(code === undefined ? {} : { code, effectStatus: "unknown" as const }),
  };
}
