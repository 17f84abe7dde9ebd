import { describe, expect, it } from "vitest";
import { prepareCell } from "../../../src/runtime/prepare/prepare.js";
import { exceptions, readJsonl } from "../../support/conformance.js";
import { evaluate } from "./engine.js";

const BOTH = ["javascript", "typescript"] as const;

/** Cells that need tools, sessions or limits are the session's; what is left needs only source. */
const cells = readJsonl("cells.jsonl").filter(
  (cell) =>
    ["source", "shell", "error", "legacy"].includes(cell.area) &&
    cell.tools === undefined &&
    cell.steps === undefined &&
    !/ALL_TOOLS|setTimeout/.test(cell.code ?? "") &&
    !(
      cell.area === "error" &&
      /^(unhandled|throw-(?:function|proxy|promise)|error-like|promise-never|reference-module)/.test(
        cell.id.slice(6),
      )
    ),
);

describe("golden cells, prepared and run in a bare engine", () => {
  const allowed = exceptions();
  for (const cell of cells) {
    it.skipIf(cell.id in allowed)(cell.id, async () => {
      const outcome = await prepareCell(
        "args" in cell ? cell.args : cell.code === undefined ? null : { code: cell.code },
        {
          languages: cell.config?.languages ?? BOTH,
        },
      );
      const { status, code, value, error } = cell.result;
      if (status === "failed" && code === "invalid_input") {
        // `new require(...)` is no call; the session turns its ReferenceError into this refusal.
        if (cell.id === "source.require-new" && outcome.ok) return;
        expect(outcome).toMatchObject({ ok: false, code: "invalid_input" });
        for (const part of error.$message) expect((outcome as { error: string }).error).toContain(part);
        return;
      }
      if (!outcome.ok) expect.fail(outcome.error);
      const ran = await evaluate(outcome.cell);
      if (status === "completed") expect(ran).toEqual({ value });
      else if (typeof error === "string") expect(ran).toEqual({ error });
    });
  }
});
