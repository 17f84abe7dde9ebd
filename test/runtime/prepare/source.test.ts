import { describe, expect, it } from "vitest";
import { prepareCell } from "../../../src/runtime/prepare/prepare.js";
import type { CellLanguage } from "../../../src/runtime/types.js";
import { evaluate } from "./engine.js";

const BOTH = ["javascript", "typescript"] as const;

async function run(code: string, language?: CellLanguage, sourceLabel?: string): Promise<any> {
  const outcome = await prepareCell(
    { code, ...(language === undefined ? {} : { language }) },
    { languages: BOTH, ...(sourceLabel === undefined ? {} : { sourceLabel }) },
  );
  return outcome.ok ? evaluate(outcome.cell) : outcome;
}

describe("arguments of exec", () => {
  it.each([
    [null, /object/],
    [[], /object/],
    ["return 1", /object/],
    [{}, /missing or blank/],
    [{ code: "  ", command: "\n" }, /missing or blank/],
    [{ code: 5 }, /must be a string/],
    [{ code: "1", command: "1 " }, /differ/],
    [{ code: "return 1", typecheck: null }, /exec --check/],
    [{ code: "return 1", typecheck: true }, /exec --check/],
    [{ code: "return 1", language: null }, /"javascript" or "typescript"/],
    [{ code: "return 1", language: "python" }, /"javascript" or "typescript"/],
    [{ code: "return 1", restartSafe: "yes" }, /restartSafe/],
  ])("refuses %j", async (input, message) => {
    expect(await prepareCell(input, { languages: BOTH })).toEqual({
      ok: false,
      code: "invalid_input",
      error: expect.stringMatching(message),
      reason: expect.stringMatching(message),
    });
  });

  it("survives an input that throws when it is read", async () => {
    const input = Object.defineProperty({}, "code", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    expect(await prepareCell(input, { languages: BOTH })).toMatchObject({ ok: false, code: "invalid_input" });
  });

  it("passes title and restartSafe on, and ignores what it does not know", async () => {
    const outcome = await prepareCell(
      { command: "return 1", code: "", title: "Sum", restartSafe: true, extra: 1 },
      { languages: BOTH },
    );
    expect(outcome).toMatchObject({
      ok: true,
      cell: { code: "return 1", title: "Sum", restartSafe: true, language: "javascript" },
    });
  });

  it("refuses a language that is switched off and names what is on", async () => {
    expect(
      await prepareCell({ code: "return 1", language: "typescript" }, { languages: ["javascript"] }),
    ).toMatchObject({ ok: false, error: expect.stringMatching(/disabled.*enabled: javascript/) });
    expect(await prepareCell({ code: "```ts\nreturn 1\n```" }, { languages: ["javascript"] })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/disabled/),
    });
  });
});

describe("what surrounds a source", () => {
  it("takes off a byte order mark and fences, and keeps line numbers", async () => {
    expect(await run("\ufeffreturn 1")).toEqual({ value: 1 });
    expect(await run("\n```javascript\nreturn 1;\nthrow 2\n```\n\n")).toEqual({ value: 1 });
    expect(await run("~~~ts\nconst a: number = 1;\nthrow new Error('x');\n~~~")).toEqual({
      error: "Error: x\n    at <anonymous> (openclaw-code-mode:user.ts:3:11)\n",
    });
    expect(await run("```\r\nlet a = ;\r\n```")).toMatchObject({ place: { line: 2, column: 9 } });
  });

  it("keeps a fence that is a template's text", async () => {
    const code = "const doc = `\n~~~js\nx\n~~~\n`;\nreturn doc.length;";
    expect(await run(code)).toEqual({ value: 13 });
    expect(await run(`${code} let = ;`)).toMatchObject({ error: expect.not.stringContaining("markdown") });
  });

  it("says so when a fence stands among prose or names another language", async () => {
    expect(await run("Here is the code:\n```js\nreturn 1\n```")).toMatchObject({
      error: expect.stringContaining("markdown fence"),
      place: { line: 2, column: 1 },
    });
    expect(await run("```python\nprint(1)\n```")).toMatchObject({
      error: expect.stringContaining("python"),
      place: { line: 1, column: 1 },
    });
  });

  it("unwraps a function that is the default export", async () => {
    expect(await run("export default async () => { return 7 }")).toEqual({ value: 7 });
    expect(await run("const n = 4;\nexport default () => n;\nconst m = 1;")).toEqual({ value: 4 });
    expect(
      await run("export default async function main() { return helper() }\nfunction helper() { return 8 }"),
    ).toEqual({ value: 8 });
    expect(await run("export default function () { return 3 }\n(1)")).toEqual({ value: 3 });
    expect(
      await run("export default /* long\ncomment */ async () => { throw new Error('x') }"),
    ).toMatchObject({
      error: expect.stringMatching(/^Error: x\n {4}at default \(openclaw-code-mode:user\.js:2:\d+\)\n$/),
    });
    expect(
      await run("export default async (): Promise<number> => {\n\n  throw new Error('t');\n}", "typescript"),
    ).toEqual({
      error: "Error: t\n    at default (openclaw-code-mode:user.ts:3:13)\n",
    });
    expect(await run("export default 5")).toMatchObject({ ok: false, place: { line: 1, column: 1 } });
  });
});

describe("places", () => {
  it("count lines and characters as the author does", async () => {
    expect(await run("/* é😀 */ throw new Error('x')")).toEqual({
      error: "Error: x\n    at <anonymous> (openclaw-code-mode:user.js:1:21)\n",
    });
    expect(await run("\r\n\r\nthrow new Error('x')")).toMatchObject({
      error: expect.stringContaining(":3:11)"),
    });
    expect(await run("let é = 1;\u2028throw new Error('x')")).toMatchObject({
      error: expect.stringContaining(":2:11)"),
    });
    expect(await run("const s = 'é😀'; const b = ;")).toMatchObject({ place: { line: 1, column: 28 } });
    expect(await run("const s = 'é😀'; const b: string = ;", "typescript")).toMatchObject({
      place: { line: 1, column: 36 },
    });
  });

  it("carry the author's path, through TypeScript too", async () => {
    const code = `interface A { x: number }

const a: A = { x: 1 };
function boom(v: A): never {
  throw new Error("ts " + (v as any).x);
}
boom(a);`;
    expect(await run(code, "typescript", "dir/my cell (1).ts")).toEqual({
      error:
        "Error: ts 1\n    at boom (dir/my cell (1).ts:5:28)\n    at <anonymous> (dir/my cell (1).ts:7:6)\n",
    });
  });

  it("name what is open when the source ends too early", async () => {
    expect(await run("const a = {\n  b: [1,\n")).toMatchObject({
      error: expect.stringContaining("`[` is never closed"),
      place: { line: 3, column: 1 },
    });
    expect(await run("const a: {\n", "typescript")).toMatchObject({
      error: expect.stringContaining("end of the source"),
    });
  });

  it("hint at TypeScript where its syntax stops a JavaScript cell", async () => {
    for (const code of ["const a: number = 1", "interface A {}", "enum E {}", "return x as any"]) {
      expect(await run(code), code).toMatchObject({
        error: expect.stringContaining('language: "typescript"'),
      });
    }
  });

  it("drop frames of the wrapper and the controller, and natives those called", async () => {
    const outcome = await prepareCell(
      { code: "return 1;\nreturn 2;" },
      { languages: BOTH, sourceLabel: "c.js" },
    );
    if (!outcome.ok) expect.fail(outcome.error);
    const stack = [
      "    at f (openclaw-code-mode:user.js:2:8)",
      "    at map (native)",
      "    at <anonymous> (openclaw-code-mode:user.js:3:1)",
      "    at <eval> (<input>:1:1)",
      "    at apply (native)",
      "    at call (openclaw-code-mode:controller.js:9:9)",
      "    at <anonymous> (openclaw-code-mode:user.js:1:1)",
      "    at openclaw-code-mode:user.js:2:1",
      "    at <eval> (openclaw-code-mode:user.js:4:2)",
      "",
    ].join("\n");
    expect(outcome.cell.mapFrames(stack)).toBe(
      [
        "    at f (c.js:1:8)",
        "    at map (native)",
        "    at <anonymous> (c.js:2:1)",
        "    at <eval> (<input>:1:1)",
        "    at c.js:1:1",
        "",
      ].join("\n"),
    );
    expect(outcome.cell.syntaxError("odd thing", "    at openclaw-code-mode:user.js:3:2\n")).toMatch(
      /^SyntaxError at c\.js:2:2: odd thing\./,
    );
  });
});

describe("TypeScript", () => {
  it.each([
    [
      "namespace N { export const x = 1; export namespace M { export const y = 2 } }\nreturn [N.x, N.M.y];",
      [1, 2],
    ],
    ["using x = null; return 1 as number", 1],
    ["type X = 1; const a: X = 1; return a", 1],
    ["declare const a: number; return typeof a", "undefined"],
    ["return this === globalThis", true],
    ["return '\ud800'.charCodeAt(0) as number", 0xd800],
    ["return 'a\u0000b'.length as number", 3],
    ["namespace N { export const B = 3 } import A = N.B; return A", 3],
  ])("runs %j", async (code, value) => {
    expect(await run(code, "typescript")).toEqual({ value });
  });

  it.each([
    ["const ok = 1;\nconst b: number = ;", 2, 19],
    ["@d class A {}", 1, 1],
    ["class A {\n  @d() m() {}\n}", 2, 3],
    ["class A { accessor x = 1 }", 1, 20],
    ["let a = 1;\nlet a = 2;", 2, 5],
    ["import fs = require('fs');", 1, 1],
    ["const a: import('fs').Stats = 1 as any;", 1, 10],
    ["export const a = 1", 1, 1],
    ["export = 5", 1, 1],
    ["class A { static { return } }", 1, 20],
    ["function f(this: 1) { await 1 }", 1, 23],
  ])("refuses %j at its place", async (code, line, column) => {
    expect(await run(code, "typescript")).toMatchObject({
      ok: false,
      code: "invalid_input",
      place: { line, column },
    });
  });
});

describe("the shell check", () => {
  it.each([
    "set -e\nls",
    "$ npm install x",
    "[ -f x ] && y",
    "cat >> log",
    "FOO='a b' BAR=1 make",
    "kill -9 12",
    "for f in *; do rm $f; done",
  ])("refuses %j", async (code) =>
    expect(await run(code)).toMatchObject({ error: expect.stringContaining("shell command") }),
  );

  it.each([
    "cosnt x = 1",
    "find = ;",
    "test (1",
    "date + ",
    "asnyc function f() {}",
    "const total = 1;\ntotal -x y",
    "value instanceof",
    "read\n  .all(",
  ])("leaves %j to the parser", async (code) => {
    expect(await run(code)).toMatchObject({ error: expect.stringContaining("SyntaxError at") });
  });

  it.each(["read\n  .all?.()", "date\n()", "let ls = 2; ls -1", "count - 1", "function head() {} head\n"])(
    "takes %j as JavaScript",
    async (code) => expect((await prepareCell({ code }, { languages: BOTH })).ok).toBe(true),
  );
});
