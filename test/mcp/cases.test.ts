import { describe, expect, it } from "vitest";
import { connect, goneWithin, journal, testServer } from "../support/mcp.js";

/** Cases of the area mcp-client, at the connection; through whole cells they run in cells.test.ts. */
describe("mcp-client cases", () => {
  it("mcp-02: pages end with an absent cursor only, and an endless list at a stated cap", async () => {
    const { tools, diagnostics } = await connect({
      A: testServer("constant"),
      B: testServer("empty"),
      C: testServer("endless"),
    });
    const names = (owner: string) =>
      tools.filter((tool) => tool.owner === owner).map((tool) => tool.mcp?.toolName);
    expect(names("A")).toEqual(["t1_1", "t1_2", "t2_1", "t2_2", "t3_1", "t3_2"]);
    expect(names("B")).toEqual(["first", "second"]);
    expect(names("C")).toHaveLength(200);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'the tool list of MCP server "C" is incomplete (200 tools kept): there are more than 200 pages',
    ]);
  });

  it("mcp-03: a server's own failure and its own data are never replaced", async () => {
    const { call } = await connect({ files: testServer("files") });
    const stat = (path: string) => call("files__stat", { path });
    expect(await stat("denied")).toEqual({
      isError: true,
      content: [{ type: "text", text: "Permission denied: /x" }],
      structuredContent: { error: { code: 13 } },
    });
    expect(await stat("plain")).toEqual({ isError: true, content: [{ type: "text", text: "disk gone" }] });
    expect(await stat("wrong")).toEqual({ content: [], structuredContent: { size: "big" } });
    expect(await stat("none")).toEqual({ content: [{ type: "text", text: "42" }] });
  });

  it("mcp-05: the run's limit is the only one, and an abandoned call is cancelled once", async () => {
    const log = journal();
    const { call, close } = await connect(
      { batch: testServer("batch", { JOURNAL: log.file }) },
      { requestTimeoutMs: 300 },
    );
    await expect(call("batch__crunch", { ms: 60_000 })).rejects.toThrow(
      'server "batch", tool "crunch": no answer after 300 ms',
    );
    await log.until(/^cancelled/);
    const abort = new AbortController();
    const dropped = call("batch__crunch", { ms: 60_000 }, abort.signal);
    await log.until(/^call crunch/);
    const finished = await call("batch__crunch", { ms: 1 }, abort.signal);
    expect(finished).toMatchObject({ content: [{ text: "crunched" }] });
    abort.abort(new Error("the cell is gone"));
    await expect(dropped).rejects.toThrow('server "batch", tool "crunch": the call was cancelled');
    await close();
    // One for the timeout, one for the abort; none for the call that had finished.
    expect(log.lines().filter((line) => line.startsWith("cancelled"))).toHaveLength(2);
    expect(await goneWithin(log.pids(), 500)).toEqual([]);
  });

  it("mcp-05: a timer longer than Node's timers hold does not fire at once", async () => {
    const { call } = await connect({ batch: testServer("batch") }, { requestTimeoutMs: 2 ** 40 });
    expect(await call("batch__crunch", { ms: 50 })).toMatchObject({ content: [{ text: "crunched" }] });
  });

  it("mcp-05: closing cancels what is in flight before the server ends", async () => {
    const log = journal();
    const { call, close } = await connect({ batch: testServer("batch", { JOURNAL: log.file }) });
    const dropped = expect(call("batch__crunch", { ms: 60_000 })).rejects.toThrow(
      /cancelled|unavailable|over|closed/,
    );
    await log.until(/^call crunch/);
    await close();
    await dropped;
    expect(log.lines().filter((line) => line.startsWith("cancelled"))).toHaveLength(1);
  });

  it("mcp-06: one bad server or schema takes nothing else down", async () => {
    const { tools, diagnostics, call } = await connect(
      {
        ok: testServer("plain"),
        dead: { command: "no-such-binary-xyz" },
        slow: testServer("slow"),
        crash: testServer("crash"),
        weird: testServer("weird"),
      },
      { startMs: 1_500 },
    );
    expect(await call("ok__ping")).toMatchObject({ content: [{ text: "pong" }] });
    for (const name of ["good", "nothing", "list", "cycle"]) {
      expect(await call(`weird__${name}`)).toMatchObject({ content: [{ text: "pong" }] });
    }
    expect(tools.filter(({ owner }) => owner === "weird")).toHaveLength(4);
    expect(diagnostics.map(({ owner }) => owner)).toEqual(["dead", "slow", "crash"]);
    await expect(call("dead__")).rejects.toThrow('server "dead" is unavailable: ');
  });

  it("mcp-07: arguments reach the server as they are", async () => {
    const { call } = await connect({ echo: testServer("echo") });
    const sent = {
      id: "007",
      n: Number.MAX_SAFE_INTEGER,
      fields: { a: { b: [1, null] } },
      tags: null,
      flag: false,
      extra: "kept?",
      empty: "",
      zero: 0,
      "__proto__ ": 1,
    };
    const echoed = await call("echo__all", { ...sent, gone: undefined });
    expect(JSON.parse(echoed.content[0].text)).toEqual(sent);
  });

  it("schema-04: a call goes out unchanged, whatever a merged schema would say", async () => {
    const { call } = await connect({ hub: testServer("hub") });
    const got = await call("hub__thread_get", { thread: "t1", id: 4 });
    expect(JSON.parse(got.content[0].text)).toEqual({ thread: "t1", id: 4 });
  });
});
