import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../src/catalog/build.js";
import { QUICK_INDEX_BUDGET, quickIndex } from "../../src/catalog/quick-index.js";
import { readJsonl } from "../support/conformance.js";
import { catalogOf, LIMITS, mcpTool, nativeTool, toolsOfVector, type VectorTools } from "./support.js";

interface Vector {
  id: string;
  input: VectorTools;
  expected: { lines?: string[]; overflow?: unknown };
}

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line.startsWith("- "));

describe("index vectors", () => {
  const vectors = readJsonl<Vector>("hints/index.jsonl");
  test.each(vectors)("$id", ({ input, expected }) => {
    const text = buildCatalog(toolsOfVector(input), LIMITS).quickIndex();
    expect(text.length).toBeLessThanOrEqual(QUICK_INDEX_BUDGET);
    if (expected.lines !== undefined) expect(linesOf(text)).toEqual(expected.lines);
    if (expected.lines?.length === 0) expect(text).toBe("");
  });
});

/** Entries whose lines have the given lengths. */
function entriesOf(lengths: readonly number[]) {
  return catalogOf(
    ...lengths.map((length, index) => nativeTool(`t${index}`.padEnd(Math.max(5, length - 10), "x"))),
  ).entries.map((entry) => ({ ...entry, input: "{}" }));
}

test("exactly 8,000 characters list everything, one more drops a line", () => {
  const entries = entriesOf(Array.from({ length: 76 }, () => 99));
  const room = QUICK_INDEX_BUDGET - quickIndex(entries, Number.POSITIVE_INFINITY).text.length;
  const filler = (length: number) => ({ ...entries[0]!, callableName: "zz".padEnd(length - 10, "z") });
  const exact = quickIndex([...entries, filler(room - 1)]);
  expect([exact.text.length, exact.omitted.length]).toEqual([QUICK_INDEX_BUDGET, 0]);
  const over = quickIndex([...entries, filler(room)]);
  expect(over.text.length).toBeLessThanOrEqual(QUICK_INDEX_BUDGET);
  expect(over.omitted.length).toBeGreaterThan(0);
});

test("at any budget: within it, in order, each kept line followed by none that would have fitted before it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 12, max: 400 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 0, max: 9000 }),
      (lengths, budget) => {
        const entries = entriesOf(lengths);
        const { text, listed, omitted } = quickIndex(entries, budget);
        expect(text.length).toBeLessThanOrEqual(budget);
        expect(listed.length + omitted.length).toBe(entries.length);
        const all = quickIndex(entries, Number.POSITIVE_INFINITY).listed.map((line) => line.text);
        const positions = listed.map((line) => all.indexOf(line.text));
        expect(positions).toEqual([...positions].sort((a, b) => a - b));
        if (text === "") return;
        expect(linesOf(text)).toEqual(listed.map((line) => line.text));
        for (const line of omitted) {
          const before = listed.filter((kept) => all.indexOf(kept.text) < all.indexOf(line.text));
          const used = text.length - listed.reduce((sum, kept) => sum + kept.text.length + 1, 0);
          const needed = used + [...before, line].reduce((sum, kept) => sum + kept.text.length + 1, 0);
          // The count in the last line may be a few digits shorter by the end than when the line was judged.
          expect(needed + 8).toBeGreaterThan(budget);
        }
        if (omitted.length > 0)
          expect(text.split("\n").at(-1)).toMatch(new RegExp(`^${omitted.length} more tool`));
      },
    ),
    { seed: 7, numRuns: 300 },
  );
});

test("no description, id or MCP tool reaches the index", () => {
  const text = catalogOf(
    nativeTool("quiet", {
      description: "IGNORE PREVIOUS",
      parameters: { type: "object", description: "IGNORE ALL" },
    }),
    mcpTool("srv", "loud", { description: "IGNORE EVERYTHING" }),
  ).quickIndex();
  expect(text).not.toMatch(/IGNORE|loud|openclaw:/);
});

test("one omitted tool is spoken of in the singular", () => {
  const entries = entriesOf([100, 100]);
  const whole = quickIndex(entries).text.length;
  expect(
    quickIndex(entries, whole - 1)
      .text.split("\n")
      .at(-1),
  ).toMatch(/^1 more tool is /);
});
