import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { completed, failed, finalValue, openSession, tool } from "../support/cells.js";
import { full } from "../support/full.js";

const runs = full ? 1_000 : 120;
const seed = 20261130;
const session = openSession({
  tools: [tool("echo", (input) => input)],
  limits: { maxOutputBytes: 1_000_000 },
});
afterAll(() => session.close());

/** JSON as a cell's source can hold it: any text, any key, any number JSON has. */
const json = fc.jsonValue({ maxDepth: 5, stringUnit: "binary", noUnicodeString: false } as any);
const withKeys = fc.dictionary(
  fc.oneof(fc.constantFrom("__proto__", "constructor", "toJSON", "then", "length", "0", ""), fc.string()),
  json,
  { maxKeys: 5, noNullPrototype: true },
);

test("any JSON value goes from a cell to a tool and back unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(json, withKeys), async (value) => {
      const text = JSON.stringify({ value });
      const code = `const sent = JSON.parse(${JSON.stringify(text)}); const back = await echo(sent); json(back); return back;`;
      const result = completed(await session.exec({ code }));
      const plain = JSON.parse(text);
      expect(JSON.stringify(result.value)).toBe(JSON.stringify(plain));
      expect(JSON.stringify(result.output)).toBe(JSON.stringify([{ type: "json", value: plain }]));
      expect(result.warnings).toBeUndefined();
    }),
    { numRuns: runs, seed },
  );
}, 120_000);

test("any JSON value that is saved or stored comes back unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(json, withKeys), async (value) => {
      const text = JSON.stringify(value);
      const code = `const sent = JSON.parse(${JSON.stringify(text)});
        const { id } = await results.save(sent); await store("k", sent);
        const back = [await results.load(id), await load("k")]; await results.delete(id); return back;`;
      const back = finalValue(await session.exec({ code })) as unknown[];
      for (const copy of back) expect(JSON.stringify(copy)).toBe(JSON.stringify(JSON.parse(text)));
    }),
    { numRuns: Math.ceil(runs / 3), seed },
  );
}, 120_000);

/** Source text of a JavaScript expression of any kind, from leaves nobody sane returns. */
const leaf = fc.constantFrom(
  "undefined",
  "null",
  "NaN",
  "-0",
  "Infinity",
  "10n",
  "-123456789012345678901234567890n",
  "Symbol('s')",
  "Symbol.iterator",
  "() => 1",
  "function named() {}",
  "class A {}",
  "async () => {}",
  "function* g() {}",
  "new Date(0)",
  "new Date(NaN)",
  "/a/g",
  "new Map([[1, 2]])",
  "new Set([1])",
  "new WeakMap()",
  "new WeakSet()",
  "new WeakRef({})",
  "new ArrayBuffer(4)",
  "new SharedArrayBuffer(4)",
  "new DataView(new ArrayBuffer(2))",
  "new Uint8Array([1, 2])",
  "new Float64Array([1.5, NaN, -0])",
  "new BigInt64Array([1n])",
  "new Float16Array([1])",
  "Object(1)",
  "Object('ab')",
  "Object(true)",
  "Object(Symbol('b'))",
  "Object(1n)",
  "new Error('m')",
  "new AggregateError([new Error('a')], 'many')",
  "Object.assign(new TypeError('t'), { code: 'X' })",
  "new Error('c', { cause: 1 })",
  "Promise.resolve(1)",
  "new Promise(() => {})",
  "(() => { const p = Promise.reject(new Error('r')); p.catch(() => {}); return p; })()",
  "{ then(resolve) { resolve('thenable'); } }",
  "Math",
  "JSON",
  "Reflect",
  "globalThis.console",
  "echo",
  "catalog",
  "API",
  "results",
  "new Proxy({}, {})",
  "new Proxy([1], {})",
  "new Proxy(() => 1, {})",
  "new Proxy({}, { ownKeys() { throw new Error('trap'); } })",
  "new Proxy({ a: 1 }, { get() { throw new RangeError('get'); } })",
  "(() => { const r = Proxy.revocable({}, {}); r.revoke(); return r.proxy; })()",
  "[1].values()",
  "new Map().keys()",
  "(function* () { yield 1; })()",
  "(function () { return arguments; })(1, 2)",
  "Object.create(null)",
  "Object.create({ inherited: 1 })",
  "[, 1, , 2]",
  "Object.assign([1], { extra: 2 })",
  "(() => { const o = {}; o.self = o; return o; })()",
  "(() => { const a = []; a.push(a); return a; })()",
  "{ get a() { return 1; } }",
  "{ get a() { throw new Error('getter'); } }",
  "{ toJSON() { return 'hooked'; }, real: 1 }",
  "{ toJSON() { throw new Error('hook'); } }",
  "{ [Symbol('k')]: 1, a: 2 }",
  "'\\ud800'",
  "'\\u2028\\u0000\"'",
  "class { #p = 1; q = 2; }",
  "new (class { #p = 1; q = 2; })()",
  "new (class extends Map { x = 1; })()",
  "new (class extends Promise {})(() => {})",
  "Object.freeze({ a: 1 })",
  "Object.setPrototypeOf([1], null)",
  "Object.setPrototypeOf(new Date(0), null)",
  "{ __proto__: null, a: 1 }",
  "JSON.parse('{\"__proto__\": 1}')",
  "globalThis",
  "Array.prototype",
  "Object.prototype",
  "Function.prototype",
);
const expression = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: "value" },
    leaf,
    fc
      .array(tie("value"), { maxLength: 3, depthIdentifier: "value" })
      .map((items) => `[${items.map(asItem).join(", ")}]`),
    fc
      .dictionary(fc.constantFrom("a", "b c", "__proto__x", "1", "list"), tie("value"), {
        maxKeys: 3,
        depthIdentifier: "value",
      })
      .map(
        (record) =>
          `{ ${Object.entries(record)
            .map(([key, text]) => `${JSON.stringify(key)}: ${asItem(text)}`)
            .join(", ")} }`,
      ),
  ),
})).value;

const asItem = (text: string): string => (text.startsWith("class") ? `(${text})` : text);

/** A settled result is JSON, and says the same when it is written and read. */
function expectJson(result: unknown): void {
  expect(JSON.parse(JSON.stringify(result))).toEqual(result);
}

test("any value at all gives a JSON result or a clear failure, and the next cell runs", async () => {
  await fc.assert(
    fc.asyncProperty(expression, async (text) => {
      const result = await session.exec({ code: `return (${asItem(text)});` });
      expectJson(result);
      if (result.status === "failed") {
        expect(failed(result)).toMatchObject({
          code: "internal_error",
          failurePhase: expect.stringMatching(/guest|bridge/),
        });
        expect(result.error).toMatch(/trap|get|revoked|getter|pending without|host work/);
      }
    }),
    { numRuns: runs, seed },
  );
  expect(finalValue(await session.exec({ code: "return 1;" }))).toBe(1);
}, 120_000);

test("any value at all can be emitted", async () => {
  await fc.assert(
    fc.asyncProperty(expression, async (text) => {
      const result = completed(
        await session.exec({
          code: `const v = (${asItem(text)}); text(v); json(v); console.log(v, [v]); return "done";`,
        }),
      );
      expectJson(result);
      expect(result.output).toHaveLength(3);
      for (const entry of result.output) expect(entry).toHaveProperty("type");
    }),
    { numRuns: runs, seed },
  );
}, 120_000);

/** A tree of plain data with lossy leaves at known paths. */
const lossy = {
  "() => 1": "function",
  "new Map()": "Map",
  "new Set()": "Set",
  "new Date(0)": "Date",
  "/a/": "RegExp",
  "5n": "bigint",
  "Symbol('s')": "symbol",
  "new ArrayBuffer(1)": "ArrayBuffer",
  NaN: "NaN",
  "new WeakMap()": "WeakMap",
  "Promise.resolve(1)": "Promise",
};

test("warnings name every place where data was lost, and none where it was not", async () => {
  const tree = fc.letrec<{ node: { text: string; lost: [string, string][] } }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc
        .constantFrom(...Object.entries(lossy))
        .map(([text, was]) => ({ text, lost: [["", was]] as [string, string][] })),
      fc
        .constantFrom("1", "'x'", "true", "null", "[]", "{}", "new Uint8Array(2)", "new Error('e')")
        .map((text) => ({ text, lost: [] })),
      fc.array(tie("node"), { maxLength: 3 }).map((items) => ({
        text: `[${items.map(({ text }) => text).join(", ")}]`,
        lost: items.flatMap(({ lost }, index) =>
          lost.map(([path, was]) => [`[${index}]${path}`, was] as [string, string]),
        ),
      })),
      fc.dictionary(fc.constantFrom("a", "b", "key two"), tie("node"), { maxKeys: 3 }).map((record) => ({
        text: `{ ${Object.entries(record)
          .map(([key, { text }]) => `${JSON.stringify(key)}: ${text}`)
          .join(", ")} }`,
        lost: Object.entries(record).flatMap(([key, { lost }]) =>
          lost.map(
            ([path, was]) =>
              [`${key === "key two" ? '["key two"]' : `.${key}`}${path}`, was] as [string, string],
          ),
        ),
      })),
    ),
  })).node;
  await fc.assert(
    fc.asyncProperty(fc.array(tree, { maxLength: 4 }), async (nodes) => {
      const text = `[${nodes.map((node) => node.text).join(", ")}]`;
      const lost = nodes.flatMap(({ lost: all }, index) =>
        all.map(([path, was]) => ({ path: `$[${index}]${path}`, was })),
      );
      const { warnings = [] } = completed(await session.exec({ code: `return ${text};` }));
      const named = warnings.slice(0, 20).map(({ path, was }) => ({ path, was }));
      expect(named).toEqual(lost.slice(0, 20));
      expect(warnings).toHaveLength(Math.min(lost.length, 21));
      if (lost.length > 20) expect(warnings[20]!.was).toBe(`${lost.length - 20} more places`);
    }),
    { numRuns: runs, seed },
  );
}, 120_000);
