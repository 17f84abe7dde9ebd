import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { prepareCell } from "../../../src/runtime/prepare/prepare.js";
import type { CellLanguage } from "../../../src/runtime/types.js";
import { sourceLines } from "../../../src/ui/source-lines.js";

const languages = ["javascript", "typescript"] as const;
const prepare = (code: string, language: CellLanguage) => prepareCell({ code, language }, { languages });

describe("sources made to hurt", () => {
  const deep = 100_000;
  const shapes: [string, string][] = [
    ["parentheses", `${"(".repeat(deep)}1${")".repeat(deep)}`],
    ["open brackets", "[".repeat(deep)],
    ["negations", `${"!".repeat(deep)}1`],
    ["blocks", "{".repeat(deep)],
    ["templates", "`${".repeat(deep)],
    ["arrows", `${"a=>".repeat(deep)}1`],
    ["comparisons", `a${"<b".repeat(deep)}`],
    ["conditionals with arrows", `${"a?(x):y=>".repeat(1_500)}1`],
  ];
  it.each(shapes.flatMap(([name, code]) => languages.map((language) => [name, language, code] as const)))(
    "answers %s in %s",
    async (_, language, code) => {
      const outcome = await prepare(code, language);
      if (!outcome.ok) expect(outcome).toMatchObject({ code: "invalid_input", place: expect.anything() });
    },
    20_000,
  );

  it("says that a source is nested too deeply, and lives on", async () => {
    for (const language of languages) {
      expect(await prepare("(".repeat(deep), language)).toMatchObject({
        error: expect.stringContaining("nested too deeply"),
      });
      expect((await prepare("return 1", language)).ok).toBe(true);
    }
  });

  it("transforms a long TypeScript source in a process of its own, with exact places", async () => {
    const long = Array.from({ length: 800 }, (_, i) => `let v${i}: number = ${i};`).join("\n");
    expect((await prepare(`${long}\nreturn v799;`, "typescript")).ok).toBe(true);
    expect(await prepare(`${long}\nlet x: = 1;`, "typescript")).toMatchObject({
      place: { line: 801, column: 8 },
    });
    expect(await prepare(`${long}\nrequire("x");`, "typescript")).toMatchObject({
      error: expect.stringContaining("module access is disabled"),
      place: { line: 801, column: 1 },
    });
  });

  it("takes ten megabytes on one line", async () => {
    const text = `return "${"x".repeat(10_000_000)}".length`;
    for (const language of languages) expect((await prepare(text, language)).ok).toBe(true);
    expect((await prepare(`return [${"1,".repeat(5_000_000)}1]`, "javascript")).ok).toBe(true);
    expect(await prepare(`${"x".repeat(10_000_000)} = ;`, "javascript")).toMatchObject({
      place: { line: 1, column: 10_000_004 },
    });
  }, 30_000);
});

describe("any text at all", () => {
  const token = fc.constantFrom(
    ..."{ } ( ) [ ] ` ${ \" ' / // /* */ \\ \n ; , . ?. => = + - < > : ? ! @ # #! ``` ```js\n ~~~\n".split(
      " ",
    ),
    "import ",
    "export ",
    "export default ",
    "require",
    "await ",
    "async ",
    "return ",
    "function ",
    "class ",
    "let ",
    "type ",
    "interface ",
    "enum ",
    "namespace ",
    "as ",
    "ls",
    "cat ",
    "git ",
    "-la",
    "x",
    "1",
    "é",
    "😀",
    "\ud800",
    "\0",
    "\u2028",
    "\r\n",
    "\ufeff",
    "\\u0065",
    "<!--",
    "-->",
    "new.target",
    "super",
  );
  const source = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.array(token, { maxLength: 25 }).map((parts) => parts.join("")),
  );

  it("is answered, and every place lies within it", async () => {
    await fc.assert(
      fc.asyncProperty(source, fc.constantFrom(...languages), async (code, language) => {
        const outcome = await prepare(code, language);
        if (outcome.ok || outcome.place === undefined) return;
        const lines = sourceLines(code.replace(/^\ufeff/, ""));
        const line = lines[outcome.place.line - 1];
        expect(line).toBeDefined();
        expect(outcome.place.column).toBeGreaterThanOrEqual(1);
        expect(outcome.place.column).toBeLessThanOrEqual((line ?? "").length + 1);
      }),
      { numRuns: 1_500, seed: 20261130 },
    );
  });

  it("is answered as an argument object too", async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (input) => {
        expect(typeof (await prepareCell(input, { languages })).ok).toBe("boolean");
      }),
      { numRuns: 300, seed: 20261130 },
    );
  });

  it("keeps frames it maps inside the source", async () => {
    await fc.assert(
      fc.asyncProperty(
        source,
        fc.constantFrom(...languages),
        fc.nat(40),
        fc.nat(80),
        async (code, language, line, column) => {
          const outcome = await prepare(code, language);
          if (!outcome.ok) return;
          const mapped = outcome.cell.mapFrames(`    at f (openclaw-code-mode:user.js:${line}:${column})`);
          if (mapped === "") return;
          const [, l, c] = /:(\d+):(\d+)\)$/.exec(mapped) ?? [];
          const text = sourceLines(outcome.cell.places.source)[Number(l) - 1];
          expect(Number(c)).toBeLessThanOrEqual((text ?? "").length + 1);
        },
      ),
      { numRuns: 600, seed: 20261130 },
    );
  });
});
