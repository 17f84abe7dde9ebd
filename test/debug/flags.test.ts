import { expect, test } from "vitest";
import { debugFlags } from "../../src/debug/flags.js";
import { runCli } from "../support/cli.js";
import { tempDir } from "../support/temp.js";

test("values are read without regard to case; off is off", () => {
  expect(
    debugFlags({
      OPENCLAW_DEBUG_CODE_MODE: "1",
      OPENCLAW_DEBUG_MODEL_PAYLOAD: " Full-Redacted ",
      OPENCLAW_DEBUG_MODEL_TRANSPORT: "true",
      OPENCLAW_DEBUG_SSE: "peek",
      OPENCLAW_PLUGIN_LIFECYCLE_TRACE: "0",
      OPENCLAW_PLUGIN_LOAD_DEBUG: "false",
      OPENCLAW_DEBUG: "",
    }),
  ).toEqual({
    codeMode: true,
    modelPayload: "full-redacted",
    modelTransport: true,
    sse: "peek",
    pluginLifecycle: false,
    pluginLoad: false,
    warnings: [],
  });
});

test("a value that means nothing gives one warning line for its variable and changes nothing else", async () => {
  const env = {
    OPENCLAW_STATE_DIR: tempDir(),
    OPENCLAW_DEBUG: "all",
    OPENCLAW_DEBUG_CODE_MODE: "yes",
    OPENCLAW_DEBUG_MODEL_PAYLOAD: "sumary",
    OPENCLAW_DEBUG_MODEL_TRANSPORT: "on\u001b[31m",
    OPENCLAW_DEBUG_SSE: "all",
    OPENCLAW_PLUGIN_LIFECYCLE_TRACE: "2",
    OPENCLAW_PLUGIN_LOAD_DEBUG: "x",
  };
  const { code, stdout, stderr } = await runCli(["exec", "--json", "-c", "return 1;"], { env });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ status: "completed", value: 1 });
  const lines = stderr.trimEnd().split("\n");
  expect(lines).toHaveLength(7);
  for (const line of lines) expect(line).toMatch(/^warning: OPENCLAW_\w+=.* means nothing and is ignored; /);
  expect(stderr).toContain("did you mean summary?");
  expect(stderr).not.toContain("\u001b");
});
