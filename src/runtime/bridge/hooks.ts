import type { AfterToolCall, Approver, BeforeToolCall, ToolHooks } from "../../catalog/hooks.js";
import { BridgeFailure, messageChain } from "./failure.js";
import { toJson } from "./tool-result.js";

/** What hooks decided about a call that may go on. */
export interface HookVerdict {
  /** Parameters to run with; the ones asked for unless a hook replaced them. */
  params: unknown;
  rewritten: boolean;
  /** Set when a hook wants somebody asked. */
  approval?: { title?: string; description?: string };
}

/**
 * Runs the hooks before a call in their order; each sees what the ones before made of the parameters, as
 * a copy of its own. A hook that fails stops the call: one that was to protect something must not be
 * passed by breaking.
 * @param name what the cell calls the tool, for messages
 * @throws BridgeFailure `tool_error` when a hook blocks the call or fails
 */
export async function runBeforeHooks(
  hooks: ToolHooks | undefined,
  event: BeforeToolCall,
  name: string,
): Promise<HookVerdict> {
  const verdict: HookVerdict = { params: event.params, rewritten: false };
  for (const hook of hooks?.before ?? []) {
    const decision = await attempt("before", name, () =>
      hook({ ...event, params: copyOf(verdict.params, name) }),
    );
    if (typeof decision !== "object" || decision === null) continue;
    if (decision.block === true) {
      const reason = typeof decision.blockReason === "string" ? decision.blockReason.trim() : "";
      throw new BridgeFailure(
        `${name} was blocked: ${reason || "a hook of a plugin refused it"}`,
        "tool_error",
      );
    }
    if (decision.params !== undefined) {
      verdict.params = copyOf(decision.params, name);
      verdict.rewritten = true;
    }
    if (decision.requireApproval) {
      verdict.approval = { ...describedApproval(decision.requireApproval), ...verdict.approval };
    }
  }
  return verdict;
}

/**
 * Asks whether a call may run.
 * @throws BridgeFailure `tool_error` when it may not, or nobody can be asked
 */
export async function requireApproval(
  approve: Approver | undefined,
  request: Parameters<Approver>[0],
  name: string,
): Promise<void> {
  if (approve === undefined) {
    throw new BridgeFailure(`${name} needs an approval, and there is nobody to give it`, "tool_error");
  }
  let granted: boolean;
  try {
    granted = (await approve(request)) === true;
  } catch (error) {
    throw new BridgeFailure(`the approval of ${name} failed: ${messageChain(error)}`, "tool_error");
  }
  if (!granted) {
    const why = request.description ?? request.title;
    throw new BridgeFailure(`${name} was not approved${why === undefined ? "" : `: ${why}`}`, "tool_error");
  }
}

/**
 * Runs the hooks after a call in their order and returns the result they leave: a hook replaces it by
 * returning anything but undefined. A hook that fails makes the call fail, since it may have been there
 * to withhold something.
 */
export async function runAfterHooks(
  hooks: ToolHooks | undefined,
  event: AfterToolCall,
  name: string,
): Promise<unknown> {
  let result = event.result;
  for (const hook of hooks?.after ?? []) {
    const replacement = await attempt("after", name, () =>
      hook({ ...event, ...(event.error === undefined ? { result } : {}) }),
    );
    if (replacement !== undefined && event.error === undefined) result = replacement;
  }
  return result;
}

async function attempt<T>(when: "before" | "after", name: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new BridgeFailure(
      `the ${when}_tool_call hook failed for ${name}: ${messageChain(error)}`,
      "tool_error",
    );
  }
}

function describedApproval(asked: true | { title?: string; description?: string }): {
  title?: string;
  description?: string;
} {
  if (typeof asked !== "object") return {};
  const { title, description } = asked;
  return {
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof description === "string" ? { description } : {}),
  };
}

function copyOf(params: unknown, name: string): unknown {
  return JSON.parse(toJson(params, `the parameters of ${name}`));
}
