import { describe, expect, it } from "vitest";
import { connect, goneWithin, journal, testServer } from "../support/mcp.js";
import { tempDir } from "../support/temp.js";

describe("connecting", () => {
  it("lists tools and calls them", async () => {
    const { tools, diagnostics, call } = await connect({ one: testServer("plain") });
    expect(diagnostics).toEqual([]);
    expect(tools.map(({ name, owner, source }) => [name, owner, source])).toEqual([
      ["one__ping", "one", "mcp"],
      ["one__pid", "one", "mcp"],
      ["one__env", "one", "mcp"],
    ]);
    expect(await call("one__ping")).toEqual({ content: [{ type: "text", text: "pong" }] });
  });

  it("tolerates noise on stdout and shows it in the log", async () => {
    const log: string[] = [];
    const { call } = await connect({ a: testServer("noise") }, { onLog: (_, line) => log.push(line) });
    expect(await call("a__ping")).toMatchObject({ content: [{ text: "pong" }] });
    expect(log).toEqual(["Server listening...", "{ not json", "[1,2]"]);
  });

  it("says why each server that cannot be used is left out, in one line each", async () => {
    const started = Date.now();
    const { diagnostics, tools, call } = await connect(
      {
        dead: { command: "no-such-binary-xyz" },
        nocwd: { ...testServer("plain"), cwd: "/no/such/folder" },
        slow: testServer("slow"),
        exits: testServer("exits"),
        crash: testServer("crash", { TOKEN: "canary-0123456789" }),
        old: testServer("wrong-protocol"),
        unset: { command: "npx", env: { KEY: "${OPENCLAW_TEST_UNSET}" } },
        sse: { url: "http://127.0.0.1:1/sse", transport: "sse" },
        refused: { url: "http://127.0.0.1:1/mcp" },
        off: { command: "x", enabled: false },
        good: testServer("plain"),
      },
      { startMs: 1_500 },
    );
    expect(Date.now() - started).toBeLessThan(6_000);
    expect(diagnostics.map(({ level, message }) => [level, message.replace("MCP server ", "")])).toEqual([
      ["warning", '"dead" is left out: there is no command "no-such-binary-xyz" (ENOENT)'],
      ["warning", '"nocwd" is left out: its working directory /no/such/folder does not exist'],
      ["warning", '"slow" is left out: start-up timed out after 1.5 s (limit mcpStartMs)'],
      ["warning", '"exits" is left out: it exited with code 3: bad flag: --x'],
      ["warning", '"crash" is left out: it exited with code 1: token missing | ***'],
      ["warning", `"old" is left out: Server's protocol version is not supported: 1999-01-01`],
      ["warning", '"unset" is left out: the environment variable OPENCLAW_TEST_UNSET is not set'],
      ["warning", expect.stringMatching(/^"sse" is left out: the sse transport is not supported/)],
      [
        "warning",
        expect.stringMatching(
          /^"refused" is left out: http:\/\/127.0.0.1:1 cannot be reached: .*(ECONNREFUSED|bad port)/,
        ),
      ],
    ]);
    expect(tools.filter((tool) => tool.mcp?.unavailable !== undefined)).toHaveLength(9);
    expect(await call("good__ping")).toMatchObject({ content: [{ text: "pong" }] });
    await expect(call("dead__")).rejects.toThrow('server "dead" is unavailable: there is no command');
  });

  it("gives servers a safe environment and what is configured, placeholders filled", async () => {
    const { call } = await connect(
      { a: { ...testServer("plain"), env: { JOURNAL: "${DIR}/j", N: 5, MADE: "${env:DIR}-${NOPE:-x}" } } },
      { env: { ...process.env, DIR: tempDir(), SECRET_TOKEN: "do-not-pass" } },
    );
    const env = JSON.parse((await call("a__env")).content[0].text);
    expect(env.SECRET_TOKEN).toBeUndefined();
    expect(env).toMatchObject({ N: "5", PATH: process.env.PATH });
    expect(env.MADE).toMatch(/-x$/);
  });

  it("lets one call fail alone when its server dies, and says why to later ones", async () => {
    const { call } = await connect({ a: testServer("dies"), b: testServer("plain") });
    await expect(call("a__ping")).rejects.toThrow('server "a" is unavailable: it exited with code 7');
    await expect(call("a__ping")).rejects.toThrow('server "a" is unavailable: it exited with code 7');
    expect(await call("b__ping")).toMatchObject({ content: [{ text: "pong" }] });
  });

  it("does not wait for a server that closed its output", async () => {
    const { call } = await connect({ a: testServer("mute") });
    await expect(call("a__ping")).rejects.toThrow('server "a" is unavailable: the connection was closed');
  });

  it("passes a refusal on in the server's words, without our secrets", async () => {
    const { call } = await connect({ a: testServer("refuses", { TOKEN: "canary-0123456789" }) });
    await expect(call("a__ping")).rejects.toThrow('server "a", tool "ping": the cat said no');
  });

  it.each([[null], [5], ["text"], [[1]], [undefined]])(
    "fails a call that is answered with %j",
    async (result) => {
      const { call } = await connect({ a: testServer("odd-answers") }, { requestTimeoutMs: 1_000 });
      await expect(call("a__ping", { result })).rejects.toThrow(
        result === undefined ? "no answer after 1 s" : "the answer is not a result object",
      );
    },
  );

  it("takes answers larger than the SDK's own buffer", async () => {
    const { call } = await connect({ a: testServer("huge") });
    expect((await call("a__ping")).content[0].text).toHaveLength(20 * 1024 * 1024);
  });

  it("ends every process when closed, whatever it ignores and whatever it started", async () => {
    const log = journal();
    const env = { JOURNAL: log.file };
    const { close } = await connect(
      {
        polite: testServer("plain", env),
        stubborn: testServer("stubborn", env),
        forks: testServer("forks", env),
        slow: testServer("slow", env),
      },
      { startMs: 1_500 },
    );
    expect(log.pids()).toHaveLength(5);
    const started = Date.now();
    await close();
    expect(Date.now() - started).toBeLessThan(2_000);
    expect(await goneWithin(log.pids(), 500)).toEqual([]);
  });

  it("ends every process when aborted while they start", async () => {
    const log = journal();
    const abort = new AbortController();
    const connecting = connect(
      { a: testServer("slow", { JOURNAL: log.file }), b: testServer("stubborn", { JOURNAL: log.file }) },
      { signal: abort.signal, startMs: 60_000 },
    );
    await log.until(/start/);
    abort.abort();
    const { diagnostics, close } = await connecting;
    expect(diagnostics.length).toBeGreaterThan(0);
    await close();
    expect(await goneWithin(log.pids(), 1_500)).toEqual([]);
  });
});
