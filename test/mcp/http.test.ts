import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connect, mcpCells } from "../support/mcp.js";
import { httpServer } from "../support/mcp-http.js";
import { tempDir } from "../support/temp.js";

describe("servers over streamable HTTP", () => {
  it.each([{ json: false }, { json: true }])(
    "list and call tools from cells (%j), and their session is ended",
    async (options) => {
      const server = await httpServer(options);
      const { run, connections } = await mcpCells({ web: { url: server.url } });
      expect(connections.servers[0]).toMatchObject({
        transport: "http",
        server: { name: "http-test", version: "2.0.0" },
      });
      expect(await run("return (await MCP.web.ping()).content[0].text")).toBe("pong");
      await connections.close();
      expect(server.seen.at(-1)).toBe("DELETE");
    },
  );

  it("send configured headers, placeholders filled, and nothing of them in messages", async () => {
    const server = await httpServer({ token: "canary-0123456789" });
    const headers = { Authorization: "Bearer ${WEB_TOKEN}", "X-Team": "blue" };
    const good = await connect(
      { web: { url: server.url, headers } },
      { env: { WEB_TOKEN: "canary-0123456789" } },
    );
    expect(await good.call("web__ping")).toMatchObject({ content: [{ text: "pong" }] });
    expect(server.headers.every((sent) => sent["x-team"] === "blue")).toBe(true);
    const bad = await connect(
      { web: { url: `${server.url}?key=abc`, headers } },
      { env: { WEB_TOKEN: "wrong-wrong-wrong" } },
    );
    expect(bad.diagnostics.map(({ message }) => message)).toEqual([
      `MCP server "web" is left out: ${server.url} answered HTTP 401`,
    ]);
  });

  it("answer from the list cache without a request", async () => {
    const server = await httpServer();
    const cacheDir = join(tempDir(), "c");
    await (await connect({ web: { url: server.url } }, { cacheDir })).close();
    const before = server.seen.length;
    const warm = await connect({ web: { url: server.url } }, { cacheDir });
    expect(warm.tools.map(({ name }) => name)).toEqual(["web__ping", "web__wait"]);
    expect(server.seen.length).toBe(before);
    expect(await warm.call("web__ping")).toMatchObject({ content: [{ text: "pong" }] });
  });

  it("hear of a cancelled call", async () => {
    const server = await httpServer();
    const { call } = await connect({ web: { url: server.url } });
    const abort = new AbortController();
    const waiting = call("web__wait", {}, abort.signal);
    await expect.poll(() => server.seen.filter((line) => line === "POST").length).toBeGreaterThan(3);
    abort.abort();
    await expect(waiting).rejects.toThrow('server "web", tool "wait": the call was cancelled');
    await expect.poll(() => server.seen).toContain("cancelled");
  });

  it("fail a call alone when they go away", async () => {
    const server = await httpServer();
    const { call, close } = await connect({ web: { url: server.url } });
    await server.stop();
    await expect(call("web__ping")).rejects.toThrow(
      /server "web"(, tool "ping": .* cannot be reached| is unavailable)/,
    );
    const started = Date.now();
    await close();
    expect(Date.now() - started).toBeLessThan(1_500);
  });

  it("do not hold the run when they never answer", async () => {
    const { createServer } = await import("node:http");
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as { port: number };
    const { diagnostics, close } = await connect(
      { web: { url: `http://127.0.0.1:${port}/` } },
      { startMs: 400 },
    );
    expect(diagnostics[0]?.message).toBe(
      'MCP server "web" is left out: start-up timed out after 400 ms (limit mcpStartMs)',
    );
    await close();
    silent.closeAllConnections();
    silent.close();
  });

  it("that are web pages are said to be none", async () => {
    const { createServer } = await import("node:http");
    const page = createServer((_, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>hi</h1>"),
    );
    await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
    const { port } = page.address() as { port: number };
    const { diagnostics } = await connect({ web: { url: `http://127.0.0.1:${port}/` } });
    expect(diagnostics[0]?.message).toMatch(/left out: .*content type/i);
    page.closeAllConnections();
    page.close();
  });
});
