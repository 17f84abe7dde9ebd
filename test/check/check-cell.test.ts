import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sourceLines } from "../../src/ui/source-lines.js";
import { catalogOf, nativeTool } from "../catalog/support.js";
import { full } from "../support/full.js";
import { catalog, check, withoutMcp } from "./support.js";

type Language = "javascript" | "typescript";
type Expected = [
  severity: "error" | "warning",
  code: string,
  line: number,
  column: number,
  message: RegExp,
  fix?: RegExp,
];

/** What is found, whatever the language of the cell. */
const FOUND: [name: string, source: string, ...Expected[]][] = [
  [
    "a misspelt field of a closed output",
    'const r = await orders_list({ since: "2026" });\nreturn r.orders.map((order) => order.totl);',
    [
      "error",
      "unknown_property",
      2,
      38,
      /`totl` is not in what orders_list returns: \{ .*total: number.* \}/,
      /`total`/,
    ],
  ],
  [
    "a misspelt field in a filter",
    "const shipments = await shipping_list({});\nreturn shipments.filter((one) => !one.payed && one.tons > 10);",
    [
      "error",
      "unknown_property",
      2,
      39,
      /shipping_list returns: \{ id: string; paid: boolean; tons: number \}/,
      /`paid`/,
    ],
  ],
  [
    "a misspelt field in a pattern",
    'const { ordrs } = await orders_list({ since: "x" });\nreturn ordrs;',
    ["error", "unknown_property", 1, 9, /`ordrs`/, /`orders`/],
  ],
  [
    "a misspelt field beside objects that grow",
    "const weights = {};\nconst seen = new Map();\nfor (const one of await shipping_list({})) {\n  weights[one.id] = one.tns;\n  seen.set(one.id, 1);\n}\nreturn weights;",
    ["error", "unknown_property", 4, 25, /`tns`/, /`tons`/],
  ],
  [
    "a field read by an index",
    'const r = await orders_list({ since: "x" });\nreturn r["cuont"];',
    ["error", "unknown_property", 2, 10, /`cuont`/, /`count`/],
  ],
  [
    "a field of an object where an array is returned",
    "const answer = await shipping_list({});\nreturn answer.shipments;",
    ["error", "unknown_property", 2, 15, /`shipments` is not in/],
  ],
  [
    "a wrong argument",
    "await orders_list({\n  since: 5,\n});",
    [
      "error",
      "input_contract",
      2,
      10,
      /orders_list refuses this input: since: must be string; it takes \{ since: string/,
    ],
  ],
  [
    "a value out of its bounds",
    'await orders_list({ since: "x", limit: 1000 });',
    ["error", "input_contract", 1, 40, /limit: must be <= 100/],
  ],
  [
    "a value that is none of the allowed ones",
    'const day = new Date().toISOString();\nawait orders_list({ since: day, status: "opne" });',
    ["error", "input_contract", 2, 41, /status: must be one of "open", "paid", "closed"/, /`open`/],
  ],
  [
    "a misspelt argument",
    'await orders_list({ since: "x", limt: 5 });',
    ["error", "input_contract", 1, 33, /must not have the property "limt"/, /`limit`/],
  ],
  [
    "a missing required field",
    "await orders_list({ limit: 5 });",
    ["error", "input_contract", 1, 19, /since: is required/],
  ],
  [
    "a call without its required input",
    "await orders_list();",
    ["error", "input_contract", 1, 7, /since: is required/],
  ],
  [
    "a wrong item of an array",
    'const tag = String(1);\nawait orders_list({ since: "x", tags: [tag, 7] });',
    ["error", "input_contract", 2, 45, /tags.1: must be string/],
  ],
  [
    "an output of the wrong kind as an argument",
    'const r = await orders_list({ since: "x" });\nawait orders_list({ since: r.count });',
    ["error", "input_contract", 2, 28, /since: must be string/],
  ],
  [
    "an input kept in a constant",
    "const input = { since: 5 };\nawait orders_list(input);",
    ["error", "input_contract", 1, 24, /since: must be string/],
  ],
  [
    "an input that fits no alternative",
    'await either({ query: "x", limit: "many" });',
    ["error", "input_contract", 1, 14, /must match one of 2 alternatives; it takes \{ id: string \} \| \{/],
  ],
  [
    "a nullable field used unchecked",
    'const r = await orders_list({ since: "x" });\nreturn r.orders.map((order) => order.note.length);',
    ["warning", "possibly_null", 2, 32, /`order.note` may be null: it is declared as string \| null/, /\?\./],
  ],
  [
    "a nullable field as an argument",
    'const r = await orders_list({ since: "x" });\nawait orders_list({ since: r.orders[0].note });',
    ["warning", "possibly_null", 2, 21, /null/],
  ],
  [
    "a wrong MCP argument",
    'await MCP.github.createIssue({ owner: "o", repo: "r", title: 5 });',
    [
      "error",
      "input_contract",
      1,
      62,
      /MCP\.github\.createIssue refuses this input: title: must be string; it takes \{ owner: string/,
    ],
  ],
  [
    "a missing MCP argument, while a default is filled",
    'await MCP.github.createIssue({ owner: "o", repo: "r" });',
    ["error", "input_contract", 1, 30, /title: is required/],
  ],
  [
    "an MCP argument the server may not know",
    'await MCP.github.createIssue({ owner: "o", repo: "r", title: "t", lables: [] });',
    ["warning", "input_contract", 1, 67, /may refuse this input.*"lables"/],
  ],
  [
    "an unknown MCP tool",
    "return await MCP.github.createIsue({});",
    ["error", "unknown_property", 1, 25, /`createIsue` is not in `MCP\.github`/, /`createIssue`/],
  ],
  [
    "an unknown MCP server",
    "return await MCP.gitub.createIssue({});",
    ["error", "unknown_property", 1, 18, /`gitub` is not in `MCP`/, /`github`/],
  ],
  [
    "a property that no MCP result has",
    'const r = await MCP.github.createIssue({ owner: "o", repo: "r", title: "t" });\nreturn r.data;',
    ["error", "unknown_property", 2, 10, /`data` is not in \{ content: unknown\[\]; structuredContent\?/],
  ],
  [
    "an unknown tool",
    'await ordrs_list({ since: "x" });',
    ["error", "unknown_name", 1, 7, /`ordrs_list` is not defined/, /`orders_list`/],
  ],
  [
    "an unknown tool of the older API",
    "await tools.shiping_list({});",
    ["error", "unknown_property", 1, 13, /`shiping_list` is not in `tools`/, /`shipping_list`/],
  ],
  [
    "an unknown tool by name",
    'await tools.callValue("orders_lst", {});',
    ["error", "unknown_tool", 1, 23, /"orders_lst"; did you mean orders_list/],
  ],
  [
    "a wrong argument of the older API",
    'await tools.callValue("orders_list", { since: 5 });',
    ["error", "input_contract", 1, 47, /since: must be string/],
  ],
  ["a misspelt global", 'consle.log("x");', ["error", "unknown_name", 1, 1, /`consle`/, /`console`/]],
  [
    "a misspelt member of a global",
    'await catalog.serch("x");',
    ["error", "unknown_property", 1, 15, /in `catalog`/, /`search`/],
  ],
  [
    "a name of Node or a browser",
    'return await fetch("https://example.org");',
    ["warning", "unknown_name", 1, 14, /a cell has no `fetch`/],
  ],
  [
    "a name like no other",
    "return frobnicate(1);",
    ["warning", "unknown_name", 1, 8, /`frobnicate` is not defined/],
  ],
  [
    "a property of a promise",
    "const shipments = shipping_list({});\nreturn shipments.filter((one) => one.paid);",
    ["error", "missing_await", 2, 18, /promise/, /await/],
  ],
  [
    "a promise that is iterated",
    "for (const one of shipping_list({})) text(one.id);",
    ["error", "missing_await", 1, 19, /promise/, /await/],
  ],
  [
    "a promise as a condition",
    "if (shipping_list({})) text(1);",
    ["warning", "missing_await", 1, 5, /always counts as true/, /await/],
  ],
  [
    "a field of another branch of an input-dependent output",
    'const jobsNow = await jobs({ action: "list" });\nreturn jobsNow.ready;',
    ["error", "unknown_property", 2, 16, /`ready` is not in what jobs returns: \{ items: string\[\] \}/],
  ],
  ["a syntax error", "const a = 1;\nconst b = ;", ["error", "syntax", 2, 11, /Unexpected token `;`/]],
  ["a module", 'const fs = await import("fs");', ["error", "syntax", 1, 18, /module access is disabled/]],
  ["a shell command", "ls -la", ["error", "syntax", 1, 1, /shell command/]],
];

/** Nothing at all is found in these. */
const CORRECT: [name: string, source: string, language?: Language][] = [
  [
    "discovery and delivery in one cell",
    `const listed = await orders_list({ since: "2026-01-01" });
const target = listed.orders.find((order) => order.paid);
if (!target) throw new Error("no paid order");
return { id: target.id, note: target.note?.toUpperCase() ?? "none" };`,
  ],
  [
    "parallel calls",
    `const [a, b] = await Promise.all([shipping_list({}), orders_list({ since: "x", limit: 5 })]);
return a.length + b.count;`,
  ],
  [
    "settled calls",
    `const all = await Promise.allSettled([shipping_list(), orders_list({ since: "x" })]);
return all.map((one) => one.status);`,
  ],
  [
    "caught errors",
    `try {
  return await shipping_list({});
} catch (error) {
  return { message: error.message, code: error.code, location: error.location };
}`,
    "javascript",
  ],
  [
    "search and handles",
    `const [tool] = await catalog.search("list orders", { limit: 3 });
const about = await tool.describe();
console.log(about.description, tool.callableName);
return await tool({ anything: 1 });`,
  ],
  [
    "everything there is",
    `return catalog.all().map((tool) => ({ name: tool.callableName, input: tool.input, out: tool.output }));`,
  ],
  [
    "handles of tools",
    `text(orders_list.description);
return await orders_list.describe();`,
  ],
  [
    "the older API",
    `const [found] = await tools.search("orders");
const full = await tools.describe(found.id);
const answer = await tools.call(found.id, { since: "x" });
return [ALL_TOOLS.length, full.parameters, answer.result, await tools.orders_list({ since: "x" })];`,
  ],
  [
    "declaration files",
    `const { files } = await API.list("tools");
const file = await API.read(files[0].path);
return file.content;`,
  ],
  [
    "MCP",
    `const issue = await MCP.github.createIssue({ owner: "o", repo: "r", title: "t" });
if (issue.isError) return issue.content;
const api = await MCP.github.$api("createIssue", { schema: true });
const resource = await MCP.github.resources.read({ uri: "memo://one" });
return [issue.structuredContent, api.schemas, MCP.github.$serverName, resource.contents];`,
  ],
  [
    "output, console and timers",
    `text("a"); json({ b: 1 }); console.warn("c", 1);
const done = await new Promise((resolve) => setTimeout(resolve, 5, "late"));
clearTimeout(1);
return done;`,
  ],
  [
    "results and store",
    `const saved = await results.save([1, 2, 3]);
await store("seen", saved.id);
const before = await load("seen");
await store("seen", undefined);
return [await results.load(saved.id), before, await results.delete(saved.id), saved.preview.length];`,
  ],
  ["encoders", `return new TextDecoder().decode(new TextEncoder().encode(btoa(atob("eA=="))));`],
  [
    "yield",
    `const { status } = await yield_control("look at this");
return status;`,
  ],
  [
    "nodes and skills",
    `const [first] = await nodes.list();
const node = await nodes.get(first.id);
return [await node.invoke("device.status"), (await skills.list()).length, typeof namespaces.MCP];`,
  ],
  [
    "an open output",
    `const answer = await lookup({ key: "k", more: true });
return [answer.hit, answer.whatever];`,
  ],
  ["an unknown output, whole", `return await fetch_page({ url: "https://example.org" });`],
  [
    "an unknown output, looked into",
    `const page = await fetch_page({ url: "https://example.org" });
return page.title.trim() + page.links[0];`,
    "javascript",
  ],
  [
    "a union told apart",
    `const answer = await either({ id: "x" });
if ("found" in answer) return answer.found;
return answer.missing;`,
  ],
  [
    "a union asked directly",
    `const answer = await either({ query: "x" });
if (answer.missing) return null;
return answer.found;`,
    "javascript",
  ],
  [
    "an output by its input",
    `const list = await jobs({ action: "list" });
const state = await jobs({ action: "status" });
return [list.items.length, state.ready];`,
  ],
  [
    "objects that grow",
    `const counts = {};
const out = [];
for (const one of await shipping_list({})) {
  counts[one.id] = (counts[one.id] ?? 0) + 1;
  one.flag = true;
  out.push(one.flag);
}
let last = null;
last = out.length;
return { counts, out, last };`,
    "javascript",
  ],
  [
    "sloppy globals",
    `total = 0;
for (const one of await shipping_list({})) total += one.tons;
return total;`,
    "javascript",
  ],
  ["names that may not be there", `return typeof MCP === "undefined" ? [typeof process, typeof window] : 1;`],
  [
    "an argument built in steps",
    `const input = { since: "x" };
if (Math.random() > 2) input.limit = 5;
const extra = { status: "open" };
return await orders_list({ ...input, ...extra });`,
    "javascript",
  ],
  [
    "a widened literal",
    `const input = { since: "x", status: "open" };
return await orders_list(input);`,
    "javascript",
  ],
  ["a tool that mends its arguments", `return await lenient({ n: 1 });`],
  ["a client's tool", `return await select_file({ anything: 1 });`],
  ["a tool whose name is no identifier", `return await send_mail({ to: "x" });`],
  [
    "shadowed names",
    `const text = (value) => value; const double = 2;
return text(double);`,
    "javascript",
  ],
  ["a default export", `export default async () => (await shipping_list({})).length;`],
  [
    "an empty export",
    `export {};
const shipments = await shipping_list({});
return shipments[0]?.id;`,
  ],
  ["a cell in a fence", "```js\nreturn (await shipping_list({})).map((one) => one.tons);\n```"],
  [
    "sloppy code",
    `with ({ a: 1 }) text(a);
return 010 + arguments_;
var arguments_ = 1;`,
    "javascript",
  ],
  [
    "types, enums, namespaces, using",
    `interface Row { id: string; tons: number }
enum Size { Small = 1, Large = 10 }
namespace Weigh { export const heavy = (row: Row) => row.tons > Size.Large; }
using nothing = null;
const rows: Row[] = await shipping_list({});
declare const never_there: number;
const r = { n: typeof never_there } satisfies Record<string, string>;
return rows.filter(Weigh.heavy).map((row) => row.id) as string[] | null ?? r;`,
    "typescript",
  ],
];

/** Warnings at most: what the cell does as it runs may make it right. */
const UNDECIDED: [name: string, source: string][] = [
  ["a global set through its object", "globalThis.total = 1;\nreturn total;"],
  ["a global set under a computed name", "const name = 'totls';\nglobalThis[name] = 1;\nreturn totls;"],
  ["a name that eval makes", "eval('var tols = 1');\nreturn tols;"],
  [
    "a property the cell adds",
    'const r = await orders_list({ since: "x" });\nr.cuont = r.count;\nreturn r.cuont;',
  ],
  [
    "properties the cell assigns",
    'const r = await orders_list({ since: "x" });\nObject.assign(r, { cuont: 1 });\nreturn r.cuont;',
  ],
  [
    "a property under a computed name",
    'const r = await orders_list({ since: "x" });\nfor (const key of ["cuont"]) r[key] = 1;\nreturn r.cuont;',
  ],
  ["a method that is asked for", "console.table?.([1]);\nreturn typeof console.trace;"],
  [
    "an output the cell changes before it passes it on",
    'const r = await orders_list({ since: "x" });\nr.count = "y";\nawait orders_list({ since: r.count });',
  ],
  ["a variable that changes", "let since = 5;\nsince = 'x';\nawait orders_list({ since });"],
  ["a default that is not used", "const ask = (since = 5) => orders_list({ since });\nawait ask('x');"],
  [
    "an own object that changes",
    "const state = { since: 5 };\nstate.since = 'x';\nawait orders_list({ since: state.since });\nawait orders_list(state);",
  ],
  [
    "an argument that is handed out",
    "const input = { since: 5 };\nmend(input);\nawait orders_list(input);\nfunction mend(it) { it.since = 'x'; }",
  ],
  ["a cast", "await orders_list({ since: JSON.parse('\"x\"') });"],
];

describe("checkCell", () => {
  it.each(UNDECIDED)("does not block %s", async (_, source) => {
    for (const language of ["javascript", "typescript"] as const) {
      const findings = await check(source, language);
      expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
    }
  });

  it("copes with tools named like words of the language", async () => {
    const names = [
      "let",
      "async",
      "of",
      "get",
      "type",
      "declare",
      "namespace",
      "constructor",
      "module",
      "abstract",
      "a$",
      "_",
    ];
    const odd = catalogOf(...names.map((name) => nativeTool(name, { parameters: { type: "object" } })));
    for (const { callableName } of odd.entries) {
      const source = `const r = await globalThis.${callableName}({ a: 1 });\nreturn [r, consle];`;
      expect(await check(source, "javascript", { catalog: odd })).toMatchObject([
        { code: "unknown_name", line: 2 },
      ]);
    }
  });

  it("costs little with thousands of tools", async () => {
    const many = catalogOf(
      ...Array.from({ length: 5_000 }, (_, i) =>
        nativeTool(`tool_${i}_of_many`, { parameters: { type: "object", required: ["a"] } }),
      ),
    );
    const start = performance.now();
    expect(
      await check("await tool_77_of_many({});\nawait tool_78_of_mny({});", "javascript", { catalog: many }),
    ).toMatchObject([
      { code: "input_contract", line: 1 },
      { code: "unknown_name", line: 2 },
    ]);
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  it("leaves a source alone that is too deep to be judged", async () => {
    const source = `return ${"[".repeat(900)}1${"]".repeat(900)};`;
    for (const { severity } of await check(source)) expect(severity).toBe("warning");
    const chain = `let a = 1;\nreturn ${"a+".repeat(20_000)}a;`;
    for (const { severity } of await check(chain)) expect(severity).toBe("warning");
  });

  describe.each(["javascript", "typescript"] as const)("in %s finds", (language) => {
    it.each(FOUND)("%s", async (_, source, ...expected) => {
      const findings = await check(source, language);
      expect(findings.map(({ severity, code, line, column }) => [severity, code, line, column])).toEqual(
        expected.map(([severity, code, line, column]) => [severity, code, line, column]),
      );
      for (const [index, [, , , , message, fix]] of expected.entries()) {
        expect(findings[index]?.message).toMatch(message);
        if (fix !== undefined) expect(findings[index]?.fix).toMatch(fix);
      }
    });
  });

  it.each(CORRECT)("finds nothing in %s", async (_, source, only) => {
    const languages: Language[] = only === undefined ? ["javascript", "typescript"] : [only];
    for (const language of languages) expect(await check(source, language)).toEqual([]);
  });

  it("calls an MCP server that is not there what it is", async () => {
    const findings = await check("return await MCP.github.createIssue({});", "javascript", {
      catalog: withoutMcp,
    });
    expect(findings).toMatchObject(
      [{ severity: "error", code: "unknown_name", message: /no MCP server/ }].map((one) => ({
        ...one,
        message: expect.stringMatching(one.message),
      })),
    );
  });

  it("warns of a type error in TypeScript, and makes it an error when asked to be strict", async () => {
    const source = 'const n: number = "x";\nreturn n;';
    expect(await check(source, "typescript")).toMatchObject([
      { severity: "warning", code: "type_error", line: 1, column: 7 },
    ]);
    expect(await check(source, "typescript", { strict: true })).toMatchObject([
      { severity: "error", code: "type_error" },
    ]);
    expect(await check("let n = 1;\nn = 'x';\nreturn n.length;", "javascript", { strict: true })).toEqual([]);
  });

  it("warns in TypeScript that an undeclared output has no known shape", async () => {
    const source = 'const page = await fetch_page({ url: "x" });\nreturn page.title;';
    expect(await check(source, "typescript")).toMatchObject([
      { severity: "warning", code: "unknown_shape", line: 2, column: 8 },
    ]);
  });

  it("counts places as the author does, behind a fence, a mark and wide characters", async () => {
    const source = "\ufeff```ts\n// é😀\nconst é = '😀'; consle.log(é);\n```";
    expect(await check(source, "typescript")).toMatchObject([{ code: "unknown_name", line: 3, column: 17 }]);
  });

  it("leaves other tools alone when one has a malformed contract", async () => {
    expect(catalog.entries.length).toBeGreaterThan(5);
    expect(await check("return await shipping_list({});")).toEqual([]);
  });

  it("answers for any source, with places inside it", async () => {
    const token = fc.constantFrom(
      ..."{ } ( ) [ ] , ; . ?. => = + ... : ? ! ` \n await return const let function async typeof in new".split(
        " ",
      ),
      "orders_list",
      "orders_list({",
      "since",
      "'x'",
      "5",
      "null",
      "MCP.github",
      ".createIssue(",
      "tools",
      "catalog",
      "r",
      "export default",
      "// é😀\n",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(token, { maxLength: 16 }),
        fc.constantFrom("javascript" as const, "typescript" as const),
        async (tokens, language) => {
          const source = tokens.join(" ");
          for (const { line, column } of await check(source, language)) {
            const text = sourceLines(source)[line - 1];
            expect(text).toBeDefined();
            expect(column).toBeLessThanOrEqual((text ?? "").length + 1);
          }
        },
      ),
      { numRuns: full ? 400 : 40, seed: 20261130 },
    );
  });
});
