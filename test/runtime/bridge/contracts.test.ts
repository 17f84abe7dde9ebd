import { describe, expect, it } from "vitest";
import { desk, tool } from "./harness.js";

const closed = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

describe("contracts", () => {
  describe("input", () => {
    const parameters = closed({
      zip: { type: "string" },
      n: { type: "integer", default: 5 },
    });
    parameters.required = ["zip"];

    it("is neither coerced nor completed", async () => {
      const { call, refused } = desk([tool("see", (input) => input, { parameters })]);
      expect(await call("see", { zip: "01234" })).toEqual({ zip: "01234" });
      for (const bad of [
        { zip: 1234 },
        { zip: "1", n: "7" },
        { zip: "1", n: 7.5 },
        {},
        ["1"],
        "1",
        4,
        true,
      ]) {
        expect(await refused("see", bad)).toMatchObject({ code: "input_contract" });
      }
    });

    it("is refused with every failing place, near names and the expected shape", async () => {
      let ran = 0;
      const { refused } = desk([tool("see", () => ++ran, { parameters })]);
      const { message } = await refused("see", { zip: 1, m: 2, zpi: 3 });
      expect(message).toContain("see");
      expect(message).toContain("zip");
      expect(message).toMatch(/Did you mean: .*n/);
      expect(ran).toBe(0);
    });

    it("of a tool whose parameters are no schema refuses the call and nothing else", async () => {
      const { refused, call } = desk([
        tool("broken", () => 1, { parameters: { type: "not-a-type" } }),
        tool("nonsense", () => 1, { parameters: "text" }),
        tool("fine", () => 1),
      ]);
      expect(await refused("broken")).toMatchObject({ code: "input_contract" });
      expect(await refused("nonsense")).toMatchObject({ code: "input_contract" });
      expect(await call("fine")).toBe(1);
    });

    it("of a tool without parameters, or of a client's tool, is not judged", async () => {
      const { call } = desk([
        tool("free", (input) => input, { parameters: undefined }),
        tool("pick", (input) => input, { source: "client", owner: "client", parameters }),
      ]);
      expect(await call("free", [1])).toEqual([1]);
      expect(await call("pick", { zip: 1 })).toEqual({ zip: 1 });
    });

    it("is prepared before it is judged, on a copy", async () => {
      const { call, refused } = desk([
        tool("aliased", (input) => input, {
          parameters,
          prepareArguments: (args: any) => (args.postcode ? { zip: args.postcode } : args),
        }),
        tool("typed", () => 1, {
          parameters,
          prepareArguments: () => {
            throw Object.assign(new Error("Expected an object."), { name: "ToolArgumentValidationError" });
          },
        }),
        tool("clumsy", () => 1, {
          parameters,
          prepareArguments: () => {
            throw new TypeError("cannot read");
          },
        }),
      ]);
      expect(await call("aliased", { postcode: "9" })).toEqual({ zip: "9" });
      expect(await refused("aliased", { zip: 2 })).toMatchObject({ code: "input_contract" });
      expect(await refused("typed", {})).toMatchObject({
        code: "input_contract",
        message: "Input of typed is not valid: Expected an object.",
      });
      expect(await refused("clumsy", {})).toMatchObject({ code: "tool_error", message: "cannot read" });
    });
  });

  describe("output contract", () => {
    const outputSchema = closed({ id: { type: "string" }, n: { type: "number" } }, ["id"]);

    it("is judged in JSON form, after the tool ran, without printing values", async () => {
      let ran = 0;
      const { refused, call } = desk([
        tool(
          "leaky",
          () => {
            ran++;
            return { id: "x", n: "sk-live-123", when: new Date(0), gone: undefined };
          },
          { outputSchema },
        ),
        tool("fine", () => ({ id: "x", gone: undefined, toJSON: undefined }), { outputSchema }),
      ]);
      const failure = await refused("leaky");
      expect(failure).toMatchObject({ code: "output_contract", effectStatus: "unknown" });
      expect(failure.message).toMatch(/leaky.*has run/);
      for (const word of ["n", "when"]) expect(failure.message).toContain(word);
      expect(failure.message).not.toContain("gone");
      expect(failure.message).not.toContain("sk-live");
      expect(ran).toBe(1);
      expect(await call("fine")).toEqual({ id: "x" });
    });

    it("that does not compile keeps the tool from running", async () => {
      let ran = 0;
      const { refused } = desk([tool("bad", () => ++ran, { outputSchema: { type: "not-a-type" } })]);
      const failure = await refused("bad");
      expect(failure).toMatchObject({ code: "invalid_contract", effectStatus: "unknown" });
      expect(failure.message).toContain("bad");
      expect(ran).toBe(0);
    });
  });

  describe("grading", () => {
    it("counts failures by details while the value still arrives", async () => {
      const { call, session } = desk([tool("graded", ({ details }) => details)]);
      for (const details of [
        { status: "blocked", card: 4 },
        { ok: false },
        { exitCode: 2 },
        { error: "no" },
      ]) {
        expect(await call("graded", { details })).toEqual(details);
      }
      expect(session.telemetry().failedCallCount).toBe(4);
      for (const details of [
        { status: "blocked", ok: true },
        { card: { status: "blocked" } },
        [{ ok: false }],
        "error",
      ]) {
        await call("graded", { details });
      }
      expect(session.telemetry()).toMatchObject({ failedCallCount: 4, callCount: 8 });
    });
  });
});
