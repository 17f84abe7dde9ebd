import { messageOf } from "../errors.js";
import type { ChildEnd } from "./child.js";
import type { ResolvedServer } from "./expand.js";

/** Whether the transport went away, rather than the server saying no. */
export function isClosed(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === -32000 || /connection closed|not connected|write after end|EPIPE/i.test(messageOf(error));
}

/** How a process ended. */
export function endText({ code, signal }: ChildEnd): string {
  return signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`;
}

/** A time as people say it. */
export function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Number((ms / 1000).toFixed(1))} s`;
}

/** The words of a failure without the decoration of the layers it came through. */
export function describe(error: unknown, resolved: ResolvedServer): string {
  const own = issuesOf(messageOf(error).replace(/^MCP error -?\d+: /, ""));
  if (resolved.kind === "stdio") return own;
  const status = (error as { code?: unknown }).code;
  const cause = (error as { cause?: unknown }).cause;
  const { origin, pathname } = new URL(resolved.url);
  if (typeof status === "number" && status >= 100 && status < 600) {
    return `${origin}${pathname} answered HTTP ${status}`;
  }
  if (cause instanceof Error) {
    const detail = messageOf(cause) || String((cause as { code?: unknown }).code ?? "");
    return `${origin} cannot be reached: ${detail}`;
  }
  return own;
}

/** What the protocol layer says of an answer of the wrong form is a list in JSON; as text it is one line. */
function issuesOf(message: string): string {
  if (!message.startsWith("[")) return message;
  try {
    const issues = JSON.parse(message) as { path: unknown[]; message: string }[];
    const texts = issues.slice(0, 3).map(({ path, message: text }) => `${path.join(".")}: ${text.trim()}`);
    return `it answered with something that is not valid: ${texts.join("; ")}`;
  } catch {
    return message;
  }
}
