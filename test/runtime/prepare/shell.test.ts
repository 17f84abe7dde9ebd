import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { prepareCell } from "../../../src/runtime/prepare/prepare.js";
import type { PrepareOutcome } from "../../../src/runtime/prepare/types.js";
import { conformanceFile } from "../../support/conformance.js";

const BOTH = { languages: ["javascript", "typescript"] } as const;

function verdict(outcome: PrepareOutcome): string {
  if (outcome.ok) return "accepted";
  if (/reads like a shell command|script file/.test(outcome.error)) return "shell";
  if (outcome.error.includes("module access is disabled")) return "module";
  return "syntax";
}

describe("shell probes", () => {
  it("gives every verdict of the probes", async () => {
    const probes = JSON.parse(readFileSync(conformanceFile("shell-probes.json"), "utf8"));
    const asked: [string, string][] = probes.sources.map((p: any) => [p.source, p.verdict]);
    for (const row of probes.words) {
      const name = row.word.replace(/[^A-Za-z0-9_]/g, "_");
      asked.push([row.word, row.alone], [`${row.word} -x`, row.flag], [`${row.word} foo`, row.arg]);
      asked.push([`${name}(1)`, row.call], [`${row.word}; 1`, row.semi], [`${name} = 1`, row.assign]);
    }
    const wrong: string[] = [];
    for (const [code, expected] of asked) {
      const got = verdict(await prepareCell({ code }, BOTH));
      if (got !== expected) wrong.push(`${JSON.stringify(code)}: ${got}, not ${expected}`);
    }
    console.log(`shell-probes.json: ${asked.length - wrong.length} of ${asked.length}`);
    expect(wrong).toEqual([]);
  });
});
