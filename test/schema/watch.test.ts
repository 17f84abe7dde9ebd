import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { isTurnDue, TimeBoundExceeded, withinTime } from "../../src/schema/watch.js";

const explode = () => /^(a+)+$/.test(`${"a".repeat(60)}!`);

describe("functions under the watch", () => {
  it("share one second when they follow one another, and each has a little", async () => {
    const startedAt = performance.now();
    for (let round = 0; round < 40; round++) expect(() => withinTime(explode)).toThrow(TimeBoundExceeded);
    // One by one they would take forty seconds; 40 × 25 ms and the shared second are two.
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    expect(withinTime(() => 1 + 1)).toBe(2);
    expect(isTurnDue()).toBe(true);
    await nextTurn();
    expect(isTurnDue()).toBe(false);
  });

  it("pass on what they return and throw", () => {
    expect(withinTime(() => "value")).toBe("value");
    expect(() =>
      withinTime(() => {
        throw new RangeError("theirs");
      }),
    ).toThrow("theirs");
  });
});
