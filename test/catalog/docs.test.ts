import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inputHint, outputHint } from "../../src/schema/hints.js";
import { catalogOf, nativeTool } from "./support.js";

const page = readFileSync(new URL("../../docs/catalog.md", import.meta.url), "utf8");

/** Cells of the table behind `<!-- marker: ... -->`, without their back quotes. */
function rowsOf(marker: string): string[][] {
  const table = page.split(`<!-- ${marker}:`)[1]!.split("\n\n")[1]!;
  return table
    .split("\n")
    .slice(2)
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replace(/^`|`$/g, "").replaceAll("\\|", "|")),
    );
}

test("the page's table of names is true", () => {
  const rows = rowsOf("names");
  expect(rows.length).toBeGreaterThan(5);
  for (const [toolName, callableName] of rows) {
    const [entry] = catalogOf(nativeTool(toolName!, { owner: "shipping" })).entries;
    expect([toolName, entry!.callableName]).toEqual([toolName, callableName]);
  }
});

test("the page's table of hints is true", () => {
  const rows = rowsOf("hints");
  expect(rows.length).toBeGreaterThan(8);
  for (const [schema, input, output] of rows) {
    const parsed = JSON.parse(schema!);
    expect([schema, inputHint(parsed), outputHint(parsed) ?? "?"]).toEqual([schema, input, output]);
  }
});
