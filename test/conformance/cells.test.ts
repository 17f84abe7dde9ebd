import { afterAll, describe, expect, test } from "vitest";
import { exceptions, readJsonl } from "../support/conformance.js";
import { type GoldenCell, goldenSession, runGolden } from "./run-golden.js";

const cells = readJsonl<GoldenCell>("cells.jsonl");
const excused = exceptions();
const passed = new Map<string, [good: number, all: number, excused: number]>();

// An open session keeps the workers of all others alive between cells.
const keeper = goldenSession({});

afterAll(async () => {
  await keeper.close();
  const lines = [...passed].map(([area, [good, all, skipped]]) => {
    return `${area} ${good} of ${all}${skipped > 0 ? ` (${skipped} exceptions)` : ""}`;
  });
  const good = [...passed.values()].reduce((sum, [count]) => sum + count, 0);
  console.log(`golden cells: ${good} of ${cells.length}\n  ${lines.join("\n  ")}`);
});

describe("golden cells", () => {
  test.each(cells.map((cell) => [cell.id, cell] as const))("%s", async (id, cell) => {
    const differences = await runGolden(cell);
    const [good, all, skipped] = passed.get(cell.area) ?? [0, 0, 0];
    const allowed = excused[id] !== undefined;
    passed.set(cell.area, [good + (differences.length === 0 ? 1 : 0), all + 1, skipped + (allowed ? 1 : 0)]);
    if (allowed) expect(differences, "an exception that is none any more").not.toEqual([]);
    else expect(differences).toEqual([]);
  });
});
