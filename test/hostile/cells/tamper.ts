import { tool } from "../../support/tool.js";
import type { HostileCell } from "../hostile-cell.js";

const echo = () => [tool("echo", (input) => input)];

export const tamperCells: HostileCell[] = [
  {
    name: "import",
    code: "const fs = await import('fs'); return 1;",
    fails: "invalid_input",
    says: /module access/,
  },
  {
    name: "import in eval",
    code: "return await eval(\"import('fs')\");",
    fails: "internal_error",
    says: /could not load module/,
  },
  {
    name: "import in new Function",
    code: "return await new Function(\"return import('fs')\")();",
    fails: "internal_error",
    says: /could not load module/,
  },
  {
    name: "require by its pieces",
    code: "return globalThis['req' + 'uire'] === undefined && typeof process;",
    value: "undefined",
  },
  {
    name: "the constructor of a constructor",
    code: "return text.constructor.constructor('return typeof process + typeof require + typeof globalThis.constructor')();",
    value: "undefinedundefinedfunction",
  },
  {
    name: "the constructor of an async function",
    code: "return await (async () => {}).constructor('return typeof process')();",
    value: "undefined",
  },
  {
    name: "the caller and callee of a helper",
    code: "const seen = []; for (const k of ['caller', 'callee', 'arguments']) { try { seen.push(typeof text[k]); } catch (e) { seen.push(e.name); } } return seen.every((s) => s === 'undefined' || s === 'TypeError');",
    value: true,
  },
  {
    name: "files, network and environment",
    code: "return ['fetch', 'XMLHttpRequest', 'WebSocket', 'process', 'require', 'module', 'Deno', 'Bun', 'std', 'os', 'bjson', 'scriptArgs', 'print', 'gc', 'navigator', 'Worker', 'importScripts', 'WebAssembly', 'Atomics', '__loadScript'].filter((name) => typeof globalThis[name] !== 'undefined');",
    value: [],
  },
  {
    name: "a forged yield",
    code: "const y = yield_control; try { globalThis.yield_control = () => 'forged'; } catch {} return yield_control === y;",
    value: true,
  },
  {
    name: "a catch-all proxy that answers then",
    code: "return await new Proxy({}, { get: (_, key) => (key === 'then' ? undefined : key) }).anything;",
    value: "anything",
  },
  {
    name: "a catch-all proxy returned",
    code: "return new Proxy(() => {}, { get: () => new Proxy(() => {}, {}), apply: () => 1 });",
    fails: "internal_error",
    says: /pending without host work/,
  },
  {
    name: "a catch-all proxy as an argument",
    code: "try { return await echo(new Proxy({}, { get: () => () => 1 })); } catch (e) { return e.name; }",
    tools: echo,
    value: "Error",
  },
  {
    name: "a function proxy emitted",
    code: "text(new Proxy(() => {}, {})); json(new Proxy(() => {}, {})); return 1;",
    value: 1,
  },
  {
    name: "a thenable that settles twice",
    code: "return await { then(yes, no) { yes(1); no(new Error('2')); yes(3); throw new Error('4'); } };",
    value: 1,
  },
  {
    name: "a thenable that throws",
    code: "try { await { get then() { throw new RangeError('then'); } }; } catch (e) { return e.message; }",
    value: "then",
  },
  {
    name: "Object.prototype.then",
    code: "Object.prototype.then = function (yes) { yes('hijacked'); }; return 'plain';",
    value: "plain",
  },
  {
    name: "a value with its own then, from a tool",
    code: "return await echo({ then: 1 });",
    tools: echo,
    value: { then: 1 },
  },
  {
    name: "calls kept for after the end",
    code: "globalThis.later = () => echo({ late: true }); Promise.resolve().then(() => later()); return 'first';",
    tools: echo,
    value: "first",
  },
  {
    name: "console replaced through its prototype",
    code: "Object.getPrototypeOf(console).log = () => {}; try { console.log = 1; } catch {} console.log('still'); return 1;",
    emitted: ["still"],
    value: 1,
  },
  {
    name: "a handle changed",
    code: "try { echo.describe = 1; echo.callableName = 'x'; delete echo.source; Object.setPrototypeOf(echo, null); } catch {} return [echo.callableName, Object.isFrozen(echo)];",
    tools: echo,
    value: ["echo", true],
  },
  {
    name: "ids of tools that do not exist",
    code: "const r = []; for (const id of ['openclaw:core:exec', 'mcp:x:y', '__proto__', 'constructor', 'toString', '']) r.push(await tools.callValue(id, {}).then(() => 'ran', () => 'refused')); return r.every((x) => x === 'refused');",
    value: true,
  },
  {
    name: "paths that climb",
    code: "const r = []; for (const p of ['../x', 'tools/../../etc/passwd', '/etc/passwd', 'tools//x', '.', '..', 'tools/%2e%2e/x', 'file:///etc/passwd', '\\u0000', 'tools/__proto__.d.ts', '__proto__']) r.push(await API.read(p).then(() => 'read', () => 'refused')); return r.every((x) => x === 'refused');",
    value: true,
  },
  {
    name: "saved results by odd ids",
    code: "const r = []; for (const id of ['__proto__', 'constructor', {}, [], null, 1, 'result_']) r.push(await results.load(id).then(() => 'read', () => 'refused')); return r.every((x) => x === 'refused');",
    value: true,
  },
  {
    name: "store keys that are names of objects",
    code: "await store('__proto__', { a: 1 }); await store('constructor', 2); return [await load('__proto__'), await load('constructor'), (await load('toString')) ?? null, ({}).a === undefined];",
    value: [{ a: 1 }, 2, null, true],
  },
  {
    name: "with and sloppy leaks",
    code: "x = 1; with ({ text: 5 }) { x = text; } return [x, typeof text];",
    value: [5, "function"],
  },
  {
    name: "direct eval declares in the cell only",
    code: "eval('var leaked = 1'); return [typeof leaked, typeof globalThis.leaked];",
    value: ["number", "undefined"],
  },
  {
    name: "a hook that would be given the functions on the stack",
    code: `const seen = [];
for (const type of [Error, TypeError, InternalError]) {
  try { type.prepareStackTrace = (_, frames) => { seen.push(frames); return ''; }; } catch {}
}
await echo({}).catch(() => {});
try { await echo(1); } catch {}
setTimeout(() => {}, 0);
const value = { get a() { return new Error('x').stack; }, toJSON() { return new Error('y').stack; } };
json(value);
value.a;
try { null.x; } catch (e) { e.stack; }
return [seen.length, typeof new Error('z').stack];`,
    tools: echo,
    value: [0, "string"],
  },
  {
    name: "an error with a forged stack",
    code: "const e = new Error('m'); e.stack = 'at /home/secret.js:1:1'; throw e;",
    fails: "internal_error",
    says: /^Error: m/,
  },
  {
    name: "an interrupted error thrown by hand",
    code: "throw new InternalError('interrupted');",
    fails: "internal_error",
    says: /interrupted/,
  },
  {
    name: "an out of memory error thrown by hand",
    code: "try { throw new InternalError('out of memory'); } catch (e) { return e.message; }",
    fails: "internal_error",
    says: /out of memory/,
  },
];
