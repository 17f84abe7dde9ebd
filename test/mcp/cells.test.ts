import { describe, expect, it } from "vitest";
import { goneWithin, journal, mcpCells, testServer } from "../support/mcp.js";

describe("mcp-client cases through cells", () => {
  it("mcp-02: every page is declared", async () => {
    const { run } = await mcpCells({ A: testServer("constant"), B: testServer("empty") });
    const files = await run(
      `return { A: (await API.read("mcp/a.d.ts")).content, B: (await API.read("mcp/b.d.ts")).content };`,
    );
    for (const name of ["t11", "t12", "t21", "t22", "t31", "t32"])
      expect(files.A).toContain(`function ${name}(`);
    expect(files.B).toContain("function first(");
    expect(files.B).toContain("function second(");
  });

  it("mcp-03: application failures resolve with the server's own text and data", async () => {
    const { run } = await mcpCells({ files: testServer("files") });
    expect(
      await run(`
        const r = {};
        for (const k of ["denied", "plain", "wrong", "none"])
          r[k] = await MCP.files.stat({ path: k }).then(
            (v) => ({ err: v.isError ?? false, text: v.content?.[0]?.text, sc: v.structuredContent, meta: "_meta" in v }),
            (e) => "threw " + e.message);
        return r;`),
    ).toEqual({
      denied: { err: true, text: "Permission denied: /x", sc: { error: { code: 13 } }, meta: false },
      plain: { err: true, text: "disk gone", meta: false },
      wrong: { err: false, sc: { size: "big" }, meta: false },
      none: { err: false, text: "42", meta: false },
    });
  });

  it("mcp-05: the cell waits at its own limit, goes on later, and an abandoned call is cancelled", async () => {
    const log = journal();
    const { session, connections } = await mcpCells(
      { batch: testServer("batch", { JOURNAL: log.file }) },
      { limits: { timeoutMs: 400 } },
    );
    const parked = await session.exec({
      code: "return (await MCP.batch.crunch({ ms: 1200 })).content[0].text",
    });
    expect(parked.status).toBe("waiting");
    let result = parked;
    for (let leg = 0; result.status === "waiting" && leg < 20; leg += 1)
      result = await session.wait({ runId: result.runId });
    expect(result).toMatchObject({ status: "completed", value: "crunched" });

    const abandoned = await session.exec({ code: "return await MCP.batch.crunch({ ms: 60000 })" });
    expect(abandoned.status).toBe("waiting");
    await session.close();
    await log.until(/^cancelled/);
    await connections.close();
    expect(await goneWithin(log.pids(), 500)).toEqual([]);
  });

  it("mcp-06: one bad server or schema takes nothing else down", async () => {
    const { run, connections } = await mcpCells(
      {
        ok: testServer("plain"),
        dead: { command: "no-such-binary-xyz" },
        slow: testServer("slow"),
        crash: testServer("crash"),
        weird: testServer("weird"),
      },
      { startMs: 1_500 },
    );
    expect(
      await run(`
        return {
          files: (await API.list("mcp")).files.map((f) => f.path),
          ok: (await MCP.ok.ping({})).content,
          good: (await MCP.weird.good({})).content,
          odd: (await MCP.weird.list({ a: 1 })).content.length + (await MCP.weird.nothing()).content.length,
        };`),
    ).toEqual({
      files: ["mcp/index.d.ts", "mcp/ok.d.ts", "mcp/weird.d.ts"],
      ok: [{ type: "text", text: "pong" }],
      good: [{ type: "text", text: "pong" }],
      odd: 2,
    });
    expect(connections.diagnostics.map(({ owner }) => owner)).toEqual(["dead", "slow", "crash"]);
  });

  it("mcp-06: whatever is called on an unavailable server says why", async () => {
    const { run } = await mcpCells({ dead: { command: "no-such-binary-xyz" }, ok: testServer("plain") });
    const reason = 'server "dead" is unavailable: there is no command "no-such-binary-xyz" (ENOENT)';
    const value = await run(`
      const said = async (call) => { try { return await call(); } catch (e) { return e.code + ": " + e.message; } };
      return {
        x: await said(() => MCP.dead.x()),
        read: await said(() => MCP.dead.resources.read({ uri: "a" })),
        computed: await said(() => MCP.dead["any name"]({})),
        destructured: await said(() => { const { go } = MCP.dead; return go(); }),
        awaited: typeof (await MCP.dead),
        name: MCP.dead.$serverName,
        printed: JSON.stringify(MCP.dead),
        keys: Object.keys(MCP),
        api: (await MCP.$api()).servers.map((s) => [s.identifier, typeof s.unavailable]),
        note: (await MCP.dead.$api()).note,
        found: (await catalog.search("dead")).length,
        all: catalog.all().length,
      };`);
    expect(value).toMatchObject({
      x: `tool_error: ${reason}`,
      read: `tool_error: ${reason}`,
      computed: `tool_error: ${reason}`,
      destructured: `tool_error: ${reason}`,
      awaited: "object",
      name: "dead",
      keys: ["dead", "ok", "$api"],
      api: [
        ["dead", "string"],
        ["ok", "undefined"],
      ],
      found: 0,
      all: 0,
    });
    expect(value.note).toContain("unavailable: there is no command");
  });

  it("mcp-06: an uncaught call of an unavailable server fails with its place", async () => {
    const { session } = await mcpCells({ dead: { command: "no-such-binary-xyz" } });
    const result = await session.exec({ code: "const a = 1;\nreturn await MCP.dead.x();" });
    expect(result).toMatchObject({ status: "failed" });
    expect((result as { error: string }).error).toMatch(
      /^Error: server "dead" is unavailable: .*\n\s+at .*:2:\d+/,
    );
  });

  it("mcp-07: arguments arrive as they were sent", async () => {
    const { run } = await mcpCells({ echo: testServer("echo") });
    const value = await run(`
      const send = { id: "007", n: 9007199254740991, fields: { a: { b: [1, null] } }, tags: null, flag: false, extra: "kept?", gone: undefined };
      const r = await MCP.echo.all(send);
      const none = await MCP.echo.all().catch((e) => e.message);
      const arr = await MCP.echo.all(["x"]).catch((e) => e.message);
      return { got: r.content[0].text, none, arr };`);
    expect(JSON.parse(value.got)).toEqual({
      id: "007",
      n: 9007199254740991,
      fields: { a: { b: [1, null] } },
      tags: null,
      flag: false,
      extra: "kept?",
    });
    expect(value.none).toContain("id");
    expect(value.arr).toContain("one object");
  });

  it("schema-04: nothing but the server's own required list is checked", async () => {
    const { run } = await mcpCells({ hub: testServer("hub") });
    const value = await run(`
      return {
        got: (await MCP.hub.threadGet({ thread: "t1", id: 4 })).content[0].text,
        refused: await MCP.hub.threadGet({ id: 4 }).catch((e) => e.message),
      };`);
    expect(JSON.parse(value.got)).toEqual({ thread: "t1", id: 4 });
    expect(value.refused).toContain("thread");
  });

  it("a server that dies fails the call that was on its way, and the others go on", async () => {
    const { run } = await mcpCells({ a: testServer("dies"), b: testServer("plain") });
    const value = await run(`
      const [x, y] = await Promise.allSettled([MCP.a.ping(), MCP.b.ping()]);
      return [x.reason.message, y.value.content[0].text, await MCP.a.ping().catch((e) => e.message)];`);
    expect(value).toEqual([
      'server "a" is unavailable: it exited with code 7',
      "pong",
      'server "a" is unavailable: it exited with code 7',
    ]);
  });
});
