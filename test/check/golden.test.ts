import { describe, expect, it } from "vitest";
import { catalogOf } from "../catalog/support.js";
import { fixtureTools } from "../conformance/fixture-tools.js";
import { readJsonl } from "../support/conformance.js";
import { sampled } from "../support/full.js";
import { check } from "./support.js";

interface Golden {
  id: string;
  code?: string;
  tools?: string[];
  args?: { language?: "javascript" | "typescript" };
  result?: { status: string };
}

/** Cells that the real product runs to their end. */
const running = readJsonl<Golden>("cells.jsonl").filter(
  ({ code, result }) => code !== undefined && result?.status === "completed",
);

describe("golden cells that complete", () => {
  it("are never blocked", async () => {
    const blocked: string[] = [];
    const chosen = sampled(running, 25);
    for (const { id, code = "", tools = [], args } of chosen) {
      const findings = await check(code, args?.language ?? "javascript", {
        catalog: catalogOf(...fixtureTools(tools)),
      });
      const errors = findings.filter(
        ({ severity, code: kind }) =>
          severity === "error" &&
          // Cells that look at how a bad call fails are rightly told that it does.
          !(/\bcatch\b/.test(code) && (kind === "input_contract" || kind === "unknown_tool")),
      );
      if (errors.length > 0)
        blocked.push(
          `${id}: ${errors.map(({ message, fix }) => `${message} ${fix}`).join("; ")}  <<< ${code}`,
        );
    }
    console.log(`${chosen.length - blocked.length} of ${chosen.length} golden cells pass a check`);
    expect(blocked).toEqual([]);
  }, 600_000);
});
