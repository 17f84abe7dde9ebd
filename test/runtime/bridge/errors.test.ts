import { describe, expect, it } from "vitest";
import { desk, tool } from "./harness.js";

describe("errors of a tool", () => {
  const fails = (make: () => unknown, limits = {}) =>
    desk(
      [
        tool("boom", () => {
          throw make();
        }),
      ],
      { limits },
    ).refused("boom");

  it("carry the message only, causes behind it", async () => {
    class QuotaError extends Error {
      override name = "QuotaError";
      code = "E_QUOTA";
    }
    expect(await fails(() => new QuotaError("quota exceeded"))).toEqual({
      ok: false,
      message: "quota exceeded",
      code: "tool_error",
      effectStatus: "unknown",
    });
    expect((await fails(() => new Error("outer", { cause: new Error("inner") }))).message).toBe(
      "outer | inner",
    );
    const members = new AggregateError([new Error("a"), new Error("b")], "many");
    expect((await fails(() => members)).message).toBe("many | a | b");
    expect((await fails(() => "plain failure")).message).toBe("plain failure");
  });

  it("are never empty, never throw and never loop", async () => {
    const own = new Error("round");
    own.cause = own;
    expect((await fails(() => own)).message).toBe("round");
    for (const odd of [undefined, null, new Error(""), {}, 7, Symbol("s"), Object.create(null)]) {
      expect((await fails(() => odd)).message).not.toBe("");
    }
    const trapped = new Proxy(new Error("x"), {
      get: () => {
        throw new Error("trap");
      },
    });
    expect((await fails(() => trapped)).message).toBe("failed without a message");
  });

  it("name a tool as the cell does", async () => {
    const failure = await fails(() => new Error("openclaw:demo:boom is down"));
    expect(failure.message).toBe("boom is down");
  });

  it("are cut to the output budget and say so", async () => {
    const failure = await fails(() => new Error("é".repeat(5000)), { maxOutputBytes: 1024 });
    expect(failure.message.endsWith(" [error truncated]")).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(failure.message))).toBeLessThanOrEqual(1024);
    expect(Buffer.byteLength(JSON.stringify(failure.message))).toBeGreaterThan(1000);
  });
});
