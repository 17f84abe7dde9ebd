import { describe } from "vitest";

/** Whether `npm run test:full` is running. */
export const full = process.env.OPENCLAW_TEST_FULL === "1";

/** Tests too long for `npm test`; elsewhere the suite is skipped and says why. */
export function describeFull(name: string, reason: string, body: () => void): void {
  if (full) describe(name, body);
  else describe.skip(`${name} (skipped: ${reason}; npm run test:full runs it)`, body);
}

/** `items` whole in a full run, else a sample of `count` with a fixed seed. */
export function sampled<T>(items: readonly T[], count: number, seed = 20261130): T[] {
  if (full || items.length <= count) return [...items];
  let state = seed >>> 0;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const pool = items.map((item) => ({ item, at: random() })).sort((a, b) => a.at - b.at);
  const chosen = new Set(pool.slice(0, count).map(({ item }) => item));
  return items.filter((item) => chosen.has(item));
}
