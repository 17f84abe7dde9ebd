import type {
  AfterToolCall,
  BeforeToolCall,
  BeforeToolCallDecision,
  ToolHooks,
} from "../../catalog/hooks.js";
import { isRecord } from "./manifest.js";

type Handler = (event: unknown, context: unknown) => unknown;

interface Ranked<T> {
  priority: number;
  hook: T;
}

function priorityOf(options: unknown): number {
  const priority = isRecord(options) ? options.priority : undefined;
  return typeof priority === "number" && Number.isFinite(priority) ? priority : 0;
}

function asDecision(answer: unknown): BeforeToolCallDecision | undefined {
  return isRecord(answer) ? (answer as BeforeToolCallDecision) : undefined;
}

function contextOf(event: BeforeToolCall): Record<string, unknown> {
  return { toolName: event.toolName, toolCallId: event.toolCallId };
}

/**
 * Keeps handlers of `before_tool_call` and `after_tool_call`, higher `priority` first, ties in
 * registration order. Handlers of other events are accepted and never called.
 */
export function createHookRecorder(target: { hooks: ToolHooks }): {
  add: (events: unknown, handler: unknown, options?: unknown) => void;
} {
  const before: Ranked<ToolHooks["before"][number]>[] = [];
  const after: Ranked<ToolHooks["after"][number]>[] = [];
  const insert = <T>(list: Ranked<T>[], hook: T, priority: number): T[] => {
    const at = list.findIndex((other) => other.priority < priority);
    list.splice(at < 0 ? list.length : at, 0, { priority, hook });
    return list.map((entry) => entry.hook);
  };
  const add = (events: unknown, handler: unknown, options?: unknown): void => {
    if (typeof handler !== "function") throw new TypeError("a hook needs a handler function");
    const call = handler as Handler;
    const names = Array.isArray(events) ? events : [events];
    if (names.includes("before_tool_call")) {
      const hook = async (event: BeforeToolCall) => asDecision(await call(event, contextOf(event)));
      target.hooks.before = insert(before, hook, priorityOf(options));
    }
    if (names.includes("after_tool_call")) {
      // Observers often return whatever their last expression gives; only an explicit result replaces.
      const hook = async (event: AfterToolCall) => {
        const answer = await call(event, contextOf(event));
        return isRecord(answer) && Object.hasOwn(answer, "result") ? answer.result : undefined;
      };
      target.hooks.after = insert(after, hook, priorityOf(options));
    }
  };
  return { add };
}
