import { tool } from "../../support/tool.js";
import { type HostileCell, SHORT } from "../hostile-cell.js";

const loops: [string, string][] = [
  ["an empty loop", "for (;;) {}"],
  ["a loop that catches", "for (;;) { try { throw 1; } catch {} }"],
  ["a loop inside try, with a catch", "try { for (;;) {} } catch { return 'caught'; }"],
  ["a loop in finally", "try { throw 1; } finally { for (;;) {} }"],
  ["a loop whose finally emits", "try { for (;;) {} } finally { text('finally'); }"],
  ["a loop in a generator", "for (const _ of (function* () { for (;;) yield 1; })()) {}"],
  ["a loop in an async generator", "for await (const _ of (async function* () { for (;;) yield 1; })()) {}"],
  [
    "a microtask storm",
    "(function again() { Promise.resolve().then(again); })(); await new Promise(() => {});",
  ],
  ["an await storm", "for (;;) await null;"],
  [
    "queueMicrotask for ever",
    "(function again() { queueMicrotask(again); })(); await new Promise(() => {});",
  ],
  ["a thenable that resolves to itself again", "const t = { then(resolve) { resolve(t); } }; await t;"],
  ["catastrophic backtracking", "/^(a+)+$/.test('a'.repeat(40) + 'b');"],
  ["backtracking with a back reference", "/(x+x+)+\\1y/.test('x'.repeat(60));"],
  ["nested quantifiers under the v flag", "/^([a-z]|[a-z]+)*$/v.test('a'.repeat(60) + '1');"],
  ["a comparator that never ends", "[3, 1, 2].sort(() => { for (;;) {} });"],
  ["a replacer that never ends", "'abc'.replace(/./g, () => { for (;;) {} });"],
  ["a reviver that never ends", "JSON.parse('[1]', () => { for (;;) {} });"],
  ["a toJSON that never ends, in an argument", "echo({ toJSON() { for (;;) {} } });"],
  ["a toJSON that never ends, when emitted", "json({ toJSON() { for (;;) {} } });"],
  ["a getter that never ends, when emitted", "text({ get a() { for (;;) {} } });"],
  ["a getter that never ends, in the final value", "return { get a() { for (;;) {} } };"],
  ["a proxy that never ends, in the final value", "return new Proxy({}, { ownKeys() { for (;;) {} } });"],
  ["a proxy that never ends, on the console", "console.log(new Proxy({}, { ownKeys() { for (;;) {} } }));"],
  [
    "an array length that never ends, in the final value",
    "return new Proxy([], { get(t, k) { if (k === 'length') for (;;) {} return t[k]; } });",
  ],
  [
    "an error message that never ends",
    "throw Object.defineProperty(new Error('x'), 'message', { get() { for (;;) {} } });",
  ],
  ["an error name that never ends", "class E extends Error { get name() { for (;;) {} } } throw new E('x');"],
  ["a thrown object that never prints", "throw { toString() { for (;;) {} }, get a() { for (;;) {} } };"],
  [
    "a prototype getter on the engine's own error",
    "for (const type of [Error, InternalError, RangeError]) Object.defineProperty(type.prototype, 'message', { get() { for (;;) {} } }); for (;;) {}",
  ],
  [
    "an infinite iterator spread",
    "[...{ [Symbol.iterator]() { return { next: () => ({ value: 1, done: false }) }; } }].length; ",
  ],
  ["a Symbol.toPrimitive that never ends", "+{ [Symbol.toPrimitive]() { for (;;) {} } };"],
  ["a loop after a tool call", "await echo({}); for (;;) {}"],
  ["a loop in a then of a tool call", "await echo({}).then(() => { for (;;) {} });"],
  ["a loop in a timer", "setTimeout(() => { for (;;) {} }, 1); await new Promise((r) => setTimeout(r, 50));"],
  [
    "a timer storm",
    "(function again() { setTimeout(again, 0); setTimeout(again, 0); })(); for (;;) await new Promise((r) => setTimeout(r, 0));",
  ],
  [
    "a loop in a finalizer",
    "const r = new FinalizationRegistry(() => { for (;;) {} }); for (;;) r.register({}, 1);",
  ],
  ["a loop in eval", "eval('for (;;) {}');"],
  ["a loop in new Function", "new Function('for (;;) {}')();"],
  ["a Date that never ends", "new Date({ valueOf() { for (;;) {} } });"],
  ["a BigInt power tower", "let n = 3n; for (;;) n = (n * n) % (2n ** 4096n);"],
  [
    "Atomics-free spinning on shared memory",
    "const a = new Int32Array(new SharedArrayBuffer(4)); while (a[0] === 0) {}",
  ],
];

/** Native operations that hear no interrupt: the thread is ended. */
const native: [string, string][] = [
  ["joining a huge sparse array", "new Array(1e9) + '';"],
  [
    "searching a long needle in a long text",
    "'a'.repeat(2e5).indexOf('a'.repeat(1e5) + 'b'); for (;;) 'a'.repeat(2e5).indexOf('a'.repeat(1e5) + 'b');",
  ],
  ["replaceAll that builds for ever", "for (;;) 'a'.repeat(1e5).replaceAll('a', 'b'.repeat(20));"],
  ["filling typed arrays", "const a = new Float64Array(4e6); for (;;) { a.fill(1); a.sort(); }"],
  ["lastIndexOf over a long text", "for (;;) 'a'.repeat(2e5).lastIndexOf('b' + 'a'.repeat(1e5));"],
  ["includes over a long text", "for (;;) 'ab'.repeat(2e5).includes('ab'.repeat(1e5) + 'c');"],
  ["a BigInt printed", "let n = 7n ** 30000n; for (;;) n.toString();"],
  ["splitting a long text", "for (;;) 'a,'.repeat(2e5).split(',').length;"],
];

export const timeCells: HostileCell[] = [
  ...loops.map(([name, code]) => ({
    name,
    code,
    limits: SHORT,
    tools: () => [tool("echo", (input) => input)],
    fails: ["timeout", "internal_error", "invalid_input"] as const,
  })),
  ...native.map(([name, code]) => ({
    name: `native: ${name}`,
    code: `text('before'); ${code}`,
    limits: { ...SHORT, memoryLimitBytes: 256 * 1024 * 1024 },
    fails: ["timeout", "internal_error"] as const,
    emitted: ["before"],
    peakMb: 500,
  })),
];
