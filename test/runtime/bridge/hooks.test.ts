import { describe, expect, it } from "vitest";
import type { Approver, BeforeToolCallDecision, ToolHooks } from "../../../src/catalog/hooks.js";
import { desk, mcpTool, tool } from "./harness.js";

const decide = (...decisions: (BeforeToolCallDecision | undefined)[]): ToolHooks => ({
  before: decisions.map((decision) => async () => decision),
  after: [],
});

describe("hooks before a call", () => {
  const parameters = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

  it("see what runs, in order, each with a copy of its own", async () => {
    const seen: any[] = [];
    const hooks: ToolHooks = {
      before: [
        async (event) => {
          seen.push(event);
          (event.params as any).n = 99;
          return { params: { n: 2 } };
        },
        async (event) => {
          seen.push(event);
          return undefined;
        },
      ],
      after: [],
    };
    const { call } = desk([tool("echo", (input) => input, { parameters })], {
      hooks,
      toolCallId: "outer",
    });
    expect(await call("echo", { n: 1 })).toEqual({ n: 2 });
    expect(seen[0]).toMatchObject({ toolName: "echo", parentToolCallId: "outer" });
    expect(seen[0]).not.toHaveProperty("toolKind");
    expect(seen[1].params).toEqual({ n: 2 });
    expect(seen[0].toolCallId).toBe(seen[1].toolCallId);
  });

  it("run only for input the contract accepts", async () => {
    let asked = 0;
    const hooks: ToolHooks = { before: [async () => void asked++], after: [] };
    const { refused } = desk([tool("echo", (input) => input, { parameters })], { hooks });
    expect(await refused("echo", {})).toMatchObject({ code: "input_contract" });
    expect(asked).toBe(0);
  });

  it("may block, with or without a reason, before anything runs", async () => {
    let ran = 0;
    const tools = [tool("t", () => ++ran)];
    const why = await desk(tools, { hooks: decide({ block: true, blockReason: "not on Sundays" }) }).refused(
      "t",
    );
    expect(why).toMatchObject({ code: "tool_error", effectStatus: "unknown" });
    expect(why.message).toContain("not on Sundays");
    expect((await desk(tools, { hooks: decide({ block: true }) }).refused("t")).message).toContain("blocked");
    expect((await desk(tools, { hooks: decide(undefined, { block: true }) }).refused("t")).message).toContain(
      "t",
    );
    expect(ran).toBe(0);
  });

  it("have their rewrite judged by the same contract", async () => {
    let ran = 0;
    const { refused } = desk([tool("echo", () => ++ran, { parameters })], {
      hooks: decide({ params: { n: "x" } }),
    });
    const failure = await refused("echo", { n: 1 });
    expect(failure).toMatchObject({ code: "input_contract" });
    expect(failure.message).toMatch(/n: .*hook/s);
    expect(ran).toBe(0);
  });

  it("fail the call when they fail, and may return nonsense", async () => {
    const broken: ToolHooks = {
      before: [
        async () => {
          throw new Error("policy file missing");
        },
      ],
      after: [],
    };
    const failure = await desk([tool("t", () => 1)], { hooks: broken }).refused("t");
    expect(failure).toMatchObject({ code: "tool_error" });
    expect(failure.message).toMatch(/before_tool_call.*policy file missing/);
    for (const odd of [null, 5, "block", [], { block: "yes" }, { params: undefined }]) {
      expect(await desk([tool("t", () => 1)], { hooks: decide(odd as any) }).call("t")).toBe(1);
    }
    const cyclic: any = {};
    cyclic.self = cyclic;
    const hostile = await desk([tool("t", () => 1)], { hooks: decide({ params: cyclic }) }).refused("t");
    expect(hostile.message).toContain("cannot be sent as JSON");
  });

  it("get the exact name, messages the one the cell uses", async () => {
    const names: string[] = [];
    const hooks: ToolHooks = {
      before: [
        async (event) => {
          names.push(event.toolName);
          return { block: true };
        },
      ],
      after: [],
    };
    const { refused, failure } = desk([tool("llm-task", () => 1), mcpTool("docs", "find", () => ({}))], {
      hooks,
    });
    expect((await refused("llm-task")).message).toContain("llm_task was blocked");
    expect((await failure("mcp", "mcp:docs:docs__find", [])).message).toContain("MCP.docs.find was blocked");
    expect(names).toEqual(["llm-task", "docs__find"]);
  });

  it("stand before calls of servers and clients too", async () => {
    const tools = [
      mcpTool("docs", "find", () => ({ content: [] })),
      tool("pick", () => 1, { source: "client", owner: "client" }),
    ];
    const { failure, refused } = desk(tools, { hooks: decide({ block: true, blockReason: "no" }) });
    expect((await failure("mcp", "mcp:docs:docs__find", [])).message).toContain("no");
    expect((await refused("pick")).message).toContain("no");
  });
});

describe("approvals", () => {
  const ask = (
    requireApproval: NonNullable<BeforeToolCallDecision["requireApproval"]>,
    approve?: Approver,
  ) => {
    let ran = 0;
    const asked: any[] = [];
    const spied: Approver | undefined =
      approve &&
      (async (request) => {
        asked.push(request);
        return approve(request);
      });
    const options = {
      hooks: decide({ requireApproval }),
      ...(spied === undefined ? {} : { approve: spied }),
    };
    const { ask: send } = desk([tool("t", () => ++ran)], options);
    return send("callValue", "t", { path: "x" }).then((reply) => ({ reply, ran, asked }));
  };

  const matrix: [string, boolean, Approver | undefined, boolean][] = [
    ["nothing asked", false, undefined, true],
    ["asked and granted", true, async () => true, true],
    ["asked and refused", true, async () => false, false],
    ["asked with nobody there", true, undefined, false],
    ["asked and answered with something else", true, (async () => "yes") as any, false],
    [
      "asked and the approver fails",
      true,
      async () => {
        throw new Error("no terminal");
      },
      false,
    ],
  ];
  it.each(matrix)("%s", async (_name, wanted, approve, runs) => {
    const { reply, ran } = await ask(wanted, approve);
    expect(reply.ok).toBe(runs);
    expect(ran).toBe(runs ? 1 : 0);
    if (!reply.ok) expect(reply).toMatchObject({ code: "tool_error", effectStatus: "unknown" });
  });

  it("tell the approver what will run and why", async () => {
    const { asked } = await ask({ title: "Delete", description: "Deletes x" }, async () => true);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      toolName: "t",
      params: { path: "x" },
      title: "Delete",
      description: "Deletes x",
    });
    expect(asked[0].signal).toBeInstanceOf(AbortSignal);
  });

  it("end with the run when nobody ever answers", async () => {
    const { refused, abort } = desk([tool("t", () => 1)], {
      hooks: decide({ requireApproval: true }),
      approve: () => new Promise(() => {}),
    });
    const pending = refused("t");
    setTimeout(() => abort.abort(), 10);
    expect(await pending).toEqual({ ok: false, message: "the call was cancelled" });
  });

  it("run nothing any more once the call has failed by a stray fault of a hook", async () => {
    let ran = 0;
    let release = (): void => {};
    const { refused } = desk([tool("t", () => ++ran)], {
      hooks: {
        before: [
          () =>
            new Promise((resolve) => {
              queueMicrotask(() => {
                throw new Error("stray");
              });
              release = () => resolve(undefined);
            }),
        ],
        after: [],
      },
    });
    expect((await refused("t")).message).toBe("stray");
    release();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(ran).toBe(0);
  });

  it("that come too late run nothing", async () => {
    let ran = 0;
    let grant = (_: boolean): void => {};
    const { refused, abort } = desk([tool("t", () => ++ran)], {
      hooks: decide({ requireApproval: true }),
      approve: () => new Promise((resolve) => (grant = resolve)),
    });
    const pending = refused("t");
    await new Promise((resolve) => setTimeout(resolve, 20));
    abort.abort();
    await pending;
    grant(true);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(ran).toBe(0);
  });
});

describe("hooks after a call", () => {
  it("may replace the result, which the contract then judges", async () => {
    const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    const replace = (result: unknown): ToolHooks => ({ before: [], after: [async () => result] });
    const tools = [tool("t", () => ({ n: 1 }), { outputSchema })];
    expect(await desk(tools, { hooks: replace({ content: [], details: { n: 2 } }) }).call("t")).toEqual({
      n: 2,
    });
    expect(await desk(tools, { hooks: replace(undefined) }).call("t")).toEqual({ n: 1 });
    const wrong = await desk(tools, { hooks: replace({ content: [], details: { n: "x" } }) }).refused("t");
    expect(wrong).toMatchObject({ code: "output_contract" });
  });

  it("hear of results and of errors, with the time taken", async () => {
    const events: any[] = [];
    const hooks: ToolHooks = { before: [], after: [async (event) => void events.push(event)] };
    const { call, refused } = desk(
      [
        tool("ok", () => 1),
        tool("boom", () => {
          throw new Error("boom");
        }),
      ],
      { hooks },
    );
    await call("ok");
    await refused("boom");
    expect(events[0]).toMatchObject({ toolName: "ok", result: { details: 1 } });
    expect(events[0].durationMs).toBeGreaterThanOrEqual(0);
    expect(events[1]).toMatchObject({ toolName: "boom", error: "boom" });
    expect(events[1]).not.toHaveProperty("result");
  });

  it("fail the call when they fail, but never hide the tool's own error", async () => {
    const hooks: ToolHooks = {
      before: [],
      after: [
        async () => {
          throw new Error("redaction failed");
        },
      ],
    };
    const { refused } = desk(
      [
        tool("ok", () => 1),
        tool("boom", () => {
          throw new Error("boom");
        }),
      ],
      { hooks },
    );
    expect((await refused("ok")).message).toMatch(/after_tool_call.*redaction failed/);
    expect((await refused("boom")).message).toBe("boom");
  });
});
