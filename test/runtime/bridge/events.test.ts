import { describe, expect, it } from "vitest";
import { desk, tool } from "./harness.js";

describe("events", () => {
  it("never decide what becomes of a call", async () => {
    const prepareArguments = () => ({ n: 1n });
    const tools = [
      tool(
        "odd",
        (_input, { onUpdate }) => {
          onUpdate?.({ n: 2n });
          return "fine";
        },
        { prepareArguments },
      ),
    ];
    const listener = () => {
      throw new Error("listener");
    };
    expect(await desk(tools, { onEvent: listener }).call("odd")).toBe("fine");
  });

  it("tell of each finished call with what ran and what came back", async () => {
    const events: any[] = [];
    const { call, refused } = desk(
      [
        tool("echo", (input, { onUpdate }) => {
          input.changed = true;
          onUpdate?.({ done: 0.5 });
          return { n: 1 };
        }),
        tool("boom", () => {
          throw new Error("boom");
        }),
      ],
      {
        onEvent: (event) => events.push(event),
        hooks: { before: [async () => ({ params: { from: "hook" } })], after: [] },
      },
    );
    await call("echo", { from: "cell" });
    await refused("boom");
    expect(events.map(({ type, tool }) => [type, tool])).toEqual([
      ["update", "echo"],
      ["call", "echo"],
      ["call", "boom"],
    ]);
    expect(events[0]).toMatchObject({ update: { done: 0.5 } });
    expect(events[1]).toMatchObject({ input: { from: "hook" }, result: { n: 1 } });
    expect(events[1].input).not.toHaveProperty("changed");
    expect(events[2]).toMatchObject({ error: "boom" });
    expect(events[1].toolCallId).not.toBe(events[2].toolCallId);
    expect(events[1].parentToolCallId).toBe(events[1].runId);
  });
});
