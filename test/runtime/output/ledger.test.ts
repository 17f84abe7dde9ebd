import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ResultReference } from "../../../src/runtime/bridge/types.js";
import { createOutputLedger, type ValueSaver } from "../../../src/runtime/output/ledger.js";
import { GUIDANCE } from "../../../src/runtime/output/marker.js";
import { mergeLegs } from "../../../src/runtime/output/merge.js";
import type { CellOutput, TruncationMarker } from "../../../src/runtime/types.js";

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value), "utf8");
const outputBytes = (output: unknown[]): number => (output.length === 0 ? 0 : bytes(output));
const text = (content: string): string => JSON.stringify({ type: "text", text: content });

function isMarker(value: unknown): value is TruncationMarker {
  return typeof value === "object" && value !== null && "prefix" in value && "omittedBytes" in value;
}

/** Everything a marker promises about the text it stands for, within `room` bytes. */
function expectMarkerOf(marker: unknown, source: string, room: number): void {
  expect(Object.keys(marker as object)).toEqual(["truncated", "omittedBytes", "guidance", "prefix"]);
  const { prefix, omittedBytes } = marker as TruncationMarker;
  expect(source.startsWith(prefix)).toBe(true);
  expect(Buffer.from(prefix).toString()).toBe(prefix); // no half of a surrogate pair
  expect(prefix.length).toBeLessThan(source.length);
  expect(Buffer.byteLength(prefix) + omittedBytes).toBe(Buffer.byteLength(source));
  expect(bytes(marker)).toBeLessThanOrEqual(room);
  expect(bytes(marker)).toBeGreaterThanOrEqual(room * 0.8);
  // A prefix of JSON never ends inside an escape: the backslashes at its end come in pairs, and no \u is cut.
  expect(/\\u[0-9a-f]{0,3}$/.test(prefix.replace(/\\\\/g, ""))).toBe(false);
  expect(/\\*$/.exec(prefix)![0].length % 2 === 0).toBe(true);
}

const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 600 }) },
  {
    weight: 1,
    arbitrary: fc.string({
      unit: fc.constantFrom('"', "\\", "\n", "\u0001", "😀", "é", "\ud800", "a"),
      maxLength: 600,
    }),
  },
);
const anyEntry: fc.Arbitrary<CellOutput> = fc.oneof(
  anyText.map((content) => ({ type: "text" as const, text: content })),
  fc.jsonValue({ maxDepth: 3 }).map((value) => ({ type: "json" as const, value })),
);

describe("output ledger", () => {
  it("delivers entries as they were and a value that fits", () => {
    const ledger = createOutputLedger({ maxBytes: 1024 });
    ledger.append([text("one"), '{"type":"json","value":{"__proto__":1}}']);
    const { output, value } = ledger.completed('{"ok":true}');
    expect(JSON.stringify(output)).toBe(
      '[{"type":"text","text":"one"},{"type":"json","value":{"__proto__":1}}]',
    );
    expect(value).toEqual({ ok: true });
  });

  it("costs nothing for an empty output: 1022 characters fit 1024 exactly, 1023 do not", () => {
    expect(
      createOutputLedger({ maxBytes: 1024 }).completed(JSON.stringify("s".repeat(1022))).value,
    ).toHaveLength(1022);
    const over = createOutputLedger({ maxBytes: 1024 }).completed(JSON.stringify("s".repeat(1023))).value;
    expectMarkerOf(over, JSON.stringify("s".repeat(1023)), 1024);
  });

  it("never splits an escape or an emoji", () => {
    for (const piece of ["\\", '"\n', "\u{1F680}", "\ud800", "\u0001"]) {
      const source = JSON.stringify(piece.repeat(3000));
      expectMarkerOf(createOutputLedger({ maxBytes: 1024 }).completed(source).value, source, 1024);
    }
  });

  it("delivers each leg's new entries only, then one summary of all, never the same one twice", () => {
    const ledger = createOutputLedger({ maxBytes: 1024 });
    ledger.append([text("a".repeat(600))]);
    expect(ledger.waiting().output).toEqual([{ type: "text", text: "a".repeat(600) }]);
    expect(ledger.waiting().output).toEqual([]);
    ledger.append([text("b".repeat(600))]);
    const whole = `[${text("a".repeat(600))},${text("b".repeat(600))}]`;
    const [summary] = ledger.waiting().output;
    expectMarkerOf(summary, whole, 1022);
    expect(ledger.waiting().output).toEqual([]);
    const last = ledger.completed('"end"');
    expect(last.value).toBe("end");
    // The value now takes 5 bytes of the budget, so the summary is shorter and comes again.
    expectMarkerOf(last.output[0], whole, 1024 - 5 - 2);
  });

  it("cuts an error to what output leaves it, and says so", () => {
    const alone = createOutputLedger({ maxBytes: 1024 }).failed(`Error: ${"m".repeat(5000)}`);
    expect(alone.error).toHaveLength(1022);
    expect(alone.error.endsWith(" [error truncated]")).toBe(true);
    const ledger = createOutputLedger({ maxBytes: 1024 });
    ledger.append([text("a".repeat(3000))]);
    const both = ledger.failed(`Error: ${"m".repeat(5000)}`);
    expect(bytes(both.error)).toBe(512);
    expectMarkerOf(both.output[0], `[${text("a".repeat(3000))}]`, 510);
  });

  it("keeps a bounded part of a flood", () => {
    const ledger = createOutputLedger({ maxBytes: 1024 });
    const before = process.memoryUsage().heapUsed;
    let size = 2;
    for (let n = 0; n < 2000; n++) {
      const entry = text(`${n}`.repeat(2000));
      ledger.append([entry]);
      size += entry.length + (n === 0 ? 0 : 1);
    }
    expect(ledger.totalBytes).toBe(size);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 * 1024);
    expect((ledger.waiting().output[0] as TruncationMarker).omittedBytes).toBeGreaterThan(size - 1024);
  });

  it("is exact for random programs of legs", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1024, max: 3000 }),
        fc.array(fc.array(anyEntry, { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
        fc.oneof(fc.jsonValue(), anyText, fc.array(anyText, { maxLength: 8 })),
        fc.option(anyText.map((message) => `Error: ${message}`)),
        (maxBytes, legs, value, error) => {
          const ledger = createOutputLedger({ maxBytes });
          const delivered: CellOutput[][] = [];
          const all: CellOutput[] = [];
          legs.forEach((entries, n) => {
            ledger.append(entries.map((entry) => JSON.stringify(entry)));
            all.push(...entries);
            if (n < legs.length - 1) delivered.push(ledger.waiting().output);
          });
          const whole = JSON.stringify(all);
          expect(ledger.totalBytes).toBe(all.length === 0 ? 0 : Buffer.byteLength(whole));
          const source = JSON.stringify(value);
          const end = error === null ? ledger.completed(source) : ledger.failed(error);
          delivered.push(end.output);
          const merged = mergeLegs(delivered);
          const other = "error" in end ? end.error : end.value;
          expect(outputBytes(merged) + bytes(other)).toBeLessThanOrEqual(maxBytes);
          if (merged.length === 1 && isMarker(merged[0])) {
            expect(outputBytes(all)).toBeGreaterThan(maxBytes - bytes(other));
            expect((merged[0] as TruncationMarker).guidance).toBe(GUIDANCE.output);
            const taken =
              error === null ? Math.min(Buffer.byteLength(source), Math.floor(maxBytes / 2)) : bytes(other);
            expectMarkerOf(merged[0], whole, maxBytes - taken - 2);
          } else expect(JSON.stringify(merged)).toBe(whole);
          if ("error" in end) {
            if (end.error !== error) expect(end.error.endsWith(" [error truncated]")).toBe(true);
          } else if (isMarker(end.value)) expectMarkerOf(end.value, source, maxBytes - outputBytes(merged));
          else expect(JSON.stringify(end.value)).toBe(source);
        },
      ),
      { seed: 20261130, numRuns: 400 },
    );
  });
});

describe("saved values", () => {
  const reference: ResultReference = {
    id: "result_00000000-0000-4000-8000-000000000000",
    bytes: 4000,
    count: 3,
    shape: "$: 3 items, é".repeat(12),
    preview: '{"a":"b"}'.repeat(30),
    previewTruncated: true,
  };
  const json = JSON.stringify([1, 2, "x".repeat(4000)]);
  function saver(): ValueSaver & { released: string[]; saved: string[] } {
    const released: string[] = [];
    const saved: string[] = [];
    return {
      released,
      saved,
      save: (text) => {
        saved.push(text);
        return reference;
      },
      release: (id) => released.push(id),
    };
  }

  it("replaces an oversized object or array by its reference, a string by a marker", () => {
    const keeper = saver();
    const { value } = createOutputLedger({ maxBytes: 1024 }).completed(json, keeper);
    expect(value).toEqual({ truncated: true, reference, guidance: GUIDANCE.saved });
    expect(keeper.saved).toEqual([json]);
    const string = createOutputLedger({ maxBytes: 1024 }).completed(JSON.stringify("x".repeat(4000)), keeper);
    expect(isMarker(string.value)).toBe(true);
    expect(keeper.saved).toHaveLength(1);
  });

  it("shortens shape and preview, never the identity, when output takes the room", () => {
    const ledger = createOutputLedger({ maxBytes: 1024 });
    ledger.append([text("t".repeat(3000))]);
    const { output, value } = ledger.completed(json, saver());
    const kept = value as { reference: ResultReference };
    expect(kept.reference).toMatchObject({ id: reference.id, bytes: 4000, count: 3, previewTruncated: true });
    expect(reference.preview.startsWith(kept.reference.preview)).toBe(true);
    expect(outputBytes(output) + bytes(value)).toBeLessThanOrEqual(1024);
    expect(outputBytes(output) + bytes(value)).toBeGreaterThan(1000);
  });

  it("releases what it cannot name and explains, and survives a full store", () => {
    const keeper = saver();
    const ledger = createOutputLedger({ maxBytes: 300 });
    ledger.append([text("t".repeat(100))]);
    const { value } = ledger.completed(json, keeper);
    expect(keeper.released).toEqual([reference.id]);
    expect((value as TruncationMarker).guidance).toBe(GUIDANCE.unsaved);
    const full = createOutputLedger({ maxBytes: 1024 }).completed(json, {
      save: () => {
        throw new Error("full");
      },
      release: () => {},
    });
    expect((full.value as TruncationMarker).guidance).toBe(GUIDANCE.unsaved);
    expectMarkerOf(full.value, json, 1024);
  });
});

describe("mergeLegs", () => {
  it("keeps order and lets a marker stand for everything before it", () => {
    const marker: TruncationMarker = { truncated: true, omittedBytes: 9, guidance: "g", prefix: "[" };
    const one: CellOutput = { type: "text", text: "1" };
    const two: CellOutput = { type: "json", value: { truncated: true } };
    expect(mergeLegs([[one], [], [two]])).toEqual([one, two]);
    expect(mergeLegs([[one], [two], [marker], []])).toEqual([marker]);
    expect(mergeLegs([])).toEqual([]);
  });
});
