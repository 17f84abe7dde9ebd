import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../support/cli.js";
import { sampled } from "../support/full.js";
import { type HttpServe, serveHttp } from "../support/serve.js";
import { tempDir } from "../support/temp.js";

const TOKEN = "a-token-of-this-test";
const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});

let dir: string;
let server: HttpServe;

beforeAll(async () => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "openclaw-http-")));
  server = await serveHttp({
    cwd: dir,
    stateDir: dir,
    env: { OPENCLAW_SERVE_TOKEN: TOKEN },
    args: ["--max-body", "4096"],
  });
});

afterAll(async () => {
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
});

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/** A request with exactly these headers. */
function send(
  options: {
    method?: string;
    path?: string;
    headers?: Record<string, string>;
    chunks?: readonly string[];
  } = {},
): Promise<Answer> {
  const { port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: "127.0.0.1",
        port,
        method: options.method ?? "POST",
        path: options.path ?? "/mcp",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          authorization: `Bearer ${TOKEN}`,
          ...options.headers,
        },
      },
      (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          body += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode!, headers: response.headers, body }));
      },
    );
    outgoing.on("error", reject);
    for (const chunk of options.chunks ?? [initialize]) outgoing.write(chunk);
    outgoing.end();
  });
}

test("the JSON document names address, token and process", () => {
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  expect(server.token).toBe(TOKEN);
  expect(server.stderr()).toBe("");
});

test.each([
  ["none", { authorization: "" }],
  ["a wrong one", { authorization: "Bearer wrong" }],
  ["a prefix", { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
  ["another scheme", { authorization: `Basic ${TOKEN}` }],
])("a request with the wrong token is answered 401: %s", async (_, headers) => {
  const answer = await send({ headers });
  expect(answer.status).toBe(401);
  expect(answer.headers["www-authenticate"]).toMatch(/^Bearer/);
  expect(answer.body).not.toContain(TOKEN);
});

test("the right token is let in, whatever the case of the scheme", async () => {
  expect((await send()).status).toBe(200);
  expect((await send({ headers: { authorization: `bearer ${TOKEN}` } })).status).toBe(200);
});

test.each([
  ["told beforehand", { "content-length": "6000" }],
  ["found out on the way", { "transfer-encoding": "chunked" }],
])("a body over the limit is answered 413: %s", async (_, headers) => {
  const answer = await send({ headers: headers as never, chunks: Array(6).fill("x".repeat(1000)) });
  expect(answer.status).toBe(413);
  expect(answer.body).toContain("4096 bytes");
});

test("a large body in full flow still gets its answer", async () => {
  const answer = await send({
    headers: { "transfer-encoding": "chunked" },
    chunks: Array(200).fill("x".repeat(10_000)),
  });
  expect(answer.status).toBe(413);
});

test.each([
  ["a foreign host", { host: "evil.example" }],
  ["a foreign host that begins like ours", { host: "127.0.0.1.evil.example" }],
  ["a foreign origin", { origin: "https://evil.example" }],
  ["a sandboxed page", { origin: "null" }],
])("%s is refused", async (_, headers) => {
  expect((await send({ headers: headers as never })).status).toBe(403);
});

test("pages of this machine may ask", async () => {
  expect((await send({ headers: { origin: "http://localhost:5173", host: "localhost" } })).status).toBe(200);
});

test("other paths, unknown sessions and broken bodies are told apart", async () => {
  expect((await send({ path: "/" })).status).toBe(404);
  expect((await send({ headers: { "mcp-session-id": "nobody" } })).status).toBe(404);
  expect((await send({ chunks: ["{"] })).status).toBe(400);
  const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const answer = await send({ chunks: [list] });
  expect(answer).toMatchObject({ status: 400, body: expect.stringContaining("initialize") });
  expect((await send({ method: "PUT" })).status).toBeGreaterThanOrEqual(400);
});

describe("the command line", () => {
  const serve = (...args: string[]) =>
    runCli(["mcp", "serve", ...args], { env: { OPENCLAW_STATE_DIR: tempDir() } });

  const wrong: [string[], RegExp][] = [
    [["--http", "--no-token", "--host", "0.0.0.0"], /--no-token with --host 0\.0\.0\.0/],
    [["--port", "80"], /--port: only with --http/],
    [["--json"], /--json: only with --http/],
    [["--http", "--port", "70000"], /--port 70000: give a whole number/],
    [["--http", "--max-body", "4k"], /--max-body 4k/],
    [["--approve", "ask"], /nobody to ask/],
    [["--approve", "maybe"], /use always or never/],
    [["--limit", "timeoutms=1"], /Did you mean `timeoutMs`/],
  ];

  test.each(sampled(wrong, 3))("%j is wrong usage", async (args, message) => {
    const { code, stderr, stdout } = await serve(...args);
    expect(code).toBe(2);
    expect(stderr + stdout).toMatch(message);
  });

  test("a port that is taken is a failure that says so", async () => {
    const { code, json } = await serve("--http", "--json", "--port", new URL(server.url).port);
    expect(code).toBe(1);
    expect(json()).toMatchObject({ ok: false, error: { code: "port_unavailable" } });
  });
});
