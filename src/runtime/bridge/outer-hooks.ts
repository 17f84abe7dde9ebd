import type { BeforeToolCall } from "../../catalog/hooks.js";
import { runInPluginScope } from "../../plugin-scope.js";
import type { CellLanguage, CellResult, CellSessionOptions } from "../types.js";
import { messageChain } from "./failure.js";
import { requireApproval, runAfterHooks, runBeforeHooks } from "./hooks.js";
import { untilAborted } from "./until-aborted.js";

/** A cell as hooks and the approver left it. */
export type AdmittedCell =
  | { ok: true; input: unknown; after: (result: CellResult) => Promise<void> }
  | { ok: false; error: string };

/**
 * Takes a whole cell through the hooks that stand around tool calls, as the call of `exec` it is. They
 * can tell it from a shell's `exec` by `toolKind`, may rewrite its source under `code` or `command`, and
 * may refuse it; an approval that `signal` interrupts leaves the cell to end as aborted. `after` tells them of the result; what they return is not used, for a cell's result is
 * not a tool's. Without hooks nothing is done.
 */
export async function admitCell(
  input: unknown,
  toolCallId: string,
  { hooks, approve }: Pick<CellSessionOptions, "hooks" | "approve">,
  signal: AbortSignal = new AbortController().signal,
): Promise<AdmittedCell> {
  if (hooks === undefined || hooks.before.length + hooks.after.length === 0) {
    return { ok: true, input, after: async () => {} };
  }
  const event: BeforeToolCall = {
    toolName: "exec",
    toolCallId,
    params: input,
    toolKind: "code_mode_exec",
    toolInputKind: languageOf(input),
  };
  const asHook = <T>(run: () => Promise<T>): Promise<T> =>
    untilAborted(signal, () => runInPluginScope({ plugin: "a hook", onLateFault: () => {} }, run));
  try {
    const { params, rewritten } = await asHook(async () => {
      const verdict = await runBeforeHooks(hooks, event, "exec");
      const { params, approval } = verdict;
      if (approval !== undefined) {
        await requireApproval(approve, { toolName: "exec", params, ...approval, signal }, "exec");
      }
      return verdict;
    });
    const admitted = rewritten ? params : input;
    const startedAt = performance.now();
    return {
      ok: true,
      input: admitted,
      after: async (result) => {
        const durationMs = performance.now() - startedAt;
        const ended = { ...event, params: admitted, result, durationMs };
        await asHook(() => runAfterHooks(hooks, ended, "exec")).catch(() => {});
      },
    };
  } catch (error) {
    // The caller gave up: the run itself says so.
    if (signal.aborted) return { ok: true, input, after: async () => {} };
    return { ok: false, error: messageChain(error) };
  }
}

function languageOf(input: unknown): CellLanguage {
  const { language } = (input ?? {}) as { language?: unknown };
  return language === "typescript" ? "typescript" : "javascript";
}
