import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expand, redact, resolveServer } from "../../src/mcp/expand.js";
import { safeServerNames, ToolNames } from "../../src/mcp/names.js";
import { readMcpFile } from "../../src/mcp/read-file.js";
import { tempDir } from "../support/temp.js";

const read = (text: string) => {
  const dir = tempDir({ "mcp.json": text });
  return readMcpFile(join(dir, "mcp.json")).then((servers) => ({ dir, servers }));
};

describe("files of MCP servers", () => {
  it.each([
    '{ "mcpServers": { "a": { "command": "x" } } }',
    "// VS Code\n{ inputs: [], servers: { a: { type: 'stdio', command: 'x', }, }, }",
    '\ufeff{ "mcp": { "servers": { "a": { "command": "x" } } } }',
  ])("are read in the form %j", async (text) => {
    expect((await read(text)).servers).toMatchObject({ a: { command: "x" } });
  });

  it("take a relative folder from where they are, and leave disabled servers out", async () => {
    const { dir, servers } = await read(
      '{ "mcpServers": { "a": { "command": "x", "cwd": "sub" }, "b": { "command": "x", "cwd": "${ROOT}/y" }, "c": { "command": "x", "disabled": true } } }',
    );
    expect(servers.a?.cwd).toBe(join(dir, "sub"));
    expect(servers.b?.cwd).toBe("${ROOT}/y");
    expect(servers.c?.enabled).toBe(false);
  });

  it.each<[string, string, string]>([
    ["{", "1:2", "too early"],
    ["", "1:1", "empty"],
    ["{ a: 1 }", "1:1", "no `mcpServers` here"],
    ["[]", "1:1", "no `mcpServers` here"],
    ["{ mcpServers: [] }", "1:15", "mcpServers must be an object, not a list"],
    ["{ mcpServers: {\n  a: 'npx' } }", "2:6", "mcpServers.a must be an object, not text"],
    ["{ mcpServers: { a: {} } }", "1:20", 'mcpServers.a needs "command" or "url"'],
    ["{ servers: { a: { command: 5 } } }", "1:28", "servers.a.command must be text"],
    ["{ mcpServers: { a: { command: 'x', args: [1] } } }", "1:43", "mcpServers.a.args[0] must be text"],
  ])("are refused with a place: %j", async (text, place, message) => {
    await expect(read(text)).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringMatching(new RegExp(`mcp\\.json:${place}: .*`)),
    });
    await expect(read(text)).rejects.toThrow(message);
  });
});

describe("placeholders", () => {
  it("come from the environment, with a fallback", () => {
    const env = { A: "1", EMPTY: "" };
    expect(expand("x${A}y${env:A}z${B:-two words}${EMPTY:-e}$A {A}", env)).toBe("x1y1ztwo wordse$A {A}");
    expect(expand("[${EMPTY}]", env)).toBe("[]");
    expect(() => expand("${B}", env)).toThrow("the environment variable B is not set");
    expect(() => expand("${input:key}", env)).toThrow("${input:key} is not supported");
  });

  it("are never expanded twice", () => {
    expect(expand("${A}", { A: "${B}", B: "secret" })).toBe("${B}");
  });

  it("are filled in every field of a server", () => {
    const server = resolveServer(
      { command: "${X}", args: ["--${X}"], cwd: "${X}", env: { T: "${X}${X}" } },
      { X: "abcd", PATH: "/bin", GITHUB_TOKEN: "hidden", http_proxy: "p" },
      "/base",
    );
    expect(server).toEqual({
      kind: "stdio",
      command: "abcd",
      args: ["--abcd"],
      cwd: "/base/abcd",
      env: { PATH: "/bin", http_proxy: "p", T: "abcdabcd" },
      envNames: ["T"],
      secrets: ["abcdabcd", "abcdabcd"],
    });
    const remote = resolveServer(
      { url: "https://${H}/mcp", headers: { Authorization: "Bearer ${T}" } },
      { H: "h", T: "0123456789" },
      "/",
    );
    expect(remote).toMatchObject({ url: "https://h/mcp", headers: { Authorization: "Bearer 0123456789" } });
    expect(redact("no 0123456789 here", remote.secrets)).toBe("no *** here");
  });

  it.each([["not a url"], ["file:///etc/passwd"], ["ftp://x/y"]])("refuse the address %j", (url) => {
    expect(() => resolveServer({ url }, {}, "/")).toThrow("no http(s) address");
  });
});

describe("names", () => {
  it("of servers are safe, short and unique in declaration order", () => {
    const names = [
      "Outlook Graph",
      "outlook-graph",
      "9lives",
      "日本",
      "",
      "x".repeat(40),
      `${"x".repeat(30)}y`,
      " a.b ",
    ];
    expect([...safeServerNames(names).values()]).toEqual([
      "Outlook-Graph",
      "outlook-graph-2",
      "mcp-9lives",
      "mcp---",
      "mcp-",
      "x".repeat(30),
      `${"x".repeat(28)}-2`,
      "a-b",
    ]);
  });

  it("of tools fit into 64 characters, each once over all servers", () => {
    const names = new ToolNames();
    expect(names.take("a", "b__c")).toBe("a__b__c");
    expect(names.take("a__b", "c")).toBe("a__b__c-2");
    expect(names.take("a", "issue.create")).toBe("a__issue-create");
    expect(names.take("s".repeat(30), "t".repeat(90))).toBe(`${"s".repeat(30)}__${"t".repeat(32)}`);
    expect(names.take("s".repeat(30), "t".repeat(91))).toBe(`${"s".repeat(30)}__${"t".repeat(30)}-2`);
  });
});
