import { expect, test } from "vitest";
import { buildCatalog } from "../../src/catalog/build.js";
import { SearchIndex } from "../../src/catalog/search/search-index.js";
import type { Catalog } from "../../src/catalog/types.js";
import { compareNames } from "../../src/text/order.js";
import { readJsonl } from "../support/conformance.js";
import { toolsOfVector, type VectorTools } from "./support.js";

interface Vector {
  id: string;
  input: VectorTools & {
    fixture?: VectorTools;
    surface: "runtime" | "catalog";
    defaultLimit: number;
    maxLimit: number;
    query: unknown;
    limit?: unknown;
  };
  expected: { ids?: string[]; callableNames?: string[]; toolNames?: string[]; error?: string };
}

const vectors = readJsonl<Vector>("hints/search.jsonl");
const fixture = vectors.find(({ id }) => id === "search:fixture")!.input.fixture!;
const queries = vectors.filter(({ id }) => id !== "search:fixture");

function catalogFor({ input }: Vector): Catalog {
  return buildCatalog(toolsOfVector(input.tools === undefined ? fixture : input), {
    searchDefaultLimit: input.defaultLimit,
    maxSearchLimit: input.maxLimit,
  });
}

/** What the vector expects, and what we answer: ids of the ranking alone, names of what a cell sees. */
function answer(vector: Vector): { expected: string[]; actual: string[] } {
  const { surface, query, limit, defaultLimit, maxLimit } = vector.input;
  const catalog = catalogFor(vector);
  if (surface === "catalog") {
    const found = catalog.search(query, { limit });
    return {
      expected: vector.expected.callableNames!,
      actual: found.map(({ callableName }) => callableName),
    };
  }
  const sorted = [...catalog.entries, ...catalog.mcpEntries].sort((a, b) => compareNames(a.id, b.id));
  const found = new SearchIndex(sorted).search(
    query as string,
    Math.min(maxLimit, (limit as number | null | undefined) ?? defaultLimit),
  );
  return { expected: vector.expected.ids!, actual: found.map(({ id }) => id) };
}

test("search vectors: order, top result and empty answers", () => {
  const ranked = queries.filter(({ expected }) => expected.error === undefined);
  const wrong: string[] = [];
  let first = 0;
  let firstThree = 0;
  let same = 0;
  let expecting = 0;
  for (const vector of ranked) {
    const { expected, actual } = answer(vector);
    if (expected.length === 0) {
      expect(actual, vector.id).toEqual([]);
      same += 1;
      continue;
    }
    expecting += 1;
    if (actual[0] === expected[0]) first += 1;
    if (actual.slice(0, 3).includes(expected[0]!)) firstThree += 1;
    if (JSON.stringify(actual) === JSON.stringify(expected)) same += 1;
    else wrong.push(`${vector.id} ${vector.input.query}\n  ${actual.join(" ")}\n  ${expected.join(" ")}`);
  }
  console.log(
    `search vectors: ${same} of ${ranked.length} equal, top-1 ${first} of ${expecting}, top-3 ${firstThree} of ${expecting}`,
  );
  expect(wrong).toEqual([]);
  expect(first / expecting).toBeGreaterThanOrEqual(0.95);
  expect(firstThree / expecting).toBeGreaterThanOrEqual(0.99);
});

test.each(queries.filter(({ expected }) => expected.error !== undefined))("$id is refused", (vector) => {
  const { query, limit } = vector.input;
  expect(() => catalogFor(vector).search(query, { limit })).toThrow(/limit must be a positive integer/);
});
