import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gradeDetails, gradeOutcome } from "../../../src/runtime/bridge/grading.js";

describe("grading of an outcome", () => {
  it.each<[unknown, string | undefined]>([
    [{ ok: false }, "failed"],
    [{ success: false, status: "completed" }, "failed"],
    [{ status: "error" }, "failed"],
    [{ status: " Failed " }, "failed"],
    [{ status: "blocked" }, "blocked"],
    [{ status: "approval-unavailable" }, "blocked"],
    [{ status: "unavailable" }, "failed"],
    [{ status: "timed_out" }, "timed_out"],
    [{ status: "timeout", ok: true }, undefined],
    [{ status: "canceled" }, "cancelled"],
    [{ status: "killed", success: true }, undefined],
    [{ timedOut: true, ok: true }, "timed_out"],
    [{ error: "no", ok: true }, "failed"],
    [{ error: "" }, undefined],
    [{ error: null }, undefined],
    [{ exitCode: 1, ok: true }, "failed"],
    [{ exitCode: 1, status: "completed" }, undefined],
    [{ exitCode: 0 }, undefined],
    [{ exitCode: Number.NaN }, undefined],
    [{ exitCode: "1" }, undefined],
    [{ timedOut: "yes" }, undefined],
    [{ status: "ready" }, undefined],
    [{ status: 5 }, undefined],
    [{ card: { status: "blocked" } }, undefined],
    [[{ ok: false }], undefined],
    ["error", undefined],
    [null, undefined],
    [undefined, undefined],
  ])("%j is %s", (details, kind) => {
    expect(gradeOutcome(details)).toBe(kind);
  });

  it("looks at the form the cell gets", () => {
    const grade = (details: unknown) => gradeDetails(details, JSON.stringify(details) ?? "null");
    expect(grade({ error: () => {} })).toBeUndefined();
    expect(grade({ toJSON: () => ({ ok: false }) })).toBe("failed");
    expect(grade({ ok: false, toJSON: () => ({}) })).toBeUndefined();
    expect(grade(Object.create({ ok: false }))).toBeUndefined();
    expect(grade({ error: new Date(0) })).toBe("failed");
  });

  it("of any JSON value is that of its text", () => {
    const fields = fc.record(
      {
        status: fc.oneof(fc.constantFrom("error", "completed", "ready"), fc.jsonValue()),
        ok: fc.jsonValue(),
        success: fc.boolean(),
        error: fc.jsonValue(),
        timedOut: fc.boolean(),
        exitCode: fc.oneof(fc.integer(), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fields, fc.jsonValue()), (details) => {
        const json = JSON.stringify(details);
        expect(gradeDetails(details, json)).toBe(gradeOutcome(JSON.parse(json)));
      }),
      { seed: 13, numRuns: 300 },
    );
  });
});
