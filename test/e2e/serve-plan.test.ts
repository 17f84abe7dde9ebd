import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testServer } from "../support/mcp.js";
import { type StdioServe, serveStdio, until } from "../support/serve.js";
import { writeDesk } from "../support/serve-plugin.js";

// The client stands for the model of an agent's turn. A server of MCP has no tools of a host or of its client, so those
// two sources are covered by the cells of test/conformance.

let dir: string;
let stateDir: string;
let journal: string;
let trajectory: string;
let serving: StdioServe;

const base = {
  tools: { deny: ["desk_secret"] },
  mcp: { servers: { shop: testServer("plain") } },
};

async function start(codeMode: boolean, args: readonly string[] = []): Promise<StdioServe> {
  return serveStdio({
    cwd: dir,
    stateDir,
    env: { DESK_JOURNAL: journal },
    config: { ...base, tools: { ...base.tools, codeMode: { enabled: codeMode } } },
    args: ["--plugin", join(dir, "desk"), ...args],
  });
}

const journalHas = (line: string): boolean => readFileSync(journal, "utf8").split("\n").includes(line);

beforeAll(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "openclaw-plan-")));
  stateDir = dir;
  journal = join(dir, "journal");
  trajectory = join(dir, "trajectory.jsonl");
  writeFileSync(journal, "");
  writeDesk(join(dir, "desk"));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("Code Mode off", () => {
  beforeAll(async () => {
    serving = await start(false);
  });
  afterAll(() => serving.close());

  test("steps 1 and 2: a turn with Code Mode off calls its tools directly", async () => {
    const answer = await serving.call("desk_add", { a: 2, b: 3 });
    expect(answer.structuredContent).toEqual({ sum: 5 });
    const ping = await serving.call("shop__ping", {});
    expect(ping.content).toEqual([{ type: "text", text: "pong" }]);
  });

  test("step 3: the visible tools are the tools themselves, without exec and wait", async () => {
    const names = (await serving.tools()).map(({ name }) => name);
    expect(names).toEqual([
      "desk_add",
      "desk_slow",
      "desk_photo",
      "desk_fail",
      "desk_note",
      "shop__ping",
      "shop__pid",
      "shop__env",
    ]);
    await expect(serving.call("exec", { code: "return 1;" })).rejects.toThrow(/unknown tool exec/);
    expect(await serving.call("desk_add", { a: "x" })).toMatchObject({ isError: true });
  });
});

describe("Code Mode on", () => {
  beforeAll(async () => {
    const limits = ["timeoutMs=1500", "snapshotTtlSeconds=2"].flatMap((limit) => ["--limit", limit]);
    serving = await start(true, [...limits, "--trajectory", trajectory]);
  });
  afterAll(() => serving.close());

  test("steps 4 to 6: after a restart the model sees exec, wait and the direct-only tool", async () => {
    const tools = await serving.tools();
    expect(tools.map(({ name }) => name)).toEqual(["exec", "wait", "desk_photo"]);
    expect(tools[0]?.inputSchema.properties.language).toMatchObject({
      type: "string",
      enum: ["javascript", "typescript"],
    });
    expect(tools[0]?.description).toContain("- desk_add { a: number; b: number } -> { sum: number }");
    expect(tools[0]?.description).not.toContain("desk_secret");
    const photo = await serving.call("desk_photo", {});
    expect(photo.content).toEqual([{ type: "image", data: "aGk=", mimeType: "image/png" }]);
    const telemetry = (await serving.exec("return 1;")).telemetry;
    expect(telemetry.visibleTools).toEqual(["exec", "wait", "desk_photo"]);
  });

  test("step 7: ALL_TOOLS holds what policy left and nothing that is direct-only", async () => {
    const ids = await serving.value("return ALL_TOOLS.map(({ id }) => id);");
    expect(ids).toEqual(
      ["desk_add", "desk_fail", "desk_note", "desk_slow"].map((name) => `openclaw:desk:${name}`),
    );
  });

  test("step 8: search, describe, callValue and call reach a plugin's tool", async () => {
    const value = await serving.value(`
      const [found] = await tools.search("add two numbers");
      const described = await tools.describe(found.id);
      const input = { a: 1, b: 2 };
      return [found.id, described.parameters.required, await tools.callValue(found.id, input),
        (await tools.call(found.id, input)).result.details, await desk_add(input)];`);
    const sum = { sum: 3 };
    expect(value).toEqual(["openclaw:desk:desk_add", ["a", "b"], sum, sum, sum]);
  });

  test("step 9: API files describe the MCP tools without a call", async () => {
    const { value, telemetry } = await serving.exec(
      'const { files } = await API.list("mcp"); const file = await API.read("mcp/shop.d.ts"); return [files.map((f) => f.path), file.content];',
    );
    expect(value[0]).toContain("mcp/shop.d.ts");
    expect(value[1]).toMatch(/ping\(/);
    expect(telemetry.visibleTools).not.toContain("shop__ping");
  });

  test("step 10: MCP tools answer through their namespace and are no entries of tools", async () => {
    const value = await serving.value(`
      const pong = await MCP.shop.ping({});
      const direct = await tools.call("mcp:shop:ping", {}).catch((error) => error.code);
      return [pong.content[0].text, ALL_TOOLS.some(({ name }) => name.includes("ping")),
        Object.keys(tools).some((name) => name.includes("ping")), direct];`);
    expect(value).toEqual(["pong", false, false, "invalid_input"]);
  });

  test("step 11: a denied tool is absent and cannot be called by a guessed id", async () => {
    const value = await serving.value(`
      const refused = (promise) => promise.then(() => "ran", (error) => error.code ?? error.name);
      return [typeof desk_secret, ALL_TOOLS.some(({ name }) => name === "desk_secret"),
        await refused(tools.call("openclaw:desk:desk_secret", {})), await refused(tools.callValue("desk_secret", {}))];`);
    expect(value).toEqual(["undefined", false, "invalid_input", "invalid_input"]);
    expect(journalHas("secret")).toBe(false);
  });

  test("steps 12 to 14: a call that outlives its exec is delivered into the restored VM by wait", async () => {
    const waiting = await serving.exec(`
      const before = { kept: [1, 2, 3] };
      text("before");
      const slow = await desk_slow({ ms: 2500 });
      text("after " + before.kept.length);
      return { slow, kept: before.kept };`);
    expect(waiting).toMatchObject({ status: "waiting", reason: "pending_tools" });
    expect(waiting.pendingToolCalls).toHaveLength(1);
    let result = await serving.wait(waiting.runId);
    for (let legs = 0; result.status === "waiting" && legs < 5; legs += 1) {
      result = await serving.wait(waiting.runId);
    }
    expect(result).toMatchObject({
      status: "completed",
      value: { slow: { waited: 2500 }, kept: [1, 2, 3] },
    });
    expect(JSON.stringify(result.output)).toContain("after 3");
  });

  test("step 15: timeout, abort and expiry leave nothing behind", async () => {
    expect(await serving.exec("while (true) {}")).toMatchObject({ status: "failed", code: "timeout" });

    const controller = new AbortController();
    writeFileSync(journal, "");
    const cancelled = serving.exec("return await desk_slow({ ms: 60000 });", { signal: controller.signal });
    await until("the tool runs", () => journalHas("slow"));
    controller.abort();
    await expect(cancelled).rejects.toThrow();
    await until("the tool hears of the cancellation", () => journalHas("aborted"));

    writeFileSync(journal, "");
    const { runId } = await serving.exec("await yield_control(); return await desk_slow({ ms: 1 });");
    await new Promise((resolve) => setTimeout(resolve, 2_300));
    const expired = await serving.wait(runId);
    expect(expired).toMatchObject({ status: "failed", code: "invalid_input", failurePhase: "input" });
    expect(expired.error).toMatch(/unavailable or expired/);
    expect(await serving.wait("cm_unknown")).toMatchObject({ status: "failed", code: "invalid_input" });
    expect(await serving.value("return 1 + 1;")).toBe(2);
  });

  test("step 16: the trajectory shows nested calls under the exec that made them", async () => {
    await serving.value("return await Promise.all([desk_add({ a: 1, b: 1 }), MCP.shop.ping({})]);");
    const lines = readFileSync(trajectory, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const outer = lines.at(-1);
    expect(outer).toMatchObject({ tool: "exec", result: { status: "completed" } });
    const nested = lines.filter(({ parentToolCallId }) => parentToolCallId === outer.toolCallId);
    expect(nested.map(({ tool }) => tool).sort()).toEqual(["desk_add", "shop__ping"]);
    expect(nested.find(({ tool }) => tool === "desk_add")).toMatchObject({
      input: { a: 1, b: 1 },
      result: { sum: 2 },
    });
    const outerIds = new Set(
      lines.filter((line) => !("parentToolCallId" in line)).map((line) => line.toolCallId),
    );
    const orphans = lines.filter(
      (line) => "parentToolCallId" in line && !outerIds.has(line.parentToolCallId),
    );
    // The cancelled cell's call is under an exec whose answer nobody waited for; it is recorded all the same.
    expect(orphans).toEqual([]);
  });

  test("stdout carried the protocol alone, stderr what the plugin printed", () => {
    expect(serving.stderr()).toContain("desk_add runs");
    expect(serving.stderr()).not.toContain("jsonrpc");
  });
});
