import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/cli.js";
import { helloEntry, writePlugin } from "../support/plugin-project.js";
import { serveStdio } from "../support/serve.js";
import { writeDesk } from "../support/serve-plugin.js";
import { tempDir } from "../support/temp.js";

const FAILING = "await desk_add({ a: 1, b: 2 }); return await desk_fail({ text: 'paper jam' });";

/** Lines of one channel as `[name, {field: value}]`. */
function lines(stderr: string, channel: string): [string, Record<string, string>][] {
  return stderr
    .split("\n")
    .filter((line) => line.startsWith(`[${channel}] `))
    .map((line) => {
      const [, name = "", rest = ""] = /^\[[\w-]+\] (\S+) ?(.*)$/.exec(line) ?? [];
      const fields = [...rest.matchAll(/(\w+)=("(?:[^"\\]|\\.)*"|\S+)/g)].map(([, key = "", value = ""]) => [
        key,
        value.startsWith('"') ? JSON.parse(value) : value,
      ]);
      return [name, Object.fromEntries(fields)];
    });
}

function expectStory(stderr: string): void {
  const story = lines(stderr, "code-mode");
  const named = (name: string) => story.filter(([one]) => one === name).map(([, fields]) => fields);
  expect(named("activation")[0]).toMatchObject({ engaged: "true" });
  expect(named("catalog")[0]).toMatchObject({ openclaw: expect.stringMatching(/^\d+$/) });
  expect(named("worker")[0]).toMatchObject({ ms: expect.stringMatching(/^[\d.]+$/) });
  const failed = named("reply").find(({ tool }) => tool === "desk_fail");
  expect(failed).toMatchObject({ ok: "false", error: expect.stringContaining("paper jam") });
  const request = named("request").find(({ id }) => id === failed?.id);
  expect(request).toMatchObject({ tool: "desk_fail", bytes: expect.stringMatching(/^\d+$/) });
  for (const reply of named("reply")) {
    for (const field of ["ms", "queueMs", "bytes"]) expect(reply[field]).toMatch(/^[\d.]+$/);
  }
  expect(named("result").at(-1)).toMatchObject({
    status: "failed",
    code: "internal_error",
    error: expect.stringContaining("paper jam"),
  });
  const order = ["activation", "catalog", "leg", "request", "reply", "result"];
  const first = order.map((name) => story.findIndex(([one]) => one === name));
  expect(first).toEqual([...first].sort((a, b) => a - b));
}

test("a failing cell can be told from stderr alone, and stdout stays one JSON document", async () => {
  const dir = tempDir();
  writeDesk(join(dir, "desk"));
  const env = {
    OPENCLAW_STATE_DIR: dir,
    OPENCLAW_DEBUG_CODE_MODE: "1",
    OPENCLAW_DEBUG_MODEL_PAYLOAD: "summary",
  };
  const { code, json, stderr } = await runCli(["exec", "--json", "--plugin", "desk", "-c", FAILING], {
    cwd: dir,
    env,
  });
  expect(code).toBe(1);
  expect(json()).toMatchObject({ status: "failed" });
  expectStory(stderr);
  const payload = lines(stderr, "model-payload").map(([name]) => name);
  expect(payload).toEqual(["tools", "result"]);
});

test("the same through serve; refused cells and limits have their lines", async () => {
  const dir = tempDir();
  writeDesk(join(dir, "desk"));
  const serving = await serveStdio({
    cwd: dir,
    stateDir: dir,
    env: { OPENCLAW_DEBUG_CODE_MODE: "1" },
    args: ["--plugin", "./desk", "--limit", "timeoutMs=800", "--limit", "maxOutputBytes=1024"],
  });
  const toEnd = async (code: string): Promise<void> => {
    let result = await serving.exec(code);
    while (result.status === "waiting") result = await serving.wait(result.runId);
  };
  try {
    await toEnd(FAILING);
    await toEnd("import 'fs';");
    await toEnd("for (;;) {}");
    await toEnd("text('x'.repeat(5000));");
    await toEnd("return await desk_slow({ ms: 1500 });");
  } finally {
    await serving.close();
  }
  const [first = ""] = serving.stderr().split(/^(?=.*result .*code=invalid_input)/m);
  expectStory(first);
  const story = lines(serving.stderr(), "code-mode");
  const limits = story.filter(([name]) => name === "limit").map(([, { name, limit }]) => `${name} ${limit}`);
  expect(limits).toEqual(expect.arrayContaining(["timeoutMs 800", "maxOutputBytes 1024"]));
  expect(story).toContainEqual([
    "result",
    expect.objectContaining({ status: "failed", code: "invalid_input" }),
  ]);
  expect(story).toContainEqual([
    "suspend",
    expect.objectContaining({ reason: "pending_tools", pending: "1" }),
  ]);
  expect(story).toContainEqual(["resume", expect.objectContaining({ leg: "2" })]);
  expect(story).toContainEqual(["update", expect.objectContaining({ tool: "desk_slow" })]);
  expect(story.at(-1)).toEqual([
    "connection",
    expect.objectContaining({ state: "closed", calls: expect.any(String) }),
  ]);
});

test("without a variable stderr is silent, and a warning is one line", async () => {
  const dir = tempDir();
  writePlugin(join(dir, "quiet"), { id: "quiet" });
  const env = { OPENCLAW_STATE_DIR: dir };
  const fine = await runCli(
    ["exec", "--json", "--plugin", "./quiet", "-c", "return await quiet_hello({});"],
    {
      cwd: dir,
      env,
    },
  );
  expect([fine.code, fine.stderr]).toEqual([0, ""]);
  writePlugin(join(dir, "broken"), {
    id: "broken",
    entry: "export default 1;\nthrow new Error('first\\nsecond');",
  });
  const odd = await runCli(["exec", "--json", "--plugin", "./broken", "-c", "return 1;"], { cwd: dir, env });
  expect(odd.code).toBe(0);
  expect(odd.stderr.trimEnd().split("\n")).toEqual([
    expect.stringMatching(/^warning: plugin broken is left out: /),
  ]);
});

test("phases of plugin commands are timed, and load errors show what the entry exports", async () => {
  const dir = tempDir();
  writePlugin(join(dir, "fine"), { id: "fine" });
  const env = {
    OPENCLAW_STATE_DIR: join(dir, "state"),
    OPENCLAW_PLUGIN_LIFECYCLE_TRACE: "1",
    OPENCLAW_PLUGIN_LOAD_DEBUG: "1",
  };
  const install = await runCli(["plugins", "install", "./fine", "--json"], { cwd: dir, env });
  const steps = lines(install.stderr, "plugin-lifecycle").map(([name]) => name);
  expect(steps).toEqual(
    expect.arrayContaining(["install:resolved", "install:entry-checked", "install:records-written"]),
  );
  for (const [, { ms }] of lines(install.stderr, "plugin-lifecycle")) expect(ms).toMatch(/^[\d.]+$/);
  expect(install.json()).toMatchObject({ ok: true });

  const inspect = await runCli(["plugins", "inspect", "fine", "--runtime", "--json"], { cwd: dir, env });
  expect(lines(inspect.stderr, "plugin-lifecycle").map(([name]) => name)).toEqual(
    expect.arrayContaining(["discover", "import", "config", "register", "factory"]),
  );

  writePlugin(join(dir, "shape"), {
    id: "shape",
    entry: `${helloEntry("shape").replace("export default", "export const plugin =")}\nexport default { name: "shape" };`,
  });
  const shape = await runCli(["exec", "--json", "--plugin", "./shape", "-c", "return 1;"], { cwd: dir, env });
  const [fault] = lines(shape.stderr, "plugin-load");
  expect(fault).toEqual(["failed", expect.objectContaining({ plugin: "shape", phase: "register" })]);
  expect(fault?.[1].exports).toBe("{default: {name: string}}");
  const validate = await runCli(["plugins", "validate", "--root", "./shape", "--json"], { cwd: dir, env });
  expect(lines(validate.stderr, "plugin-load")[0]?.[1].exports).toMatch(
    /^\{default: \{name: string\}, plugin: \{/,
  );
});

test("--trajectory of exec writes nested calls and the exec they belong to", async () => {
  const dir = tempDir();
  writeDesk(join(dir, "desk"));
  const args = ["exec", "--plugin", "./desk", "--trajectory", "t.jsonl", "--keep-going"];
  const cells = ["a.js", "b.js"].flatMap((name) => ["--file", name]);
  const { writeFiles } = await import("../support/temp.js");
  writeFiles(dir, { "a.js": "return await desk_add({ a: 1, b: 2 });", "b.js": FAILING });
  await runCli([...args, ...cells], { cwd: dir, env: { OPENCLAW_STATE_DIR: dir } });
  const records = readFileSync(join(dir, "t.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(
    records.map(({ tool, toolCallId, parentToolCallId }) => [tool, parentToolCallId ?? toolCallId]),
  ).toEqual([
    ["desk_add", "exec_1"],
    ["exec", "exec_1"],
    ["desk_add", "exec_2"],
    ["desk_fail", "exec_2"],
    ["exec", "exec_2"],
  ]);
  expect(records[3]).toMatchObject({
    input: { text: "paper jam" },
    error: expect.stringContaining("paper jam"),
  });
});
