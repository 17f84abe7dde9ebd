import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findPlace, renderCodeFrame } from "../../src/ui/code-frame.js";
import { displayWidth } from "../../src/ui/width.js";

const SOURCE = "const a = 1;\n\nboom(a);\nreturn a;\n";

describe("renderCodeFrame", () => {
  it("shows the lines around a place and a caret under it", () => {
    expect(renderCodeFrame({ source: SOURCE, line: 3, column: 6, label: "cell.ts" })).toBe(
      `   --> cell.ts:3:6
  1 | const a = 1;
  2 |
> 3 | boom(a);
    |      ^
  4 | return a;`,
    );
  });

  it("takes as much context as it is told", () => {
    const frame = renderCodeFrame({
      source: SOURCE,
      line: 3,
      column: 1,
      label: "c",
      context: { before: 0, after: 0 },
    });
    expect(frame).toBe("   --> c:3:1\n> 3 | boom(a);\n    | ^");
  });

  it("puts the caret under the character it means, behind tabs, wide characters and escapes", () => {
    const mark = (source: string, column: number) =>
      renderCodeFrame({ source, line: 1, column, label: "c" }).split("\n").slice(1);
    expect(mark("\tx", 2)).toEqual(["> 1 |     x", "    |     ^"]);
    expect(mark("表 x", 3)).toEqual(["> 1 | 表 x", "    |    ^"]);
    expect(mark("'😀' x", 6)).toEqual(["> 1 | '😀' x", "    |      ^"]);
    expect(mark("'\u001b[31m' x", 9)).toEqual(["> 1 | '\\x1b[31m' x", "    |            ^"]);
  });

  it("cuts a long line around the place", () => {
    const source = `${"a".repeat(5000)}HERE${"b".repeat(5000)}`;
    const [, line = "", caret = ""] = renderCodeFrame({
      source,
      line: 1,
      column: 5001,
      label: "c",
      width: 40,
    }).split("\n");
    expect(line).toBe(`> 1 | …${"a".repeat(19)}HERE${"b".repeat(16)}…`);
    expect(line[caret.indexOf("^")]).toBe("H");
  });

  it("moves a place outside the source to its nearest one", () => {
    expect(renderCodeFrame({ source: "ab", line: 9, column: 9, label: "c" })).toBe(
      "   --> c:1:3\n> 1 | ab\n    |   ^",
    );
    expect(renderCodeFrame({ source: "", line: 0, column: 0, label: "c" })).toBe(
      "   --> c:1:1\n> 1 |\n    | ^",
    );
  });

  it("escapes the source and the label", () => {
    const frame = renderCodeFrame({
      source: "\u202ex\u001b[2J",
      line: 1,
      column: 1,
      label: "a\u001b]0;b\nc",
    });
    expect(frame).not.toMatch(/[\u001b\u202e]/);
    expect(frame.split("\n")).toHaveLength(3);
  });

  it("stays within its width and marks the right character of any line", () => {
    const character = fc.constantFrom("a", "\t", "表", "é", "😀", "\u0007", "\u0301", " ");
    fc.assert(
      fc.property(fc.array(character, { maxLength: 200 }), fc.nat(199), (characters, at) => {
        const before = characters.slice(0, at).join("");
        const source = `${characters.slice(0, at).join("")}Z${characters.slice(at).join("")}`;
        const lines = renderCodeFrame({
          source,
          line: 1,
          column: before.length + 1,
          label: "c",
          width: 60,
        }).split("\n");
        const [, line = "", caret = ""] = lines;
        expect(displayWidth(line)).toBeLessThanOrEqual(6 + 60 + 1);
        expect(line[[...line].join("").indexOf("Z")]).toBe("Z");
        expect(displayWidth(line.slice(0, line.indexOf("Z")))).toBe(caret.indexOf("^"));
      }),
      { numRuns: 500, seed: 20261130 },
    );
  });

  it("is quick on ten megabytes", () => {
    const source = `${"x".repeat(10_000_000)}\nreturn`;
    const start = performance.now();
    renderCodeFrame({ source, line: 2, column: 1, label: "c" });
    renderCodeFrame({ source, line: 1, column: 9_000_000, label: "c" });
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

describe("findPlace", () => {
  it("reads the first place of a source from an error", () => {
    const error = "Error: a.ts: no\n    at f (other.js:9:9)\n    at g (dir/a.ts:3:14)\n    at dir/a.ts:1:1\n";
    expect(findPlace(error, "dir/a.ts")).toEqual({ line: 3, column: 14 });
    expect(findPlace(error, "b.ts")).toBeUndefined();
    expect(findPlace("Error: dir/a.ts:x", "dir/a.ts")).toBeUndefined();
  });
});
