import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CellResult } from "../../src/runtime/types.js";
import { finalValue, openSession } from "../support/cells.js";
import { full, sampled } from "../support/full.js";
import { bridgeCells } from "./cells/bridge.js";
import { hostCells } from "./cells/host.js";
import { memoryCells } from "./cells/memory.js";
import { stackCells } from "./cells/stack.js";
import { tamperCells } from "./cells/tamper.js";
import { timeCells } from "./cells/time.js";
import type { HostileCell } from "./hostile-cell.js";

const families: [string, HostileCell[], sample: number][] = [
  ["time", timeCells, 7],
  ["memory", memoryCells, 7],
  ["stack and parser", stackCells, 10],
  ["tampering", tamperCells, 8],
  ["bridge values", bridgeCells, 8],
  ["work for the host", hostCells, 8],
];

/** How far past its limit a cell may be evaluated, ms. */
const MAX_OVERRUN = 300;
const DEFAULT_PEAK_MB = 200;
const MiB = 1024 * 1024;

const total = families.reduce((sum, [, cells]) => sum + cells.length, 0);
let worstOverrun = 0;
let worstPeak = 0;
let startRss = 0;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** RSS once everything that can be freed is. */
async function settle(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return process.memoryUsage.rss();
}

beforeAll(async () => {
  expect(total).toBeGreaterThanOrEqual(120);
  const session = openSession();
  await session.exec({ code: "return 1;" });
  await session.close();
  startRss = await settle();
});

afterAll(async () => {
  const grown = ((await settle()) - startRss) / MiB;
  console.log(
    `hostile cells: ${total} in the suite; worst overrun ${worstOverrun.toFixed(0)} ms, highest peak ${worstPeak.toFixed(0)} MiB, ${grown.toFixed(0)} MiB more at the end than at the start`,
  );
});

interface Outcome {
  result: CellResult;
  wallMs: number;
  peakMb: number;
  next: unknown;
}

/** Runs a cell while watching the process; a fresh session each, then an ordinary cell in the same one. */
async function run(cell: HostileCell): Promise<Outcome> {
  const session = openSession({
    ...(cell.tools === undefined ? {} : { tools: cell.tools() }),
    ...(cell.limits === undefined ? {} : { limits: cell.limits }),
  });
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  const startedAt = performance.now();
  try {
    let result = await session.exec({ code: cell.code });
    for (let leg = 0; result.status === "waiting" && cell.resumes !== false && leg < 5; leg++) {
      result = await session.wait({ runId: result.runId });
    }
    const wallMs = performance.now() - startedAt;
    const next = finalValue(await session.exec({ code: "return [1 + 1, typeof text];" }));
    return { result, wallMs, peakMb: (peak - before) / MiB, next };
  } finally {
    clearInterval(watch);
    await session.close();
  }
}

describe.each(families)("%s", (_family, cells, sample) => {
  test.each(sampled(cells, sample).map((cell) => [cell.name, cell] as const))(
    "%s",
    async (_name, cell) => {
      const limit = cell.withinMs ?? (cell.limits?.timeoutMs ?? 10_000) + MAX_OVERRUN;
      const isLate = ({ result, wallMs }: Outcome): boolean =>
        (result.telemetry.evaluationMs ?? 0) > limit || wallMs > (cell.wallMs ?? Number.POSITIVE_INFINITY);
      let outcome = await run(cell);
      // A busy machine may delay the end of a thread; a fault of ours would be late every time.
      for (let attempt = 0; attempt < 3 && isLate(outcome); attempt++) outcome = await run(cell);
      const { result, wallMs, peakMb, next } = outcome;
      judge(cell, result);
      expect(next).toEqual([2, "function"]);
      expect(result.telemetry.evaluationMs ?? 0).toBeLessThanOrEqual(limit);
      expect(wallMs).toBeLessThan(cell.wallMs ?? Number.POSITIVE_INFINITY);
      expect(peakMb).toBeLessThan(cell.peakMb ?? DEFAULT_PEAK_MB);
      worstPeak = Math.max(worstPeak, peakMb);
      if (cell.withinMs === undefined) {
        const overrun = (result.telemetry.evaluationMs ?? 0) - limit + MAX_OVERRUN;
        worstOverrun = Math.max(worstOverrun, overrun);
      }
    },
    60_000,
  );
});

function judge(cell: HostileCell, result: CellResult): void {
  if (cell.fails !== undefined && !(cell.mayFinish && result.status === "completed")) {
    if (result.status !== "failed")
      throw new Error(`it did not fail: ${JSON.stringify(result).slice(0, 300)}`);
    expect([cell.fails].flat(), result.error).toContain(result.code);
    if (cell.says !== undefined && result.code !== "timeout") expect(result.error).toMatch(cell.says);
  } else if ("value" in cell) {
    if (result.status !== "completed")
      throw new Error(`not completed: ${JSON.stringify(result).slice(0, 600)}`);
    expect(result.value).toEqual(cell.value);
  }
  if (cell.emitted !== undefined) {
    const texts = result.output.map((entry) => ("text" in entry ? entry.text : JSON.stringify(entry)));
    expect(texts).toEqual(cell.emitted);
  }
}

test("the suite has leaves for every family", () => {
  for (const [name, cells] of families) expect(cells.length, name).toBeGreaterThanOrEqual(20);
  if (full) expect(total).toBeGreaterThan(120);
});
