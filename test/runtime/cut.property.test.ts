import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openSession, runToEnd, tool } from "../support/cells.js";
import { full } from "../support/full.js";

/** One step of a random program; `cut` marks where it may be suspended. */
type Step =
  | { kind: "emit"; value: string }
  | { kind: "log"; value: number }
  | { kind: "call"; n: number }
  | { kind: "fail" }
  | { kind: "parallel"; size: number }
  | { kind: "background"; ms: number }
  | { kind: "timer"; ms: number; cleared: boolean }
  | { kind: "state"; key: string }
  | { kind: "generator" }
  | { kind: "store"; n: number }
  | { kind: "encode"; text: string }
  | { kind: "class" };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("emit" as const), value: fc.string({ maxLength: 12 }) }),
  fc.record({ kind: fc.constant("log" as const), value: fc.integer() }),
  fc.record({ kind: fc.constant("call" as const), n: fc.integer({ min: 0, max: 99 }) }),
  fc.record({ kind: fc.constant("fail" as const) }),
  fc.record({ kind: fc.constant("parallel" as const), size: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ kind: fc.constant("background" as const), ms: fc.integer({ min: 0, max: 3 }) }),
  fc.record({
    kind: fc.constant("timer" as const),
    ms: fc.integer({ min: 0, max: 3 }),
    cleared: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("state" as const), key: fc.constantFrom("a", "b", "c") }),
  fc.record({ kind: fc.constant("generator" as const) }),
  fc.record({ kind: fc.constant("store" as const), n: fc.integer() }),
  fc.record({ kind: fc.constant("encode" as const), text: fc.constantFrom("é", "😀", "plain", "€uro") }),
  fc.record({ kind: fc.constant("class" as const) }),
);

const PRELUDE = `
const log = []; const map = new Map(); const seen = new WeakSet(); const background = [];
const numbers = (function* () { for (let i = 0; ; i++) yield i; })();
const encoder = new TextEncoder(), decoder = new TextDecoder();
class Counter { #n = 0; next() { return ++this.#n; } }
const counter = new Counter();
`;

/** Source of a step; every effect is ordered, so that a cut run and an uncut one can be compared. */
function source(one: Step): string {
  switch (one.kind) {
    case "emit":
      return `text(${JSON.stringify(one.value)});`;
    case "log":
      return `log.push(${one.value}); console.log("log", ${one.value});`;
    case "call":
      return `log.push((await twice({ n: ${one.n} })).n);`;
    case "fail":
      return `try { await fail({}); } catch (e) { log.push(e.message, e.code); } finally { log.push("finally"); }`;
    case "parallel":
      return `log.push((await Promise.all(Array.from({ length: ${one.size} }, (_, n) => twice({ n })))).map((r) => r.n));`;
    case "background":
      return `background.push(twice({ n: 1, ms: ${one.ms} }).then((r) => r.n));`;
    case "timer":
      return one.cleared
        ? `clearTimeout(setTimeout(() => text("never"), ${one.ms}));`
        : `background.push(new Promise((done) => setTimeout(done, ${one.ms}, "timer")));`;
    case "state":
      return `map.set(${JSON.stringify(one.key)}, (map.get(${JSON.stringify(one.key)}) ?? 0) + 1); { const o = {}; seen.add(o); log.push(seen.has(o)); }`;
    case "generator":
      return "log.push(numbers.next().value);";
    case "store":
      return `await store("n", ${one.n}); log.push(await load("n"));`;
    case "encode":
      return `{ const bytes = encoder.encode(${JSON.stringify(one.text)}); log.push(decoder.decode(bytes.subarray(0, 1), { stream: true })); CUT log.push(decoder.decode(bytes.subarray(1))); }`;
    case "class":
      return "log.push(counter.next());";
  }
}

function program(steps: readonly { one: Step; cut: boolean }[], cutting: boolean): string {
  const yielding = "await yield_control();";
  const body = steps.map(({ one, cut }) => {
    const code = source(one).replace("CUT", cutting && cut ? yielding : "await null;");
    return cutting && cut ? `${code} ${yielding}` : code;
  });
  return `${PRELUDE}\n${body.join("\n")}\nlog.push((await Promise.all(background)).sort());
return { log, map: [...map], next: numbers.next().value };`;
}

test("a program cut at random awaits ends as the uncut one does", async () => {
  const session = openSession({
    tools: [
      tool("twice", async ({ n, ms }) => {
        await sleep(ms ?? 0);
        return { n: n * 2 };
      }),
      tool("fail", () => {
        throw new Error("refused");
      }),
    ],
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ one: step, cut: fc.boolean() }), { minLength: 1, maxLength: 12 }),
      async (steps) => {
        const whole = await session.exec({ code: program(steps, false) });
        const cut = await runToEnd(session, program(steps, true));
        expect(whole.status).toBe("completed");
        expect({ ...cut, telemetry: null }).toEqual({ ...whole, telemetry: null });
      },
    ),
    { numRuns: full ? 300 : 40, seed: 20261130 },
  );
  await session.close();
}, 180_000);
