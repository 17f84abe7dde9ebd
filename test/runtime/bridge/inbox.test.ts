import { describe, expect, it } from "vitest";
import { createReplyInbox } from "../../../src/runtime/bridge/inbox.js";

const reply = (bytes: number) => ({ ok: true as const, json: JSON.stringify("x".repeat(bytes - 2)) });

describe("reply inbox", () => {
  it("keeps replies within its allowance and is free again once they are delivered", () => {
    const inbox = createReplyInbox({ maxBytes: 100 });
    expect(inbox.admit("a", reply(60))).toEqual(reply(60));
    const refused = inbox.admit("b", reply(60));
    expect(refused).toMatchObject({ ok: false });
    expect(refused).not.toHaveProperty("code");
    expect(inbox.usedBytes).toBe(60);
    expect(inbox.admit("c", reply(40))).toEqual(reply(40));
    inbox.delivered("a");
    inbox.delivered("a");
    expect(inbox.admit("d", reply(60))).toEqual(reply(60));
    inbox.clear();
    expect(inbox.usedBytes).toBe(0);
  });

  it("counts bytes, not characters, and errors too", () => {
    const inbox = createReplyInbox({ maxBytes: 10 });
    expect(inbox.admit("a", { ok: true, json: '"éééé"' })).toMatchObject({ ok: true });
    expect(inbox.admit("b", { ok: false, message: "m", code: "tool_error" })).not.toHaveProperty("code");
    inbox.delivered("a");
    expect(inbox.admit("b", { ok: false, message: "m", code: "tool_error" })).toMatchObject({
      code: "tool_error",
    });
  });
});
