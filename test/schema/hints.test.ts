import { describe, expect, it } from "vitest";
import { inputHint, outputHint } from "../../src/schema/hints.js";
import { exceptions, readJsonl } from "../support/conformance.js";

interface Vector {
  id: string;
  kind: "input-hint" | "output-hint";
  input: { schema?: unknown };
  expected: string | null;
}

const vectors = readJsonl<Vector>("hints/compact.jsonl");
const allowed = exceptions();

describe("hints/compact.jsonl", () => {
  it("equals every vector, exceptions with a reason aside", () => {
    const differing: unknown[] = [];
    let equal = 0;
    for (const { id, kind, input, expected } of vectors) {
      const ours = kind === "input-hint" ? inputHint(input.schema) : (outputHint(input.schema) ?? null);
      if (ours === expected) equal += 1;
      else if (allowed[id] === undefined) differing.push({ id, ours, expected });
    }
    console.log(`hints/compact.jsonl: ${equal} of ${vectors.length}`);
    expect(differing).toEqual([]);
  });
});
