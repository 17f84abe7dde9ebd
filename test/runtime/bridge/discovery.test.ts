import { describe, expect, it } from "vitest";
import { desk, mcpTool, tool } from "./harness.js";

const tools = [
  tool("double_it", () => 1, { description: "Double a number.", label: "Double" }),
  mcpTool("github", "create_issue", () => ({ content: [] }), { description: "Create an issue." }),
];

describe("discovery", () => {
  it("finds handles of both kinds and counts searches", async () => {
    const { value, failure, session } = desk(tools);
    expect(await value("search", "double a number", null, "handles")).toEqual([
      { id: "openclaw:demo:double_it" },
    ]);
    expect(await value("search", "create issue", { limit: 1 }, "handles")).toEqual([
      {
        id: "mcp:github:github__create_issue",
        callableName: "MCP.github.createIssue",
        toolName: "create_issue",
        description: "Create an issue.",
        source: "mcp",
        apiPath: "mcp/github.d.ts",
        server: "github",
        method: "createIssue",
      },
    ]);
    expect(await failure("search", 5, null, "handles")).toMatchObject({ code: "invalid_input" });
    expect(await failure("search", "x", { limit: 0 }, "handles")).toMatchObject({ code: "invalid_input" });
    expect(session.telemetry()).toMatchObject({ searchCount: 4, describeCount: 0, callCount: 0 });
  });

  it("finds older entries without servers' tools", async () => {
    const { value } = desk(tools);
    expect(await value("search", "create issue", null, "entries")).toEqual([]);
    expect(await value("search", "double_it", null, "entries")).toEqual([
      expect.objectContaining({ id: "openclaw:demo:double_it", sourceName: "demo", label: "Double" }),
    ]);
  });

  it("describes a tool in both forms, and counts", async () => {
    const { value, failure, session } = desk(tools);
    const handle = await value("describe", "openclaw:demo:double_it", "handle");
    expect(handle).toMatchObject({ callableName: "double_it", parameters: { type: "object" } });
    expect(handle).not.toHaveProperty("id");
    expect(await value("describe", "double_it", "entry")).toMatchObject({ id: "openclaw:demo:double_it" });
    expect(await failure("describe", "doubel_it", "entry")).toMatchObject({ code: "invalid_input" });
    expect(session.telemetry().describeCount).toBe(2);
  });

  it("reads files in the guest's key order; only a tool's file counts as a description", async () => {
    const { value, failure, session } = desk(tools);
    const native = await value("api.read", "tools/double_it.d.ts");
    expect(Object.keys(native)).toEqual(["path", "bytes", "content"]);
    const remote = await value("api.read", "mcp/github.d.ts");
    expect(Object.keys(remote)).toEqual(["path", "content", "description", "bytes"]);
    expect(Buffer.byteLength(remote.content)).toBe(remote.bytes);
    expect((await value("api.list", null)).map((file: any) => file.path)).toContain("tools/double_it.d.ts");
    for (const path of ["../x", "nope.d.ts", "", 5]) {
      const refused = await failure("api.read", path);
      expect(refused).not.toHaveProperty("code");
      expect(refused).not.toHaveProperty("effectStatus");
    }
    expect(session.telemetry().describeCount).toBe(1);
  });

  it("refuses to declare a tool that its contract keeps from running", async () => {
    const outputSchema = {
      anyOf: [{ type: "object" }],
      "x-openclaw-input-discriminator": { version: 2, inputProperty: "action", mapping: { a: 0 } },
    };
    const refused = await desk([tool("broken", () => 1, { outputSchema })]).failure(
      "api.read",
      "tools/broken.d.ts",
    );
    expect(refused).toMatchObject({ code: "tool_error", effectStatus: "unknown" });
    expect(refused.message).toContain("version 1");
  });

  it("answers $api without counting", async () => {
    const { value, session } = desk(tools);
    expect(await value("mcp.api", null, null, null)).toMatchObject({ scope: "root" });
    expect(await value("mcp.api", "github", "createIssue", { schema: true })).toMatchObject({
      scope: "tool",
    });
    expect(session.telemetry()).toMatchObject({ searchCount: 0, describeCount: 0, callCount: 0 });
  });
});

describe("a restartSafe cell", () => {
  it("may look, and call what its plugin calls replay-safe, nothing else", async () => {
    const { ask, cell } = desk(
      [
        tool("safe", () => 1, { replaySafe: true }),
        tool("unsafe", () => 2),
        tool("client_safe", () => 3, { source: "client", owner: "client", replaySafe: true }),
        mcpTool("s", "t", () => ({ content: [] }), { replaySafe: true }),
      ],
      { restartSafe: true },
    );
    const verdict = async (method: string, ...args: unknown[]) => {
      const safe = cell.isReplaySafe({ id: "x", method, args: JSON.stringify(args) });
      const reply = await ask(method, ...args);
      if (!safe) expect(reply).toMatchObject({ ok: false, code: "invalid_input" });
      return [safe, reply.ok];
    };
    expect(await verdict("callValue", "safe", {})).toEqual([true, true]);
    expect(await verdict("search", "safe", null, "handles")).toEqual([true, true]);
    expect(await verdict("describe", "safe", "entry")).toEqual([true, true]);
    expect(await verdict("skills.list")).toEqual([true, true]);
    expect(await verdict("store.get", "k")).toEqual([true, true]);
    expect(await verdict("callValue", "unsafe", {})).toEqual([false, false]);
    expect(await verdict("call", "unsafe", {})).toEqual([false, false]);
    expect(await verdict("callValue", "client_safe", {})).toEqual([false, false]);
    expect(await verdict("mcp", "mcp:s:s__t", [])).toEqual([false, false]);
    expect(await verdict("results.save", 1)).toEqual([false, false]);
    expect(await verdict("store.set", "k", 1)).toEqual([false, false]);
    expect(await verdict("nodes.invoke", "n1", "x", null)).toEqual([false, false]);
    // A tool that is not there says so instead of speaking of restarts.
    expect(await verdict("callValue", "nope", {})).toEqual([true, false]);
  });
});

describe("toolOf", () => {
  it("names the tool a request is about as the cell does", () => {
    const { cell } = desk([...tools, tool("nodes", () => ({ nodes: [] }), { owner: "core" })]);
    const of = (method: string, ...args: unknown[]) =>
      cell.toolOf({ id: "x", method, args: JSON.stringify(args) });
    expect(of("callValue", "openclaw:demo:double_it", {})).toBe("double_it");
    expect(of("describe", "double_it", "entry")).toBe("double_it");
    expect(of("mcp", "mcp:github:github__create_issue", [])).toBe("MCP.github.createIssue");
    expect(of("nodes.list")).toMatch(/^nodes_/); // the plain name is the global's
    for (const args of [["nope"], [5], [null], []]) expect(of("callValue", ...args)).toBeUndefined();
    expect(of("results.save", "double_it")).toBeUndefined();
    expect(cell.toolOf({ id: "x", method: "callValue", args: "{" })).toBeUndefined();
  });
});

describe("skills", () => {
  const skills = [
    { name: "brief", description: "Writes briefs.", location: "/s/brief", read: async () => "# Brief" },
    {
      name: "gone",
      description: "",
      location: "/s/gone",
      read: async () => {
        throw new Error("file is gone");
      },
    },
  ];

  it("are listed and read", async () => {
    const { value, failure } = desk([], { skills });
    expect(await value("skills.list")).toEqual([
      { name: "brief", description: "Writes briefs.", location: "/s/brief" },
      { name: "gone", description: "", location: "/s/gone" },
    ]);
    expect(await value("skills.read", "brief")).toBe("# Brief");
    expect((await failure("skills.read", "brif")).message).toMatch(/"brif".*brief, gone/);
    expect(await failure("skills.read", "gone")).toMatchObject({ message: "file is gone" });
    expect((await desk([]).failure("skills.read", "x")).message).toContain("(none)");
  });
});

describe("nodes", () => {
  const listed = [
    {
      nodeId: "n1",
      displayName: "Kitchen",
      platform: "ios",
      paired: true,
      connected: true,
      commands: ["device.status", "fs.listDir"],
    },
    { nodeId: "n2", displayName: "Attic", paired: true },
    { nodeId: "n3", displayName: "Stranger", paired: false },
    { nodeId: "n4", displayName: "n1", paired: true },
    { nodeId: "n5", displayName: "Twin", paired: true },
    { nodeId: "n6", displayName: "Twin", paired: true },
    null,
    { displayName: "nameless", paired: true },
  ];
  const nodes = tool(
    "nodes",
    (input) => (input.action === "status" ? { nodes: listed } : { invoked: input }),
    {
      owner: "core",
    },
  );

  it("lists paired ones", async () => {
    const { value } = desk([nodes]);
    expect((await value("nodes.list")).slice(0, 2)).toEqual([
      {
        id: "n1",
        name: "Kitchen",
        platform: "ios",
        connected: true,
        commands: ["device.status", "fs.listDir"],
      },
      { id: "n2", name: "Attic", connected: false, commands: [] },
    ]);
  });

  it("finds one by id before name, and says what is wrong otherwise", async () => {
    const { value, failure } = desk([nodes]);
    expect(await value("nodes.get", "n1")).toEqual({ id: "n1", name: "Kitchen", listDir: true });
    expect(await value("nodes.get", "Attic")).toEqual({ id: "n2", name: "Attic", listDir: false });
    for (const wrong of ["Twin", "Stranger", "n3", "", 5]) {
      expect(await failure("nodes.get", wrong)).toMatchObject({ code: "invalid_input" });
    }
  });

  it("invokes through the tool", async () => {
    const { value, failure, session } = desk([nodes]);
    expect(await value("nodes.invoke", "n1", "device.status", null)).toEqual({
      invoked: { action: "invoke", node: "n1", invokeCommand: "device.status", invokeParamsJson: "{}" },
    });
    expect(await value("nodes.listDir", "n1", "/tmp")).toEqual({
      invoked: {
        action: "invoke",
        node: "n1",
        invokeCommand: "fs.listDir",
        invokeParamsJson: '{"path":"/tmp"}',
      },
    });
    expect(await failure("nodes.invoke", "n1", " ", null)).toMatchObject({ code: "invalid_input" });
    expect(session.telemetry().callCount).toBe(2);
  });

  it("without the tool there are none", async () => {
    const { failure } = desk([tool("t", () => 1), mcpTool("s", "nodes", () => ({}))]);
    expect(await failure("nodes.list")).toMatchObject({ code: "invalid_input" });
  });
});
