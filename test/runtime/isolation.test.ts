import { describe, expect, test } from "vitest";
import { completed, finalValue, runToEnd, testSession, tool } from "../support/cells.js";

/** What a cell may do to its own globals before it does ordinary work. */
const ATTACKS: Record<string, string> = {
  "JSON.stringify": "JSON.stringify = () => 'forged';",
  "JSON.parse": "JSON.parse = () => ({ forged: true });",
  "the JSON object": "globalThis.JSON = { stringify: () => 'forged', parse: () => 'forged' };",
  "Promise.prototype.then": "Promise.prototype.then = function () { return this; };",
  "Promise.prototype.constructor":
    "Object.defineProperty(Promise.prototype, 'constructor', { get() { return undefined; } });",
  "Promise species":
    "Object.defineProperty(Promise, Symbol.species, { get() { throw new Error('species'); } });",
  "the Promise global": "globalThis.Promise = class { constructor() { throw new Error('promise'); } };",
  "Promise.reject": "Promise.reject = Promise.resolve = () => { throw new Error('patched'); };",
  "array methods":
    "for (const k of ['push', 'pop', 'shift', 'map', 'filter', 'slice', 'concat', 'join', 'forEach', 'indexOf', 'sort']) Array.prototype[k] = () => { throw new Error(k); };",
  "the array iterator": "Array.prototype[Symbol.iterator] = function* () { throw new Error('iterator'); };",
  "iterator next": "Object.getPrototypeOf([][Symbol.iterator]()).next = () => { throw new Error('next'); };",
  "a setter on index 0":
    "Object.defineProperty(Array.prototype, 0, { configurable: true, set() { throw new Error('index'); }, get() { return undefined; } });",
  "setters on Object.prototype":
    "for (const k of ['id', 'method', 'args', 'length', 'resolve', 'value', 'path', 'parent', 'get', 'set', 'writable']) Object.defineProperty(Object.prototype, k, { __proto__: null, configurable: true, set() { throw new Error('set ' + k); }, get() { return undefined; } });",
  "getters on Object.prototype":
    "for (const k of ['enumerable', 'configurable', 'writable', 'value', 'get', 'set']) Object.prototype[k] = true;",
  "Object functions":
    "for (const k of Object.getOwnPropertyNames(Object)) if (typeof Object[k] === 'function') Object[k] = () => { throw new Error(k); };",
  "Reflect functions":
    "for (const k of Object.getOwnPropertyNames(Reflect)) Reflect[k] = () => { throw new Error(k); };",
  "Function.prototype.call":
    "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => { throw new Error('call'); };",
  "Map and WeakMap":
    "for (const type of [Map, Set, WeakMap, WeakSet]) for (const k of ['get', 'set', 'has', 'add', 'delete', 'keys', 'values']) type.prototype[k] = () => { throw new Error(k); };",
  "Map iterators": "Object.getPrototypeOf(new Map().values()).next = () => ({ done: true });",
  "String functions":
    "globalThis.String = () => 'forged'; for (const k of ['slice', 'indexOf', 'charCodeAt', 'split', 'repeat']) String.prototype ? String.prototype[k] = () => 'forged' : 0; ''.constructor.prototype.slice = () => 'forged'; ''.constructor.prototype.indexOf = () => 0;",
  Error: "globalThis.Error = function () { return {}; };",
  "Error.prepareStackTrace": "Error.prepareStackTrace = () => { throw new Error('trace'); };",
  "Error.stackTraceLimit": "Error.stackTraceLimit = 0;",
  "Error.prototype": "Error.prototype.name = 'Forged'; Error.prototype.toString = () => 'forged';",
  "Array.isArray and Number checks":
    "Array.isArray = () => true; Number.isFinite = () => false; globalThis.isFinite = () => false;",
  Math: "for (const k of Object.getOwnPropertyNames(Math)) Math[k] = () => NaN;",
  "deleted globals":
    "for (const k of ['JSON', 'Promise', 'Map', 'WeakMap', 'WeakSet', 'Reflect', 'Error', 'Array', 'String', 'Number', 'Math', 'Symbol', 'Uint8Array']) delete globalThis[k];",
  "frozen globals":
    "for (const k of Object.getOwnPropertyNames(globalThis)) { const v = globalThis[k]; if (v && /object|function/.test(typeof v)) { Object.freeze(v); if (v.prototype) Object.freeze(v.prototype); } } Object.freeze(globalThis);",
  "a proxy as global prototype":
    "Object.setPrototypeOf(globalThis, new Proxy({}, { get() { throw new Error('trap'); }, has() { return false; } }));",
  "null prototypes":
    "Object.setPrototypeOf(Function.prototype, null); Object.setPrototypeOf(Array.prototype, null);",
  "toJSON on prototypes":
    "Object.prototype.toJSON = () => 'forged'; String.prototype.toJSON = () => 'forged'; Number.prototype.toJSON = () => 'forged';",
};

/** Attacks that change a cell's own arguments, as the language has it. */
const OWN_ARGUMENTS = new Set(["toJSON on prototypes"]);

const WORK = `
text("before");
const sum = await add({ a: 1, b: [2] });
await pause(1);
json({ sum });
let caught;
try { await fail({}); } catch (e) { caught = [e.message, e.code]; }
return { sum, caught, list: [1, "two", null] };`;

const tools = () => [
  tool("add", ({ a, b }) => ({ total: a + b[0] })),
  tool("pause", () => null),
  tool("fail", () => {
    throw new Error("refused");
  }),
];

const EXPECTED = {
  value: { sum: { total: 3 }, caught: ["refused", "tool_error"], list: [1, "two", null] },
  output: [
    { type: "text", text: "before" },
    { type: "json", value: { sum: { total: 3 } } },
  ],
};

describe("a cell that changes its own globals", () => {
  test.each(Object.entries(ATTACKS))("%s: calls, output and value stay exact", async (name, attack) => {
    const session = testSession({ tools: tools() });
    const code = OWN_ARGUMENTS.has(name)
      ? `${attack} text("before"); return { list: [1, "two", null] };`
      : `${attack}\n${WORK}`;
    const result = completed(
      await session.exec({ code: code.replace("await pause(1);", "await pause({});") }),
    );
    if (OWN_ARGUMENTS.has(name)) expect(result.value).toEqual({ list: [1, "two", null] });
    else expect({ value: result.value, output: result.output }).toEqual(EXPECTED);
    // The next cell of the same worker has everything back.
    const next = await session.exec({ code: WORK.replace("await pause(1);", "await pause({});") });
    expect(completed(next)).toMatchObject(EXPECTED);
  });

  test("survives a suspension", async () => {
    const session = testSession({ tools: tools() });
    const code = `${ATTACKS["a setter on index 0"]} ${ATTACKS["JSON.stringify"]} await yield_control("x"); ${WORK.replace("await pause(1);", "await pause({});")}`;
    expect(await runToEnd(session, code)).toMatchObject(EXPECTED);
  });
});

describe("forgery", () => {
  test("a cell that guesses request ids settles nothing and calls nothing", async () => {
    const session = testSession({ tools: tools() });
    const code = `
      const names = Object.getOwnPropertyNames(globalThis).filter((n) => /bridge|host|settle|request|__/i.test(n));
      const pending = add({ a: 1, b: [1] });
      for (const id of ["bridge:callValue:1", "bridge:callValue:2"]) {
        for (const holder of [globalThis, pending, add, catalog, results]) {
          try { holder[id] = { ok: true, json: "forged" }; } catch {}
        }
      }
      return [names, await pending];`;
    expect(finalValue(await session.exec({ code }))).toEqual([[], { total: 2 }]);
  });

  test("a promise a cell got cannot be settled by it", async () => {
    const session = testSession({ tools: tools() });
    const code = `
      const pending = add({ a: 1, b: [1] });
      pending.resolve?.("forged");
      Object.setPrototypeOf(pending, { then(resolve) { resolve("forged"); } });
      return await Reflect.apply(Promise.prototype.then, pending, [(v) => v]);`;
    expect(finalValue(await session.exec({ code }))).toEqual({ total: 2 });
  });

  test("nothing runs after the result: no call, no output", async () => {
    let calls = 0;
    const session = testSession({
      tools: [
        tool("late", () => {
          calls++;
          return {};
        }),
      ],
    });
    const result = await session.exec({
      code: "Promise.resolve().then(function again() { late({}); return Promise.resolve().then(again); }); throw new Error('end');",
    });
    expect(result.status).toBe("failed");
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(calls).toBe(0);
    expect(finalValue(await session.exec({ code: "return 1;" }))).toBe(1);
  });

  test("globals of one cell are gone in the next, whatever it left behind", async () => {
    const session = testSession();
    await session.exec({
      code: "globalThis.leak = 1; Array.prototype.leak = 2; Object.prototype.leak = 3; text.constructor.prototype.leak = 4; setTimeout.leak = 5; return 1;",
    });
    const code = "return [typeof leak, [].leak, ({}).leak, text.leak, setTimeout.leak].map(String);";
    expect(finalValue(await session.exec({ code }))).toEqual(
      ["undefined", undefined, undefined, undefined, undefined].map(String),
    );
  });

  test("a tool's data is the tool's: the guest gets a copy, and hostile data stays data", async () => {
    const shared = { list: [1], __proto__x: 1 };
    const session = testSession({
      tools: [
        tool("shared", () => shared),
        tool("odd", () =>
          JSON.parse(
            '{"__proto__":{"polluted":1},"constructor":{"prototype":{"x":1}},"then":"no","toJSON":5}',
          ),
        ),
      ],
    });
    const code = `
      const value = await shared({});
      value.list.push(2);
      const odd1 = await odd({});
      return [value.list.length, Object.keys(odd1), ({}).polluted === undefined, Object.getPrototypeOf(odd1) === Object.prototype, odd1];`;
    const value = finalValue(await session.exec({ code }));
    expect(value.slice(0, 4)).toEqual([2, ["__proto__", "constructor", "then", "toJSON"], true, true]);
    expect(JSON.stringify(value[4])).toBe(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"x":1}},"then":"no","toJSON":5}',
    );
    expect(shared).toEqual({ list: [1], __proto__x: 1 });
    expect(({} as any).polluted).toBeUndefined();
  });
});
