import { setTimeout as sleep } from "node:timers/promises";
import { buildCatalog } from "../../src/catalog/build.js";
import { resolveLimits } from "../../src/config/limits.js";
import { createCellSession } from "../../src/runtime/session.js";
import type { CellLanguage, CellResult, CellSession } from "../../src/runtime/types.js";
import { difference } from "./compare.js";
import { fixtureTools } from "./fixture-tools.js";

export interface GoldenResult {
  status?: string;
  code?: string;
  error?: unknown;
  value?: unknown;
  output?: unknown[];
  reason?: string;
  pendingToolCalls?: { method: string }[];
  counts?: { search: number; describe: number; call: number };
}

export interface GoldenStep {
  step: "exec" | "wait" | "sleep";
  code?: unknown;
  args?: unknown;
  sleepMs?: number;
  abortAfterMs?: number;
  result?: GoldenResult;
}

export interface GoldenCell {
  id: string;
  area: string;
  tools?: string[];
  code?: unknown;
  args?: unknown;
  config?: Record<string, unknown>;
  steps?: GoldenStep[];
  result?: GoldenResult;
  timing?: boolean;
}

/** A session over the fixture tools a golden cell names. */
export function goldenSession(cell: Pick<GoldenCell, "tools" | "config">): CellSession {
  const { languages, ...numbers } = cell.config ?? {};
  const limits = resolveLimits(numbers);
  return createCellSession({
    catalog: buildCatalog(fixtureTools(cell.tools ?? []), limits),
    limits,
    ...(languages === undefined ? {} : { languages: languages as CellLanguage[] }),
  });
}

/** Runs a golden cell; the differences found, in order. */
export async function runGolden(cell: GoldenCell): Promise<string[]> {
  const session = goldenSession(cell);
  try {
    const steps: GoldenStep[] = cell.steps ?? [
      {
        step: "exec",
        ...("code" in cell ? { code: cell.code } : {}),
        ...("args" in cell ? { args: cell.args } : {}),
        ...(cell.result === undefined ? {} : { result: cell.result }),
      },
    ];
    return await runSteps(session, steps);
  } finally {
    await session.close();
  }
}

async function runSteps(session: CellSession, steps: readonly GoldenStep[]): Promise<string[]> {
  const found: string[] = [];
  const saved: string[] = [];
  let runId = "";
  for (const [index, step] of steps.entries()) {
    if (step.step === "sleep") {
      await sleep(step.sleepMs ?? 0);
      continue;
    }
    const fill = (text: string): string =>
      text.replace(/<id(\d+)>/g, (_, at: string) => saved[Number(at)] ?? "").replaceAll("<run0>", runId);
    const input = JSON.parse(fill(JSON.stringify(inputOf(step) ?? null)));
    const signal = step.abortAfterMs === undefined ? undefined : AbortSignal.timeout(step.abortAfterMs);
    const options = signal === undefined ? {} : { signal };
    const result = await (step.step === "wait" ? session.wait(input, options) : session.exec(input, options));
    if (result.status === "waiting") runId = result.runId;
    for (const id of JSON.stringify(result).matchAll(/result_[0-9a-f-]{36}/g)) {
      if (!saved.includes(id[0])) saved.push(id[0]);
    }
    const where = steps.length === 1 ? "" : `step ${index} `;
    found.push(...compareResult(step.result ?? {}, result).map((text) => where + text));
  }
  return found;
}

function inputOf(step: GoldenStep): unknown {
  return "args" in step ? step.args : "code" in step ? { code: step.code } : undefined;
}

/** Differences between a golden result and a real one, in the fields the golden one names. */
export function compareResult(expected: GoldenResult, actual: CellResult): string[] {
  const found: string[] = [];
  const judge = (name: string, want: unknown, have: unknown): void => {
    const text = difference(want, have, name);
    if (text !== undefined) found.push(text);
  };
  if (expected.status !== undefined && expected.status !== actual.status) {
    const shown = actual.status === "failed" ? actual.error : JSON.stringify(actual).slice(0, 300);
    return [`status ${actual.status} instead of ${expected.status}: ${shown}`];
  }
  if (expected.code !== undefined) judge("code", expected.code, "code" in actual ? actual.code : undefined);
  if ("output" in expected) judge("output", expected.output, actual.output);
  if ("value" in expected) judge("value", expected.value, "value" in actual ? actual.value : undefined);
  if ("error" in expected) judge("error", expected.error, "error" in actual ? actual.error : undefined);
  if (actual.status === "waiting") {
    if (expected.reason !== undefined) judge("reason", expected.reason, actual.reason);
    if (expected.pendingToolCalls !== undefined) {
      const methods = (calls: { method: string }[]): string[] => calls.map(({ method }) => method);
      judge("pendingToolCalls", methods(expected.pendingToolCalls), methods(actual.pendingToolCalls));
    }
  }
  if (expected.counts !== undefined) {
    const { searchCount: search, describeCount: describe, callCount: call } = actual.telemetry;
    judge("counts", expected.counts, { search, describe, call });
  }
  return found;
}
