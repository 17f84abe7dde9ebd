import { expect, it } from "vitest";
import { describe as textOf } from "../../src/mcp/failure-text.js";

const server = {
  kind: "stdio",
  command: "x",
  args: [],
  env: {},
  cwd: "/",
  envNames: [],
  secrets: [],
} as const;

it("an answer of the wrong form is told in one line", () => {
  const issues = [{ code: "invalid_type", path: ["capabilities", 0], message: "expected object" }];
  const text = textOf(new Error(JSON.stringify(issues, null, 2)), server as never);
  expect(text).toContain("capabilities.0: expected object");
  expect(text).not.toContain("\n");
});

it("words of the server that only look like data stay as they are", () => {
  for (const text of ["[1]", '{"a":1}', "[", "null", "[null]", "plain"]) {
    expect(textOf(new Error(`MCP error -32000: ${text}`), server as never)).toBe(text);
  }
});
