import type { PreparedCell } from "../prepare/types.js";
import type { CellErrorCode, FailurePhase } from "../types.js";
import type { LegOutcome, ReasonPart } from "../worker/protocol.js";

/** How a run failed, before budgets are applied. */
export interface Failure {
  code: CellErrorCode;
  error: string;
  /** Set when the failure has a phase of its own, whatever was dispatched. */
  phase?: FailurePhase;
}

/** An uncaught reference to what only a module or a Node process has. */
const MODULE_NAME = /^ReferenceError: (require|module|process) is not defined$/;

/** The failure an outcome of the guest means; undefined when it is a value. */
export function failureOf(
  outcome: LegOutcome,
  cell: PreparedCell,
  limits: FailureLimits,
): Failure | undefined {
  switch (outcome.kind) {
    case "value":
      return undefined;
    case "timeout":
      return {
        code: "timeout",
        error: `code mode timeout exceeded: the cell was still busy after ${limits.timeoutMs} ms (limit timeoutMs)`,
      };
    case "stuck":
      return {
        code: "internal_error",
        error:
          "code mode promise is pending without host work: the cell awaits something that no call, timer or other code can settle",
      };
    case "overflow":
      return {
        code: "invalid_input",
        phase: "input",
        error: `too many pending calls: ${limits.maxPendingToolCalls} may run at once and 128 more may wait; await some of them before making more`,
      };
    case "refused":
      return refusal(outcome.reason, cell);
    case "memory":
      return { code: "internal_error", error: reasonText(outcome.reason, cell) };
    case "thrown":
      return thrownFailure(outcome.reason, cell);
  }
}

export interface FailureLimits {
  timeoutMs: number;
  maxPendingToolCalls: number;
}

function refusal(reason: readonly ReasonPart[], cell: PreparedCell): Failure {
  const { header, stack } = reason[0]!;
  const message = /^SyntaxError: ([\s\S]*)$/.exec(header)?.[1];
  if (message === undefined) return { code: "internal_error", error: reasonText(reason, cell) };
  return { code: "invalid_input", phase: "input", error: cell.syntaxError(message, stack) };
}

function thrownFailure(reason: readonly ReasonPart[], cell: PreparedCell): Failure {
  const header = reason[0]?.header ?? "";
  if (MODULE_NAME.test(header)) {
    const name = MODULE_NAME.exec(header)![1]!;
    const frames = cell.mapFrames(reason[0]!.stack);
    return {
      code: "invalid_input",
      phase: "input",
      error: `code mode module access is disabled: a cell has no ${name}; call a tool instead\n${frames}`,
    };
  }
  return { code: "internal_error", error: reasonText(reason, cell) };
}

function reasonText(reason: readonly ReasonPart[], cell: PreparedCell): string {
  let text = "";
  for (const { label, header, stack } of reason) {
    if (text !== "" && !text.endsWith("\n")) text += "\n";
    const frames = cell.mapFrames(stack);
    text += `${label}${header}${frames === "" ? "" : `\n${frames}`}`;
  }
  return text;
}
