import { describe, expect, it } from "vitest";
import { driveCell } from "../../src/runtime/drive.js";
import type { TruncationMarker } from "../../src/runtime/types.js";
import { pluginSession } from "./plugin-session.js";

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

function expectMarker(marker: unknown, source: string): void {
  const { truncated, prefix, omittedBytes, guidance } = marker as TruncationMarker;
  expect(truncated).toBe(true);
  expect(guidance).not.toBe("");
  expect(prefix).not.toBe("");
  expect(source.startsWith(prefix)).toBe(true);
  expect(Buffer.from(prefix).toString()).toBe(prefix);
  expect(Buffer.byteLength(prefix) + omittedBytes).toBe(Buffer.byteLength(source));
}

describe("cell-14 truncated output", () => {
  const limits = { maxOutputBytes: 4096 };

  it("cell-14 keeps a full prefix of text that doubles under escaping", async () => {
    const session = await pluginSession("", limits);
    const result = await session.exec({ code: 'return "Regex: " + "\\\\".repeat(6000);' });
    if (result.status !== "completed") throw new Error(JSON.stringify(result));
    const { prefix } = result.value as TruncationMarker;
    expect(prefix.startsWith('"Regex: \\\\')).toBe(true);
    expect((/\\*$/.exec(prefix)![0].length ?? 1) % 2).toBe(0);
    expectMarker(result.value, JSON.stringify(`Regex: ${"\\".repeat(6000)}`));
    expect(bytes(result.value)).toBeLessThanOrEqual(4096);
    expect(bytes(result.value)).toBeGreaterThan(4000);
  });

  it("cell-14 never cuts an emoji in half", async () => {
    const session = await pluginSession("", limits);
    const result = await session.exec({
      code: 'text("x".repeat(4000) + "\\u{1F680}".repeat(200)); return true;',
    });
    if (result.status !== "completed") throw new Error(JSON.stringify(result));
    expect(result.value).toBe(true);
    const text = "x".repeat(4000) + "\u{1F680}".repeat(200);
    expectMarker(result.output[0], JSON.stringify([{ type: "text", text }]));
  });

  it("cell-14 counts the original over all waits, under one budget, and saves an oversized object whole", async () => {
    const session = await pluginSession("", limits);
    const code = `for (let i = 0; i < 50; i++) text("line " + i + " " + "y".repeat(200));
await yield_control("pause"); text("after"); return { rows: Array.from({ length: 5000 }, (_, i) => i) };`;
    const result = await driveCell(session, { code }, { deadlineMs: 30_000 });
    if (result.status !== "completed") throw new Error(JSON.stringify(result));
    const lines = Array.from({ length: 50 }, (_, i) => ({
      type: "text",
      text: `line ${i} ${"y".repeat(200)}`,
    }));
    expect(result.output).toHaveLength(1);
    expectMarker(result.output[0], JSON.stringify([...lines, { type: "text", text: "after" }]));
    expect(bytes(result.output) + bytes(result.value)).toBeLessThanOrEqual(4096);
    const saved = result.value as { reference: { id: string } };
    const again = await session.exec({
      code: `const { rows } = await results.load(${JSON.stringify(saved.reference.id)}); return [rows.length, rows[4999]];`,
    });
    expect(again).toMatchObject({ status: "completed", value: [5000, 4999] });
  });
});

describe("cell-17 handles at any depth", () => {
  it("cell-17 print their metadata wherever they occur, twice as well", async () => {
    const session = await pluginSession(`
      tool({ name: "orders_get", description: "Get an order.", parameters: Type.Object({}), execute: () => 1 }),
      tool({ name: "stock_take", description: "Count the stock.", parameters: Type.Object({}), execute: () => 1 }),
    `);
    const result = await session.exec({
      code: `const [a, b] = await Promise.all([catalog.search("order"), catalog.search("stock")]);
const shared = a[0];
return { flat: a, nested: { deep: [[b[0]]] }, same: [shared, shared], mixed: [1, shared, null], fn: orders_get };`,
    });
    const order = expect.objectContaining({ callableName: "orders_get", toolName: "orders_get" });
    const stock = expect.objectContaining({ callableName: "stock_take", toolName: "stock_take" });
    expect(result).toMatchObject({
      status: "completed",
      value: {
        flat: expect.arrayContaining([order]),
        nested: { deep: [[stock]] },
        same: [order, order],
        mixed: [1, order, null],
        fn: order,
      },
    });
  });
});

describe("cell-18 results.save and store", () => {
  it("cell-18 refuse what JSON cannot hold, keep nothing of it, and name wrong ids", async () => {
    const session = await pluginSession("");
    const result = await session.exec({
      code: `const out = {};
for (const [k, v] of Object.entries({ big: 10n, fn: () => 1, undef: undefined, sym: Symbol("s") })) {
  try { out[k] = await results.save(v); } catch (e) { out[k] = "threw " + e.name; }
}
const loop = {}; loop.self = loop;
try { await results.save(loop); out.loop = "saved"; } catch (e) { out.loop = "threw " + e.name; }
try { await results.save({ toJSON() { throw new Error("hook"); } }); out.hook = "saved"; } catch (e) { out.hook = "threw " + e.message; }
const ref = await results.save({ rows: Array.from({ length: 3 }, (_, i) => ({ i })) });
out.back = (await results.load(ref.id ?? ref.reference?.id)).rows.length;
try { await results.load("nope"); out.nope = "loaded"; } catch (e) { out.nope = "threw " + e.message; }
await store("k", 1); await store("k", undefined); out.k = (await load("k")) ?? "deleted";
const copy = await results.load(ref.id); copy.rows.length = 0;
out.again = (await results.load(ref.id)).rows.length;
return out;`,
    });
    expect(result).toMatchObject({
      status: "completed",
      value: {
        big: "threw TypeError",
        fn: expect.stringMatching(/^threw /),
        undef: expect.stringMatching(/^threw /),
        sym: expect.stringMatching(/^threw /),
        loop: "threw TypeError",
        hook: "threw hook",
        back: 3,
        nope: expect.stringMatching(/^threw .*nope/),
        k: "deleted",
        again: 3,
      },
    });
  });
});
