import { expect, test } from "vitest";
import { GUEST_FILE } from "../../src/runtime/labels.js";
import { completed, failed, finalValue, testSession, tool, waiting } from "../support/cells.js";

const OURS =
  "ALL_TOOLS API TextDecoder TextEncoder catalog clearTimeout console json load namespaces nodes results setTimeout skills store text tools yield_control";

const LANGUAGE =
  "AggregateError Array ArrayBuffer AsyncDisposableStack BigInt BigInt64Array BigUint64Array Boolean DOMException DataView Date DisposableStack Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array InternalError Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String SuppressedError Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet atob btoa decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt performance queueMicrotask undefined unescape";

const words = (text: string): string[] => text.split(" ").sort();

test("the names of globalThis are a fixed list: no leftover of the controller, no host object", async () => {
  const code = "return Reflect.ownKeys(globalThis).map(String).sort();";
  const names = finalValue(await testSession().exec({ code }));
  expect(names).toEqual([...words(OURS), ...words(LANGUAGE), "Symbol(Symbol.toStringTag)"].sort());
});

test("tools add their names, and MCP only when there is a server", async () => {
  const session = testSession({
    tools: [
      tool("one", () => 1),
      tool("two", () => 2, {
        name: "two",
        source: "mcp",
        owner: "srv",
        mcp: { serverName: "srv", safeServerName: "srv", toolName: "two", operation: "tool" },
      }),
    ],
  });
  const names: string[] = finalValue(
    await session.exec({ code: "return Object.getOwnPropertyNames(globalThis).sort();" }),
  );
  expect(names.filter((name) => !words(`${OURS} ${LANGUAGE}`).includes(name))).toEqual(["MCP", "one"]);
});

test("helpers cannot be replaced, deleted or redefined; a cell may shadow them", async () => {
  const code = `
    const names = ${JSON.stringify(words(OURS))};
    const kept = names.map((name) => {
      const before = globalThis[name];
      globalThis[name] = 1;
      delete globalThis[name];
      let redefined = false;
      try { Object.defineProperty(globalThis, name, { value: 1 }); redefined = true; } catch {}
      return before === globalThis[name] && !redefined;
    });
    const shadow = (() => { const text = 1; return text; })();
    return [kept.every(Boolean), shadow];`;
  expect(finalValue(await testSession().exec({ code }))).toEqual([true, 1]);
});

test("a tool's global can be deleted but not replaced", async () => {
  const session = testSession({ tools: [tool("echo", (input) => input)] });
  const code =
    "echo = 1; const kept = typeof echo; delete globalThis.echo; return [kept, typeof echo, catalog.all()[0].callableName];";
  expect(finalValue(await session.exec({ code }))).toEqual(["function", "undefined", "echo"]);
});

test.each(["exec", "wait", "tool_search_code", "tool_search", "tool_describe", "tool_call"])(
  "the control tool %s is not reachable by any way in",
  async (name) => {
    const session = testSession({ tools: [tool("echo", (input) => input)] });
    const code = `
      const target = ${JSON.stringify(name)};
      const refused = async (make) => { try { await make(); return false; } catch { return true; } };
      return [
        typeof globalThis[target],
        typeof tools[target],
        ALL_TOOLS.some((entry) => entry.name === target),
        await refused(() => tools.callValue(target, { code: "return 1" })),
        await refused(() => tools.call("openclaw:core:" + target, {})),
        await refused(() => tools.describe(target)),
        (await catalog.search(target)).filter((handle) => handle.toolName === target).length,
      ];`;
    expect(finalValue(await session.exec({ code }))).toEqual([
      "undefined",
      "undefined",
      false,
      true,
      true,
      true,
      0,
    ]);
  },
);

test("what a cell can see of a helper tells nothing of the host", async () => {
  const session = testSession({ tools: [tool("echo", (input) => input)] });
  const code = `
    const seen = [];
    const look = (value, depth) => {
      if (value === null || (typeof value !== "object" && typeof value !== "function") || depth > 3) return;
      for (const key of Reflect.ownKeys(value)) {
        seen.push(String(key));
        const descriptor = Reflect.getOwnPropertyDescriptor(value, key);
        if ("value" in descriptor) look(descriptor.value, depth + 1);
      }
      look(Object.getPrototypeOf(value), depth + 1);
    };
    for (const name of ${JSON.stringify(words(OURS))}) look(globalThis[name], 0);
    return [...new Set(seen)].filter((key) => /node|host|process|worker|file:|__/i.test(key)).sort();`;
  expect(finalValue(await session.exec({ code }))).toEqual([
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
  ]);
});

test("stacks a cell can read hold its own frames only", async () => {
  const session = testSession({
    tools: [
      tool("boom", () => {
        throw Object.assign(new Error("boom"), { stack: "at /home/user/plugin.js:1:1", path: "/etc" });
      }),
    ],
  });
  const code = `
    const stacks = [];
    await boom({}).catch((e) => stacks.push(e.stack, JSON.stringify(Object.entries(e))));
    try { boom({ n: 1n }); } catch (e) { stacks.push(e.stack); }
    try { boom({ toJSON() { throw new Error("hook"); } }); } catch (e) { stacks.push(e.stack); }
    try { setTimeout(1); } catch (e) { stacks.push(e.stack); }
    try { await results.save(undefined); } catch (e) { stacks.push(e.stack); }
    await results.load("nope").catch((e) => stacks.push(e.stack));
    return stacks;`;
  const stacks: string[] = finalValue(await session.exec({ code }));
  expect(stacks).toHaveLength(7);
  for (const stack of stacks) {
    expect(stack).not.toContain(GUEST_FILE);
    expect(stack).not.toMatch(/\/home|\/etc|file:|node:/);
  }
});

test("an uncaught failure of a tool shows no frame of the host", async () => {
  const session = testSession({
    tools: [
      tool("boom", () => {
        throw new Error("boom");
      }),
    ],
  });
  expect(failed(await session.exec({ code: "await boom({});" })).error).toBe(
    "Error: boom\n    at <anonymous> (openclaw-code-mode:user.js:1:7)\n",
  );
});

test("there is no clock but UTC and no randomness that repeats between cells", async () => {
  const session = testSession();
  const code =
    "return { offset: new Date(0).getTimezoneOffset(), text: new Date(0).toString(), random: Math.random(), origin: performance.timeOrigin, now: Date.now() };";
  const cells = [await session.exec({ code }), await session.exec({ code }), await session.exec({ code })];
  const values = cells.map((cell) => completed(cell).value as Record<string, any>);
  expect(new Set(values.map(({ random }) => random)).size).toBe(3);
  for (const value of values) {
    expect(value.offset).toBe(0);
    expect(value.text).toContain("GMT+0000");
    expect(Math.abs(value.now - Date.now())).toBeLessThan(30_000);
    expect(Math.abs(value.origin - Date.now())).toBeLessThan(30_000);
  }
});

test("the steady clock starts at zero and goes on over a suspension", async () => {
  const session = testSession();
  const code =
    "const a = performance.now(); await yield_control(); const b = performance.now(); return [a, b, Date.now() - performance.timeOrigin];";
  const first = waiting(await session.exec({ code }));
  await new Promise((resolve) => setTimeout(resolve, 120));
  const [a, b, sinceOrigin] = finalValue(await session.wait({ runId: first.runId }));
  expect(a).toBeGreaterThanOrEqual(0);
  expect(a).toBeLessThan(1_000);
  expect(b - a).toBeGreaterThan(100);
  expect(Math.abs(sinceOrigin - b)).toBeLessThan(1_000);
});
