import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../support/cli.js";

const read = (path: string): string => readFileSync(join(projectRoot, path), "utf8");
const found = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ""))].sort();

test("docs/debugging.md has a row for every variable and for every line of a run", () => {
  const page = read("docs/debugging.md");
  const rows = found(page, /^\| `(\w+)` +\|/gm);
  const variables = found(read("src/debug/flags.ts"), /"(OPENCLAW_\w+)"/g);
  expect(rows.filter((name) => name.startsWith("OPENCLAW_"))).toEqual(variables);
  const named = found(read("src/debug/event-line.ts"), /name: "(\w+)"/g);
  const logged = ["src/debug/observe.ts", "src/serve/connection.ts", "src/serve/service.ts"].flatMap((path) =>
    found(read(path), /log\("(\w+)"/g),
  );
  const lines = [...new Set([...named, ...logged])].sort();
  expect(rows.filter((name) => !name.startsWith("OPENCLAW_"))).toEqual(lines);
});
