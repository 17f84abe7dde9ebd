import { describe, expect, it, onTestFinished } from "vitest";
import { buildCatalog } from "../../src/catalog/build.js";
import type { Approver, BeforeToolCall, ToolHooks } from "../../src/catalog/hooks.js";
import { resolveLimits } from "../../src/config/limits.js";
import { createCellSession } from "../../src/runtime/session.js";
import type { CellSession } from "../../src/runtime/types.js";
import { tool } from "./bridge/harness.js";

function sessionWith(hooks: Partial<ToolHooks>, approve?: Approver): CellSession {
  const limits = resolveLimits();
  const session = createCellSession({
    catalog: buildCatalog([tool("exec", () => "shell", { owner: "core" })], limits),
    limits,
    hooks: { before: [], after: [], ...hooks },
    ...(approve === undefined ? {} : { approve }),
  });
  onTestFinished(() => session.close());
  return session;
}

describe("hooks around a whole cell", () => {
  it("can tell it from a shell's exec and from its nested calls", async () => {
    const seen: BeforeToolCall[] = [];
    const session = sessionWith({ before: [async (event) => void seen.push(event)] });
    const code = "return await tools.exec({ command: 'ls' });";
    await session.exec({ code, language: "typescript" }, { toolCallId: "call_1" });
    expect(seen).toEqual([
      {
        toolName: "exec",
        toolCallId: "call_1",
        params: { code, language: "typescript" },
        toolKind: "code_mode_exec",
        toolInputKind: "typescript",
      },
      {
        toolName: "exec",
        toolCallId: expect.any(String),
        parentToolCallId: "call_1",
        params: { command: "ls" },
      },
    ]);
  });

  it("may refuse it before anything runs", async () => {
    const session = sessionWith({ before: [async () => ({ block: true, blockReason: "quiet hours" })] });
    const result = await session.exec({ code: "return 1;" });
    expect(result).toMatchObject({ status: "failed", code: "invalid_input", failurePhase: "input" });
    expect(result).toHaveProperty("error", expect.stringContaining("quiet hours"));
  });

  it("may rewrite its source, under either name", async () => {
    for (const params of [{ code: "return 2;" }, { command: "return 2;" }]) {
      const session = sessionWith({ before: [async () => ({ params })] });
      expect(await session.exec({ code: "return 1;" })).toMatchObject({ status: "completed", value: 2 });
    }
  });

  it("may ask for approval, which an abort ends", async () => {
    const before = [async () => ({ requireApproval: true })];
    expect(await sessionWith({ before }, async () => true).exec({ code: "return 1;" })).toMatchObject({
      value: 1,
    });
    expect(await sessionWith({ before }, async () => false).exec({ code: "return 1;" })).toMatchObject({
      status: "failed",
      code: "invalid_input",
    });
    const never = sessionWith({ before }, () => new Promise(() => {}));
    const result = await never.exec({ code: "return 1;" }, { signal: AbortSignal.timeout(30) });
    expect(result).toMatchObject({ status: "failed", code: "aborted" });
  });

  it("hear of its result and cannot spoil it", async () => {
    const results: unknown[] = [];
    const session = sessionWith({
      after: [
        async (event) => {
          results.push(event.result);
          return { status: "completed", value: "forged" };
        },
        async () => {
          throw new Error("broken");
        },
      ],
    });
    expect(await session.exec({ code: "return 1;" })).toMatchObject({ status: "completed", value: 1 });
    expect(results).toEqual([expect.objectContaining({ status: "completed", value: 1 })]);
  });
});

describe("events of a session", () => {
  it("name the tool of each request", async () => {
    const events: any[] = [];
    const limits = resolveLimits();
    const session = createCellSession({
      catalog: buildCatalog([tool("count", () => 3)], limits),
      limits,
      onEvent: (event) => events.push(event),
    });
    onTestFinished(() => session.close());
    await session.exec({ code: "await count({}); await results.save(1); return 1;" });
    const named = events.filter(({ type }) => type === "request" || type === "reply" || type === "call");
    expect(named.map(({ type, method, tool }) => [type, method, tool])).toEqual([
      ["request", "callValue", "count"],
      ["call", undefined, "count"],
      ["reply", "callValue", "count"],
      ["request", "results.save", undefined],
      ["reply", "results.save", undefined],
    ]);
  });
});
