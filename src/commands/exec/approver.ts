import type { Approver } from "../../catalog/hooks.js";
import { UsageFailure } from "../../errors.js";
import { escapeUntrustedLine } from "../../ui/escape.js";
import type { CommandContext } from "../command.js";

const MODES = ["always", "never", "ask"] as const;
const SHOWN_CHARACTERS = 400;

async function ask(question: string, signal: AbortSignal): Promise<boolean> {
  const { createInterface } = await import("node:readline/promises");
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await prompt.question(`${question} [y/N] `, { signal })).trim());
  } catch {
    return false;
  } finally {
    prompt.close();
  }
}

/**
 * Who answers when a hook or policy wants a tool call approved: `--approve always|never|ask`. Without the flag a
 * terminal is asked and anything else refuses.
 */
export function createApprover(mode: string | undefined, { reporter, signal }: CommandContext): Approver {
  if (mode !== undefined && !(MODES as readonly string[]).includes(mode)) {
    throw new UsageFailure(`--approve ${mode}: use always, never or ask`);
  }
  if (mode === "always") return async () => true;
  const terminal = process.stdin.isTTY === true && process.stderr.isTTY === true && !reporter.json;
  if (mode === "never" || !terminal) return async () => false;
  // One question at a time: parallel calls would otherwise share a prompt.
  let last: Promise<unknown> = Promise.resolve();
  return (request) => {
    const input = escapeUntrustedLine(JSON.stringify(request.params) ?? "").slice(0, SHOWN_CHARACTERS);
    const what = escapeUntrustedLine(request.title ?? `Run ${request.toolName}`);
    const answer = last.then(() => ask(`${what} with ${input}?`, signal));
    last = answer.catch(() => {});
    return answer;
  };
}
