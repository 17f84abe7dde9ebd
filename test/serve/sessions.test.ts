import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { full } from "../support/full.js";
import { type HttpServe, type ModelClient, serveHttp, until, writeConfig } from "../support/serve.js";
import { writeDesk } from "../support/serve-plugin.js";

let dir: string;
let server: HttpServe;

beforeAll(async () => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "openclaw-sessions-")));
  writeDesk(join(dir, "desk"));
  server = await serveHttp({
    cwd: dir,
    stateDir: dir,
    config: { tools: { deny: ["desk_secret"] } },
    args: ["--plugin", "./desk", "--limit", "timeoutMs=30000"],
  });
});

afterAll(async () => {
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
});

test("a run that waits is resumed by its own connection only", async () => {
  const [one, other] = await Promise.all([server.connect(), server.connect()]);
  const { runId } = await one.exec("await yield_control(); return 'mine';");
  const foreign = await other.wait(runId);
  expect(foreign).toMatchObject({ status: "failed", code: "invalid_input" });
  expect(foreign.error).toMatch(/different session/);
  expect(await one.wait(` ${runId} `)).toMatchObject({ status: "completed", value: "mine" });
  expect((await one.wait(runId)).error).toMatch(/unavailable/);
});

test("saved results and stored values stay within their connection", async () => {
  const [one, other] = await Promise.all([server.connect(), server.connect()]);
  const id = await one.value("store('key', 'mine'); return (await results.save({ a: 1 })).id;");
  const read = `return [await results.load(${JSON.stringify(id)}).catch((error) => error.code), (await load('key')) ?? null];`;
  expect(await one.value(read)).toEqual([{ a: 1 }, "mine"]);
  expect(await other.value(read)).toEqual(["invalid_input", null]);
});

test("a connection that is gone takes its runs with it", async () => {
  const [one, other] = await Promise.all([server.connect(), server.connect()]);
  const { runId } = await one.exec("await yield_control(); return 1;");
  await (one.client.transport as unknown as { terminateSession(): Promise<void> }).terminateSession();
  await until("the run is dropped", async () => /unavailable/.test((await other.wait(runId)).error));
});

test("progress tells of the calls of one's own cell", async () => {
  const [one, other] = await Promise.all([server.connect(), server.connect()]);
  const heard: Record<string, string[]> = { one: [], other: [] };
  const listen = (name: "one" | "other") => ({
    onprogress: ({ message }: { message?: string | undefined }) => void heard[name]!.push(message ?? ""),
  });
  await Promise.all([
    one.exec("await desk_slow({ ms: 20 }); return await desk_add({ a: 1, b: 2 });", listen("one")),
    other.exec("return await desk_note({ text: 'x' });", listen("other")),
  ]);
  expect(heard.one![0]).toMatch(/^desk_slow: /);
  expect(heard.one!.slice(1).map((line) => line.replace(/\d+/, "n"))).toEqual([
    "desk_slow finished after n ms",
    "desk_add finished after n ms",
  ]);
  expect(heard.other!.map((line) => line.split(" ")[0])).toEqual(["desk_note"]);
});

const cells = full ? 200 : 24;

test(`${cells} concurrent cells over 8 sessions finish with the right results`, async () => {
  const clients = await Promise.all(Array.from({ length: 8 }, () => server.connect()));
  const one = async (n: number): Promise<number> => {
    const client = clients[n % clients.length] as ModelClient;
    const kind = n % 4;
    if (kind === 0) {
      expect(await client.value(`return (await desk_add({ a: ${n}, b: ${n} })).sum;`)).toBe(2 * n);
    } else if (kind === 1) {
      const code = `const all = await Promise.all([1, 2, 3].map((b) => desk_add({ a: ${n}, b }))); return all.map(({ sum }) => sum);`;
      expect(await client.value(code)).toEqual([n + 1, n + 2, n + 3]);
    } else if (kind === 2) {
      const result = await client.exec(`throw new Error("cell ${n}");`);
      expect(result).toMatchObject({ status: "failed", code: "internal_error" });
      expect(result.error).toContain(`cell ${n}`);
    } else {
      const waiting = await client.exec(`text("${n}"); await yield_control(); return ${n};`);
      expect(waiting.status).toBe("waiting");
      expect(await client.wait(waiting.runId)).toMatchObject({ status: "completed", value: n });
    }
    return n;
  };
  const done = await Promise.all(Array.from({ length: cells }, (_, n) => one(n)));
  expect(done).toEqual(Array.from({ length: cells }, (_, n) => n));
}, 180_000);

test("tools change for new cells; a run that waits keeps those it began with", async () => {
  const [one, other] = await Promise.all([server.connect(), server.connect()]);
  let changes = 0;
  const types = await import("@modelcontextprotocol/sdk/types.js");
  one.client.setNotificationHandler(types.ToolListChangedNotificationSchema, () => {
    changes += 1;
  });
  const saved = await one.value("store('kept', 7); return (await results.save([1])).id;");
  const { runId } = await one.exec(
    "await yield_control(); return (await desk_note({ text: 'still' })).text;",
  );
  writeConfig(dir, { tools: { deny: ["desk_secret", "desk_note"] } });
  await until("the client hears of other tools", () => changes > 0);
  const described = (await other.tools()).map(({ description }) => description).join();
  expect(described).not.toContain("desk_note");
  expect(await other.value("return typeof desk_note;")).toBe("undefined");
  expect(await one.value("return typeof desk_note;")).toBe("undefined");
  expect(await one.wait(runId)).toMatchObject({ status: "completed", value: "still" });
  // What cells keep outlives a change of the tools.
  const kept = `return [await load('kept'), await results.load(${JSON.stringify(saved)})];`;
  expect(await one.value(kept)).toEqual([7, [1]]);
  const before = changes;
  writeFileSync(join(dir, "openclaw.json"), "{ not json");
  await until("the broken file is told of", () => /kept the tools as they were/.test(server.stderr()));
  expect(await one.value("return typeof desk_add;")).toBe("function");
  expect(changes).toBe(before);
  writeConfig(dir, { tools: { deny: ["desk_secret"] } });
  await until("the tools are back", () => changes > before);
});
