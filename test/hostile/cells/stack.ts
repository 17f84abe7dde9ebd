import { tool } from "../../support/tool.js";
import type { HostileCell } from "../hostile-cell.js";

/** Too deep for the stack: each must be an error the cell could catch. */
const deep: [string, string][] = [
  ["recursion", "function f() { return f() + 1; } f();"],
  ["mutual recursion", "const a = () => b() + 1, b = () => a() + 1; a();"],
  ["recursion through a getter", "const o = { get x() { return this.x; } }; o.x;"],
  ["recursion through a proxy", "const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.x;"],
  ["a chain of proxies", "let p = {}; for (let i = 0; i < 50000; i++) p = new Proxy(p, {}); p.x;"],
  ["recursion through toString", "const o = { toString() { return '' + this; } }; '' + o;"],
  ["recursion through valueOf", "const o = { valueOf() { return +this; } }; +o;"],
  ["recursion through sort", "const f = () => [2, 1].sort(f); f();"],
  ["recursion through a replacer", "const f = () => 'a'.replace(/a/, f); f();"],
  [
    "recursion through JSON.stringify",
    "const o = { toJSON() { return JSON.stringify(o); } }; JSON.stringify(o);",
  ],
  ["recursion through a class constructor", "class A { constructor() { new A(); } } new A();"],
  ["recursion through a generator", "function* g() { yield* g(); } g().next();"],
  ["recursion through eval", "const f = () => eval('f()'); f();"],
  [
    "a cyclic array joined",
    "const a = []; a.push(a, a); let s = a; for (let i = 0; i < 1e5; i++) s = [s]; String(s);",
  ],
  ["deep JSON parsed", "JSON.parse('['.repeat(100000) + ']'.repeat(100000));"],
  ["deep JSON written", "let o = {}; for (let i = 0; i < 100000; i++) o = { o }; JSON.stringify(o);"],
  ["deep source in eval", "eval('['.repeat(20000) + ']'.repeat(20000));"],
  ["deep groups in a regular expression", "new RegExp('('.repeat(50000) + ')'.repeat(50000));"],
  ["spread of a huge argument list", "Math.max(...Array.from({ length: 1e6 }, (_, i) => i));"],
  ["apply with a huge argument list", "Math.max.apply(null, Array.from({ length: 1e6 }, (_, i) => i));"],
];

const nest = (open: string, close: string, depth: number, inner: string): string =>
  open.repeat(depth) + inner + close.repeat(depth);

export const stackCells: HostileCell[] = [
  ...deep.map(([name, code]) => ({
    name: `${name}: the cell can catch it`,
    code: `try { ${code} return 'no error'; } catch (e) { return e instanceof RangeError || e instanceof SyntaxError || e instanceof InternalError || e.name; }`,
    value: true,
  })),
  ...deep.slice(0, 3).map(([name, code]) => ({
    name: `${name}: uncaught`,
    code,
    fails: "internal_error" as const,
    says: /call stack/,
  })),
  {
    name: "a deep argument",
    code: "let o = 1; for (let i = 0; i < 100000; i++) o = [o]; try { await echo({ o }); } catch (e) { return e.name; }",
    tools: () => [tool("echo", (input) => input)],
    limits: { timeoutMs: 30_000 },
    value: "RangeError",
  },
  {
    name: "a deep final value",
    code: "let o = 1; for (let i = 0; i < 100000; i++) o = [o]; return o;",
    fails: "internal_error",
    says: /call stack/,
  },
  {
    name: "a deep emitted value is cut, not fatal",
    code: "let o = 1; for (let i = 0; i < 100000; i++) o = [o]; text(o); json(o); console.log(o); return 'done';",
    value: "done",
  },
  {
    name: "a deep value saved",
    code: "let o = 1; for (let i = 0; i < 100000; i++) o = [o]; try { await results.save(o); } catch (e) { return e.name; }",
    limits: { timeoutMs: 30_000 },
    value: "RangeError",
  },
  {
    name: "a deep reply",
    code: "try { await deep({}); return 'arrived'; } catch (e) { return e instanceof Error; }",
    tools: () => [tool("deep", () => JSON.parse(nest("[", "]", 5_000, "1")))],
    value: true,
  },
  {
    name: "deep source",
    code: `return ${nest("[", "]", 5_000, "1")};`,
    fails: ["invalid_input", "internal_error"],
  },
  {
    name: "deep parentheses",
    code: `return ${nest("(", ")", 20_000, "1")};`,
    fails: ["invalid_input", "internal_error"],
  },
  {
    name: "deep blocks",
    code: `${nest("{", "}", 20_000, ";")} return 1;`,
    fails: ["invalid_input", "internal_error"],
  },
  { name: "a long chain of operators", code: `return ${"1+".repeat(50_000)}1;`, value: 50_001 },
  {
    name: "a long chain of else",
    code: `${"if (0) {} else ".repeat(5_000)}{} return 1;`,
    fails: ["invalid_input", "internal_error"],
  },
  {
    name: "a long literal",
    code: `return ${JSON.stringify("x".repeat(2_000_000))}.length;`,
    value: 2_000_000,
  },
  { name: "a line of 10 MB", code: `/* ${"x".repeat(10_000_000)} */ return 1;`, value: 1, withinMs: 10_000 },
  {
    name: "a hundred thousand statements",
    code: `let n = 0; ${"n++;".repeat(100_000)} return n;`,
    value: 100_000,
    withinMs: 10_000,
  },
  { name: "a huge array literal", code: `return [${"1,".repeat(100_000)}].length;`, value: 100_000 },
  {
    name: "a huge object literal",
    code: `return Object.keys({${Array.from({ length: 20_000 }, (_, i) => `k${i}:1`).join()}}).length;`,
    value: 20_000,
  },
  { name: "a huge template", code: `return \`${"${1}".repeat(20_000)}\`.length;`, value: 20_000 },
  {
    name: "a class of ten thousand members",
    code: `class A { ${Array.from({ length: 10_000 }, (_, i) => `m${i}() {}`).join(" ")} } return Object.getOwnPropertyNames(A.prototype).length;`,
    value: 10_001,
  },
  { name: "a wrapper closed early", code: "return 1; }); (async () => { sneak();", fails: "invalid_input" },
  { name: "a wrapper closed by a comment", code: "return 1; // }", value: 1 },
  { name: "a null byte in the source", code: "return 'a\u0000b'.length;", value: 3 },
  { name: "line separators in the source", code: "const s = 'a\u2028b';\u2029return s.length;", value: 3 },
];
