import { describe, expect, it } from "vitest";
import { prepareCell } from "../../../src/runtime/prepare/prepare.js";
import type { CellLanguage } from "../../../src/runtime/types.js";
import { evaluate } from "./engine.js";

const BOTH = { languages: ["javascript", "typescript"] } as const;

async function run(code: string, language?: CellLanguage): Promise<unknown> {
  const outcome = await prepareCell({ code, ...(language === undefined ? {} : { language }) }, BOTH);
  if (!outcome.ok) return outcome;
  return evaluate(outcome.cell);
}

const refusal = (part: string | RegExp) => ({
  ok: false,
  code: "invalid_input",
  error: expect.stringMatching(part),
});

describe("cell-02 the shell check", () => {
  it.each([
    ["ls; var ls = 3; return ls;", 3],
    ['const find = (a) => a.length; return find(["x"]);', 1],
    ['echo: for (const git of [1, 2]) { if (git > 1) break echo; } return "label ok";', "label ok"],
    ['return `npm install && rm -rf ${"x"}`;', "npm install && rm -rf x"],
  ])("cell-02 runs %s", async (code, value) => {
    expect(await run(code)).toEqual({ value });
  });

  it.each(["ls -la /tmp", "git status && npm test", "cat package.json | grep name"])(
    "cell-02 refuses %s and says what to call",
    async (code) => {
      expect(await run(code)).toMatchObject(refusal("catalog.search"));
      expect(await run(code, "typescript")).toMatchObject(refusal("catalog.search"));
    },
  );
});

describe("cell-03 module access", () => {
  const languages = ["javascript", "typescript"] as const;
  it.each(languages)("cell-03 leaves text, regexes and members alone (%s)", async (language) => {
    const text =
      'return [`require(\'node:fs\')`, /import.meta/.test("import.meta"), "import(\'x\')"]; // import("y")';
    expect(await run(text, language)).toEqual({ value: ["require('node:fs')", true, "import('x')"] });
    const members =
      "const api = { import() { return 42; }, require: (x) => x }; return [api.import(), api.require(1)];";
    expect(await run(members, language)).toEqual({ value: [42, 1] });
  });

  const loaders = [
    'return `${await import("node:fs")}`;',
    'return r\\u0065quire("node:fs");',
    'return (0, require)("node:fs");',
    'return require?.("node:fs");',
    'import fs from "node:fs"; return 1;',
    "return import.meta.url;",
    'if (false) { (require)("x") }',
    "function f(require) { return require(1) } return f(String)",
  ];
  it.each(languages.flatMap((language) => loaders.map((code) => [language, code] as const)))(
    "cell-03 refuses (%s) %s",
    async (language, code) => {
      expect(await run(code, language)).toMatchObject(refusal("module access is disabled"));
    },
  );

  it("cell-03 never gives dynamic code a module", async () => {
    const code =
      "const AsyncFunction = (async () => {}).constructor; return await new AsyncFunction('return import(\"node:fs\")')();";
    expect(await run(code)).toEqual({ error: "ReferenceError: could not load module 'node:fs'" });
  });
});

describe("cell-04 TypeScript imports", () => {
  it.each([
    'import type { Stats } from "node:fs";\nreturn 1;',
    'import { readFileSync } from "node:fs";\nreturn 2;',
  ])("cell-04 judges %j on the source as written", async (code) => {
    expect(await run(code, "typescript")).toMatchObject({
      ...refusal("module access is disabled"),
      place: { line: 1, column: 1 },
    });
  });

  it("cell-04 runs past an empty export", async () => {
    expect(await run("export {};\nreturn 3;", "typescript")).toEqual({ value: 3 });
    expect(await run("export {};\nreturn 3;")).toEqual({ value: 3 });
  });

  it("cell-04 erases types", async () => {
    const code = `declare const orders_list: (x: { since: string }) => Promise<{ id: string }[]>;
const enum Level { Low = 1, High = 2 }
const wrap = <T,>(x: T) => [x] as const;
const r = { a: wrap(Level.High) } satisfies Record<string, readonly [number]>;
return r;`;
    expect(await run(code, "typescript")).toEqual({ value: { a: [2] } });
  });
});

describe("cell-05 the wrapper", () => {
  it.each([
    ["return 1 // done", 1],
    ["```js\nreturn 2\n```", 2],
    ["const x = await Promise.resolve(3); return x;;", 3],
    ['"use strict"; return (function () { return this === undefined; })();', true],
    ["/* nothing */", null],
  ])("cell-05 runs %j", async (code, value) => {
    expect(await run(code)).toEqual({ value });
  });

  it("cell-05 refuses a hashbang, as the golden cell does", async () => {
    expect(await run("#!/usr/bin/env node\nreturn 5;")).toMatchObject(refusal("#!"));
  });

  it("cell-05 refuses what would close the wrapper, at its own place", async () => {
    expect(await run("return { a: 1 } } ); sneak(); ({")).toMatchObject({
      ...refusal(/^SyntaxError at .*:1:17: /),
      place: { line: 1, column: 17 },
    });
    for (const code of ["}); (async () => {", "} + function () {", "}, async () => {"]) {
      expect(await run(code)).toMatchObject({ ...refusal("SyntaxError"), place: { line: 1, column: 1 } });
      expect(await run(code, "typescript")).toMatchObject({
        ...refusal("SyntaxError"),
        place: { line: 1, column: 1 },
      });
    }
  });
});
