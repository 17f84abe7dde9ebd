import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EffectiveTool } from "../../../src/catalog/tool.js";
import { createCallOrder, type Ticket } from "../../../src/runtime/bridge/call-order.js";
import type { SessionBridge } from "../../../src/runtime/bridge/types.js";
import { desk, tool } from "./harness.js";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function journalled() {
  const journal: string[] = [];
  const step = async ({ tag, ms = 15 }: { tag: string; ms?: number }) => {
    journal.push(`start ${tag}`);
    await sleep(ms);
    journal.push(`end ${tag}`);
    return tag;
  };
  return { journal, tools: [tool("seq", step, { executionMode: "sequential" }), tool("par", step)] };
}

describe("order of calls", () => {
  it("lets parallel calls overlap", async () => {
    const { journal, tools } = journalled();
    const { call } = desk(tools);
    await Promise.all([call("par", { tag: "a" }), call("par", { tag: "b" })]);
    expect(journal.slice(0, 2)).toEqual(["start a", "start b"]);
  });

  it("makes a sequential call wait for earlier ones and hold back later ones", async () => {
    const { journal, tools } = journalled();
    const { call } = desk(tools);
    await Promise.all([call("par", { tag: "p1" }), call("seq", { tag: "s" }), call("par", { tag: "p2" })]);
    expect(journal).toEqual(["start p1", "end p1", "start s", "end s", "start p2", "end p2"]);
  });

  it("holds across cells of one session", async () => {
    const { journal, tools } = journalled();
    const one = desk(tools);
    const two = desk(tools, { session: one.session });
    await Promise.all([one.call("seq", { tag: "a" }), two.call("seq", { tag: "b" })]);
    expect(journal).toEqual(["start a", "end a", "start b", "end b"]);
  });

  it("goes on after a call that fails, is refused, or is dropped", async () => {
    const parameters = { type: "object", required: ["x"] };
    const tools = [
      tool(
        "boom",
        () => {
          throw new Error("boom");
        },
        { executionMode: "sequential" },
      ),
      tool("picky", () => 1, { executionMode: "sequential", parameters }),
      tool("hang", () => new Promise(() => {}), { executionMode: "sequential" }),
      tool("fine", () => "ran"),
    ];
    const first = desk(tools);
    const second = desk(tools, { session: first.session });
    const hung = first.refused("hang");
    const waiting = [second.refused("boom"), second.refused("picky"), second.call("fine")];
    await sleep(20);
    first.abort.abort();
    expect(await hung).toMatchObject({ message: "the call was cancelled" });
    expect(await Promise.all(waiting)).toEqual([
      expect.objectContaining({ message: "boom" }),
      expect.objectContaining({ code: "input_contract" }),
      "ran",
    ]);
  });

  it("never starts a call out of order, for random lines of calls", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), fc.nat(3)), { maxLength: 12 }), async (calls) => {
        const order = createCallOrder();
        const running = new Set<number>();
        const finished: number[] = [];
        await Promise.all(
          calls.map(async ([sequential, turns], index) => {
            const ticket = order.enter(sequential)!;
            await ticket.ready();
            if (sequential) expect(running.size).toBe(0);
            for (const other of running) expect(calls[other]![0]).toBe(false);
            const earlier = calls.slice(0, index).flatMap(([s], at) => (s || sequential ? [at] : []));
            for (const at of earlier) expect(finished).toContain(at);
            running.add(index);
            for (let turn = 0; turn < turns; turn++) await Promise.resolve();
            running.delete(index);
            finished.push(index);
            ticket.release();
          }),
        );
        expect(finished).toHaveLength(calls.length);
      }),
      { seed: 11, numRuns: 200 },
    );
  });
});

describe("a tool that uses the catalog it belongs to", () => {
  /** A tool that runs a cell of the same session while it executes. */
  function nested(outer: "sequential" | "parallel", inner: "sequential" | "parallel") {
    let session: SessionBridge;
    const tools: EffectiveTool[] = [
      tool(
        "outer",
        async () => {
          await sleep(1); // also behind an await
          return desk(tools, { session }).ask("callValue", "inner", {});
        },
        { executionMode: outer },
      ),
      tool("inner", () => "reached", { executionMode: inner }),
    ];
    const top = desk(tools);
    session = top.session;
    return top;
  }

  it("reaches a parallel tool from a parallel one", async () => {
    expect(await nested("parallel", "parallel").call("outer")).toMatchObject({ ok: true, json: '"reached"' });
  });

  it.each([
    ["sequential", "parallel"],
    ["parallel", "sequential"],
    ["sequential", "sequential"],
  ] as const)("is told at once when a %s call would wait for its own %s one", async (outer, inner) => {
    const reply = await nested(outer, inner).call("outer");
    expect(reply).toMatchObject({ ok: false, code: "invalid_input" });
    expect(reply.message).toMatch(/inner.*wait for itself/);
  });

  it("is told when another waiting call stands between", () => {
    const order = createCallOrder();
    const outer = order.enter(false) as Ticket;
    const between = order.enter(true) as Ticket;
    expect(order.enter(false, outer)).toBeUndefined();
    outer.release();
    between.release();
    expect(order.enter(true, outer)).toBeDefined();
  });
});
