import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSavedResults } from "../../../src/runtime/bridge/saved-results.js";
import { desk } from "./harness.js";

const MiB = 1024 * 1024;
const shelf = () => createSavedResults({ maxBytes: 10 * MiB });
const save = (value: unknown) => shelf().save(JSON.stringify(value));

describe("results.save", () => {
  it("describes a small value whole", () => {
    expect(save({ a: 1 })).toEqual({
      id: expect.stringMatching(/^result_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      bytes: 7,
      count: 1,
      shape: '{"a":number}',
      preview: '{"a":1}',
      previewTruncated: false,
    });
    expect(Object.keys(save(1))).toEqual(["id", "bytes", "count", "shape", "preview", "previewTruncated"]);
    expect(save("hé😀")).toMatchObject({ bytes: 9, count: 1, shape: "string", preview: '"hé😀"' });
    expect(save([1, 2, 3])).toMatchObject({ bytes: 7, count: 3, preview: "[1,2,3]" });
    expect(save([])).toMatchObject({ count: 0, shape: "[]" });
  });

  it("samples a large one: scalars, and first, middle and last of the longest arrays", () => {
    const items = Array.from({ length: 120 }, (_, id) => ({
      id,
      tags: ["x", "y"],
      title: `Title number ${id}`,
    }));
    const reference = save({ total: 120, page: 1, ok: true, cursor: "abc", items });
    expect(reference).toMatchObject({ bytes: 6437, count: 5, previewTruncated: true });
    expect(reference.shape).toContain("$.items: 120 items, sampled 3/120: ");
    expect(reference.preview).toContain('"fields":{"total":120,"page":1,"ok":true,"cursor":"abc"}');
    expect(reference.preview).toContain('"path":"$.items","count":120');
  });

  it("says when items differ, and where", () => {
    const list = Array.from({ length: 90 }, (_, i) =>
      i === 45 ? { special: true } : i === 89 ? "last" : { id: i, pad: "ppppppp" },
    );
    const { shape } = save({ "odd key": list });
    expect(shape).toContain(
      '$["odd key"]: 90 items, sampled 3/90 heterogeneous: {"id":number,"pad":string} | {"special":boolean} | string',
    );
  });

  it("orders arrays by length, then path, eight at most, and admits what it did not look at", () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`l${i}`, Array(i + 1).fill(0)]));
    const { shape } = save({ ...many, pad: "p".repeat(300) });
    expect(shape).toMatch(/^\$\.l11: 12 items.*; \$\.l10: 11 items/);
    const wide = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, i]));
    expect(save(wide).shape).toMatch(/^limited traversal; \{"k0":number.*…\}$/);
  });

  it("stays within its bounds for any value, and its preview is whole or a beginning", () => {
    const wild = fc.oneof(
      fc.jsonValue({ maxDepth: 6 }),
      fc.array(fc.dictionary(fc.string({ maxLength: 60 }), fc.string({ unit: "binary", maxLength: 200 })), {
        maxLength: 60,
      }),
      fc.dictionary(fc.string({ unit: "binary", maxLength: 300 }), fc.array(fc.nat(), { maxLength: 80 })),
      fc.string({ unit: "binary", minLength: 200, maxLength: 3000 }),
    );
    fc.assert(
      fc.property(wild, (value) => {
        const json = JSON.stringify(value);
        const reference = shelf().save(json);
        expect(Buffer.byteLength(JSON.stringify(reference))).toBeLessThanOrEqual(768);
        expect(reference.bytes).toBe(Buffer.byteLength(json));
        expect(Buffer.from(reference.preview).toString()).toBe(reference.preview);
        if (!reference.previewTruncated) expect(reference.preview).toBe(json);
      }),
      { seed: 3, numRuns: 300 },
    );
  });

  it("describes a deep, a wide and a long value quickly", () => {
    let deep: unknown = 1;
    for (let n = 0; n < 3000; n++) deep = [deep];
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key${i}`, [i]]));
    const started = performance.now();
    for (const value of [deep, wide, Array(50_000).fill({ a: 1 }), { ["k".repeat(MiB)]: 1 }]) save(value);
    expect(performance.now() - started).toBeLessThan(1_500);
  });
});

describe("saved results", () => {
  it("are loaded as fresh copies by every cell of the session until they are deleted", async () => {
    const one = desk([]);
    const { id } = await one.value("results.save", { list: [1] });
    const two = desk([], { session: one.session });
    (await two.value("results.load", id)).list.push(2);
    expect(await one.value("results.load", id)).toEqual({ list: [1] });
    expect(await two.value("results.delete", id)).toBe(true);
    expect(await one.failure("results.load", id)).toMatchObject({ code: "invalid_input" });
    expect((await one.failure("results.load", id)).message).toContain(id);
  });

  it("take any JSON value and give it back unchanged", async () => {
    const { value, ask } = desk([]);
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (data) => {
        const { id } = await value("results.save", data);
        expect(await ask("results.load", id)).toEqual({ ok: true, json: JSON.stringify(data) });
        await value("results.delete", id);
      }),
      { seed: 5, numRuns: 100 },
    );
  });

  it.each([["nope"], [""], [5], [null], [{ id: "x" }]])("are not found by %j", async (id) => {
    const { failure } = desk([]);
    for (const method of ["results.load", "results.delete"]) {
      expect(await failure(method, id)).toMatchObject({ code: "invalid_input", effectStatus: "unknown" });
    }
  });

  it("are at most 64, and the 65th pushes nothing out", async () => {
    const { value, failure } = desk([]);
    const ids: string[] = [];
    for (let n = 0; n < 64; n++) ids.push((await value("results.save", n)).id);
    expect(await failure("results.save", 64)).toMatchObject({ code: "invalid_input" });
    expect(await value("results.load", ids[0])).toBe(0);
    await value("results.delete", ids[0]);
    expect(await value("results.save", 64)).toHaveProperty("id");
  });

  it("share the smaller of the memory and snapshot limits", async () => {
    const { value, failure } = desk([], { limits: { maxSnapshotBytes: MiB } });
    const first = await value("results.save", "x".repeat(700_000));
    expect(first.bytes).toBe(700_002);
    const over = await failure("results.save", "y".repeat(700_000));
    expect(over).toMatchObject({ code: "invalid_input" });
    expect(over.message).toContain("700002");
    expect(await value("results.load", first.id)).toHaveLength(700_000);
    await value("results.delete", first.id);
    await value("results.save", "y".repeat(700_000));
  });

  it("end with the session", () => {
    const { session } = desk([]);
    const { id } = session.results.save("[1]");
    session.results.release(id);
    session.results.release(id);
    session.results.save("[1]");
    session.close();
    expect(() => session.results.release(id)).not.toThrow();
  });
});
