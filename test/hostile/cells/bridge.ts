import { tool } from "../../support/tool.js";
import type { HostileCell } from "../hostile-cell.js";

const cyclic = (): object => {
  const o: Record<string, unknown> = { a: 1 };
  o.self = o;
  return o;
};

/** Data a tool may resolve to; the cell gets JSON or an error it can catch. */
const odd: [string, () => unknown, unknown][] = [
  ["undefined", () => undefined, null],
  ["a bigint", () => ({ n: 1n }), "rejected"],
  ["a cycle", cyclic, "rejected"],
  ["a symbol", () => ({ s: Symbol("s"), kept: 1 }), { kept: 1 }],
  ["a function", () => ({ f() {}, kept: 1 }), { kept: 1 }],
  ["NaN and -0", () => ({ n: Number.NaN, z: -0 }), { n: null, z: 0 }],
  ["a lone surrogate", () => "\ud800", "\ud800"],
  ["a Map", () => new Map([[1, 2]]), {}],
  [
    "a throwing getter",
    () => ({
      get a() {
        throw new Error("getter");
      },
    }),
    "rejected",
  ],
  [
    "a throwing toJSON",
    () => ({
      toJSON() {
        throw new Error("hook");
      },
    }),
    "rejected",
  ],
  [
    "a proxy that throws",
    () =>
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error("trap");
          },
        },
      ),
    "rejected",
  ],
  ["an object without a prototype", () => Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ["a key called __proto__", () => JSON.parse('{"__proto__":{"x":1}}'), JSON.parse('{"__proto__":{"x":1}}')],
  ["deep data", () => Array.from({ length: 100_000 }).reduce((inner) => [inner], 1), "rejected"],
];

/** What a tool may throw; the cell gets a plain Error with a text and nothing of the host. */
const thrown: [string, () => never][] = [
  ["null", () => raise(null)],
  ["undefined", () => raise(undefined)],
  ["a symbol", () => raise(Symbol("s"))],
  ["a function", () => raise(() => 1)],
  ["an object without a prototype", () => raise(Object.create(null))],
  ["a cyclic cause", () => raise(selfCaused())],
  ["an endless chain of causes", () => raise(longChain())],
  ["a message that throws", () => raise(withGetter("message"))],
  ["a cause that throws", () => raise(withGetter("cause"))],
  ["a proxy", () => raise(new Proxy(new Error("p"), { get: () => raise(new Error("trap")) }))],
  ["a proxy that throws at everything", () => raise(new Proxy(new Error("p"), throwingTraps()))],
  ["a revoked proxy", () => raise(revoked())],
  ["an error with endless members", () => raise(endlessMembers())],
  ["an object whose text throws", () => raise({ toString: () => raise(new Error("text")) })],
  ["a very long message", () => raise(new Error("m".repeat(5_000_000)))],
];

function raise(value: unknown): never {
  throw value;
}

function throwingTraps(): ProxyHandler<Error> {
  const trap = (): never => raise(new Error("trap"));
  return { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap };
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function endlessMembers(): Error {
  const error = new AggregateError([], "all");
  error.errors = new Proxy([], {
    get: (_, key) =>
      key === "length" ? 1e9 : key === "slice" ? () => new Array(1e6).fill(1) : new Error("m"),
  });
  return error;
}

function selfCaused(): Error {
  const error = new Error("self");
  error.cause = error;
  return error;
}

function longChain(): Error {
  let error = new Error("end");
  for (let depth = 0; depth < 10_000; depth++) error = new Error(`level ${depth}`, { cause: error });
  return error;
}

function withGetter(key: string): Error {
  return Object.defineProperty(new Error("m"), key, {
    get() {
      throw new Error("hidden");
    },
  });
}

const CATCH =
  "e instanceof Error && typeof e.message === 'string' && e.code === 'tool_error' && e.message.length > 0 && e.message.length < 100000 && Object.keys(e).every((k) => ['location', 'code', 'effectStatus'].includes(k))";

export const bridgeCells: HostileCell[] = [
  ...odd.map(([name, make, value]) => ({
    name: `a tool resolves to ${name}`,
    code: `try { return await odd({}); } catch (e) { return (${CATCH}) ? "rejected" : e; }`,
    tools: () => [tool("odd", make)],
    value,
  })),
  ...thrown.map(([name, run]) => ({
    name: `a tool throws ${name}`,
    code: `try { await odd({}); } catch (e) { return ${CATCH}; }`,
    tools: () => [tool("odd", run)],
    value: true,
  })),
  {
    name: "a tool that is not even a promise",
    code: "return await odd({});",
    tools: () => [tool("odd", () => 1, { execute: (() => ({ details: 5 })) as never })],
    value: 5,
  },
  {
    name: "a tool that throws before it returns a promise",
    code: "return await odd({}).catch((e) => e.message);",
    tools: () => [tool("odd", () => 1, { execute: (() => raise(new Error("at once"))) as never })],
    value: "at once",
  },
  {
    name: "a tool whose result has a throwing details",
    code: "return await odd({}).catch((e) => e instanceof Error);",
    tools: () => [
      tool("odd", () => 1, {
        execute: async () =>
          ({
            get details() {
              throw new Error("details");
            },
          }) as never,
      }),
    ],
    value: true,
  },
  {
    name: "a tool that changes its input and its result later",
    code: "const input = { list: [1] }; const a = await keep(input); await new Promise((r) => setTimeout(r, 30)); return [input, a];",
    tools: () => [
      tool("keep", (input) => {
        const result = { list: input.list };
        input.list.push(2);
        setTimeout(() => result.list.push(3), 5);
        return result;
      }),
    ],
    value: [{ list: [1] }, { list: [1, 2] }],
  },
  {
    name: "arguments of every kind",
    code: "const out = []; for (const v of [0, 'x', true, null, undefined, [], () => 1, Symbol('s'), new Date(0), new Map(), 1n]) { try { out.push(typeof (await echo(v))); } catch (e) { out.push(e.name); } } return out;",
    tools: () => [tool("echo", (input) => input)],
    value: [
      "Error",
      "Error",
      "Error",
      "object",
      "object",
      "Error",
      "object",
      "object",
      "Error",
      "object",
      "TypeError",
    ],
  },
  {
    name: "an argument changed after the call",
    code: "const o = { a: 1 }; const p = echo(o); o.a = 2; return [(await p).a, o.a];",
    tools: () => [tool("echo", (input) => input)],
    value: [1, 2],
  },
  {
    name: "methods that are no requests",
    code: "return typeof tools.sleep + typeof tools.yield + typeof tools['results.save'];",
    value: "undefinedundefinedundefined",
  },
  {
    name: "options of search that are not options",
    code: "const r = []; for (const o of [null, 1, 'x', [], { limit: 0 }, { limit: -1 }, { limit: 1.5 }, { limit: 1e9 }, { limit: '5' }, { limit: null }, { limit: {} }]) r.push(await catalog.search('echo', o).then((x) => Array.isArray(x), (e) => e.code)); return r.every((x) => x === true || x === 'invalid_input');",
    tools: () => [tool("echo", (input) => input)],
    value: true,
  },
  {
    name: "queries that are no text",
    code: "const r = []; for (const q of [undefined, null, 1, {}, [], Symbol('s'), () => 1, 'x'.repeat(1e6)]) r.push(await catalog.search(q).then((x) => Array.isArray(x), (e) => e.code)); return r.every((x) => x === true || x === 'invalid_input');",
    value: true,
    withinMs: 5_000,
  },
];
