import { describe, expect, it } from "vitest";
import { desk, mcpTool, tool } from "./harness.js";

const issue = mcpTool(
  "github",
  "create_issue",
  (input) => ({
    content: [{ type: "text", text: "created", _meta: { keep: 1 }, annotations: { audience: ["user"] } }],
    structuredContent: { input },
    _meta: { secret: 1 },
    private: 2,
  }),
  {
    parameters: {
      type: "object",
      properties: {
        owner: { type: "string" },
        title: { type: "string" },
        state: { enum: ["open", "closed"], default: "open" },
        nested: { type: "object", default: { a: [1] } },
      },
      required: ["owner", "title"],
      additionalProperties: false,
    },
  },
);
const id = "mcp:github:github__create_issue";

describe("a call of a server's tool", () => {
  it("fills top-level defaults, lets other fields pass and shows only what is the cell's business", async () => {
    const { value } = desk([issue]);
    expect(await value("mcp", id, [{ owner: "o", title: "t", extra: 1 }])).toEqual({
      content: [{ type: "text", text: "created", _meta: { keep: 1 }, annotations: { audience: ["user"] } }],
      structuredContent: { input: { owner: "o", title: "t", extra: 1, state: "open", nested: { a: [1] } } },
    });
    const again = await value("mcp", id, [{ owner: "o", title: "t", state: "closed" }]);
    expect(again.structuredContent.input.state).toBe("closed");
  });

  it("gives every call its own copy of a default", async () => {
    const { value } = desk([
      mcpTool(
        "s",
        "grow",
        (input) => {
          input.list.push(1);
          return { content: [], structuredContent: input };
        },
        { parameters: { type: "object", properties: { list: { type: "array", default: [] } } } },
      ),
    ]);
    for (let n = 0; n < 2; n++) {
      expect((await value("mcp", "mcp:s:s__grow", [])).structuredContent).toEqual({ list: [1] });
    }
  });

  it("names what is missing, and takes one object at most", async () => {
    const { failure } = desk([issue]);
    const missing = await failure("mcp", id, [{ owner: "o" }]);
    expect(missing).toMatchObject({ code: "tool_error", effectStatus: "unknown" });
    expect(missing.message).toMatch(/MCP\.github\.createIssue.*title/);
    for (const args of [[{}, {}], ["x"], [[1]], [5], [true]]) {
      expect(await failure("mcp", id, args)).toMatchObject({ code: "tool_error" });
    }
    for (const args of [[], [null]])
      expect((await failure("mcp", id, args)).message).toContain("owner, title");
    expect(await failure("mcp", "mcp:github:nope", [{}])).toMatchObject({ code: "invalid_input" });
    expect(await failure("mcp", "openclaw:demo:t", [{}])).toMatchObject({ code: "invalid_input" });
  });

  it("resolves when the server says that it failed, and rejects when it cannot be reached", async () => {
    const { value, failure, session } = desk([
      mcpTool("s", "no", () => ({ content: [{ type: "text", text: "nope" }], isError: true })),
      mcpTool("s", "down", () => {
        throw new Error("transport down");
      }),
    ]);
    expect(await value("mcp", "mcp:s:s__no", [])).toEqual({
      content: [{ type: "text", text: "nope" }],
      isError: true,
    });
    expect(await failure("mcp", "mcp:s:s__down", [])).toMatchObject({
      code: "tool_error",
      message: "transport down",
    });
    expect(session.telemetry()).toMatchObject({ callCount: 2, failedCallCount: 1 });
  });

  it("tolerates answers of any shape", async () => {
    const shapes: [unknown, unknown][] = [
      [{}, { content: [] }],
      [{ content: "text" }, { content: [] }],
      [{ content: [], structuredContent: null, isError: null }, { content: [] }],
      [
        { content: [], isError: false },
        { content: [], isError: false },
      ],
    ];
    for (const [answer, expected] of shapes) {
      expect(await desk([mcpTool("s", "t", () => answer)]).value("mcp", "mcp:s:s__t", [])).toEqual(expected);
    }
    for (const answer of [undefined, null, "text", 5, []]) {
      const { failure } = desk([mcpTool("s", "t", () => answer)]);
      expect(await failure("mcp", "mcp:s:s__t", [])).toMatchObject({ code: "tool_error" });
    }
  });

  it("returns resources and prompts in their own shapes", async () => {
    const { value, failure } = desk([
      mcpTool(
        "docs",
        "resources_list",
        () => ({ resources: [{ uri: "memo://one" }], nextCursor: "c", _meta: {} }),
        {
          operation: "resources_list",
        },
      ),
      mcpTool("docs", "resources_read", ({ uri }) => ({ contents: [{ uri, text: "one" }], _meta: {} }), {
        operation: "resources_read",
        parameters: { type: "object", properties: { uri: { type: "string" } }, required: ["uri"] },
      }),
      mcpTool("docs", "prompts_list", () => ({ content: [], details: { prompts: [{ name: "brief" }] } }), {
        operation: "prompts_list",
      }),
      mcpTool("docs", "prompts_get", () => ({ messages: [{ role: "user" }], description: "d", _meta: {} }), {
        operation: "prompts_get",
      }),
    ]);
    const ask = (name: string, ...args: unknown[]) => value("mcp", `mcp:docs:docs__${name}`, args);
    expect(await ask("resources_list")).toEqual({ resources: [{ uri: "memo://one" }], nextCursor: "c" });
    expect(await ask("resources_read", { uri: "u" })).toEqual({ contents: [{ uri: "u", text: "one" }] });
    expect(await ask("prompts_list")).toEqual({ prompts: [{ name: "brief" }] });
    expect(await ask("prompts_get")).toEqual({ messages: [{ role: "user" }], description: "d" });
    expect((await failure("mcp", "mcp:docs:docs__resources_read", [{}])).message).toContain("uri");
  });

  it("cannot be made through the older API", async () => {
    const { failure } = desk([issue, tool("t", () => 1)]);
    for (const method of ["callValue", "call"]) {
      const refused = await failure(method, id, { owner: "o", title: "t" });
      expect(refused).toMatchObject({ code: "invalid_input" });
      expect(refused.message).toContain("MCP.github.createIssue");
    }
  });
});
