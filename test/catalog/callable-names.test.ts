import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { assignCallableNames } from "../../src/catalog/callable-names.js";
import { compareNames } from "../../src/text/order.js";
import { conformanceFile, exceptions, readJsonl } from "../support/conformance.js";

interface Vector {
  id: string;
  input: { entries: { id: string; name: string }[] };
  expected: [toolName: string, callableName: string][];
}

const vectors = readJsonl<Vector>("hints/names.jsonl");
const reserved: { suffixed: string[]; kept: string[] } = JSON.parse(
  readFileSync(conformanceFile("reserved-names.json"), "utf8"),
);

function named(entries: Vector["input"]["entries"]): [string, string][] {
  const names = assignCallableNames(entries);
  return entries
    .map(({ id, name }): [string, string] => [name, names.get(id)!])
    .sort((a, b) => compareNames(a[1], b[1]));
}

test.each(vectors)("$id", ({ input, expected }) => {
  expect(named(input.entries)).toEqual(expected);
});

test.each(vectors)("$id whatever the order of registration", ({ input, expected }) => {
  expect(named([...input.entries].reverse())).toEqual(expected);
});

test("reserved names get a suffix, all others keep their spelling", () => {
  const callable = (name: string): string => named([{ id: `openclaw:core:${name}`, name }])[0]![1];
  const differing = [
    ...reserved.suffixed.filter((name) => !callable(name).startsWith(`${name}_`)),
    ...reserved.kept.filter((name) => callable(name) !== name),
  ];
  const excused = differing.filter((name) => Object.hasOwn(exceptions(), `reserved:${name}`));
  const total = reserved.suffixed.length + reserved.kept.length;
  console.log(
    `reserved names: ${total - differing.length} of ${total - excused.length} (${excused.length} exceptions)`,
  );
  expect(differing).toEqual(["load", "store"]);
  expect(excused).toEqual(differing);
});

test("a suffix grows until it is free, even when every prefix of the hash is taken", () => {
  const id = "openclaw:core:delete";
  const first = named([{ id, name: "delete" }])[0]![1];
  const entries = [{ id, name: "delete" }];
  const seen = new Set<string>();
  for (let name = first, round = 0; round < 40; round += 1) {
    expect(seen.has(name)).toBe(false);
    seen.add(name);
    entries.push({ id: `openclaw:core:${name}`, name });
    name = assignCallableNames(entries).get(id)!;
  }
});
