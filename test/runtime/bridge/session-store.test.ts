import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileSessionStore, sessionFile } from "../../../src/runtime/bridge/file-session-store.js";
import { tempDir } from "../../support/temp.js";
import { desk } from "./harness.js";

const KiB = 1024;

describe("store and load", () => {
  it("see their own writes at once, others only after the cell has completed", async () => {
    const writer = desk([]);
    await writer.value("store.set", "k", { list: [1] });
    expect(await writer.value("store.get", "k")).toEqual([{ list: [1] }]);
    const early = desk([], { session: writer.session });
    expect(await early.value("store.get", "k")).toEqual([]);
    await writer.cell.commit();
    const late = desk([], { session: writer.session });
    (await late.value("store.get", "k"))[0].list.push(2);
    expect(await late.value("store.get", "k")).toEqual([{ list: [1] }]);
    // A cell keeps the view it first had.
    expect(await early.value("store.get", "k")).toEqual([]);
  });

  it("drop the writes of a failed cell", async () => {
    const first = desk([]);
    await first.value("store.set", "k", "old");
    await first.cell.commit();
    const failing = desk([], { session: first.session });
    await failing.value("store.set", "k", "new");
    failing.cell.discard();
    await failing.cell.commit();
    expect(await desk([], { session: first.session }).value("store.get", "k")).toEqual(["old"]);
  });

  it("delete, and tell nothing stored from null stored", async () => {
    const { value, cell, session } = desk([]);
    expect(await value("store.get", "k")).toEqual([]);
    await value("store.set", "k", null);
    expect(await value("store.get", "k")).toEqual([null]);
    await cell.commit();
    const next = desk([], { session });
    await next.value("store.delete", "k");
    expect(await next.value("store.get", "k")).toEqual([]);
    await next.cell.commit();
    expect(await desk([], { session }).value("store.get", "k")).toEqual([]);
  });

  it("keep the order of requests nobody awaited", async () => {
    const { value } = desk([]);
    const answers = await Promise.all([
      value("store.set", "k", 1),
      value("store.get", "k"),
      value("store.delete", "k"),
      value("store.get", "k"),
      value("store.set", "k", 2),
      value("store.get", "k"),
    ]);
    expect([answers[1], answers[3], answers[5]]).toEqual([[1], [], [2]]);
  });

  it.each([[""], ["k".repeat(257)], [5], [null], [{}], [["k"]]])("refuse the key %j", async (key) => {
    const { failure } = desk([]);
    for (const method of ["store.set", "store.get", "store.delete"]) {
      expect(await failure(method, key, 1)).toMatchObject({ code: "invalid_input", effectStatus: "unknown" });
    }
  });

  it("take keys of 256 characters and names that objects use themselves", async () => {
    const { value, cell, session } = desk([]);
    const keys = ["k".repeat(256), "__proto__", "constructor", "toString", "\u{1F600}", " "];
    for (const key of keys) await value("store.set", key, { key });
    await cell.commit();
    const next = desk([], { session });
    for (const key of keys) expect(await next.value("store.get", key)).toEqual([{ key }]);
    expect(await next.value("store.get", "valueOf")).toEqual([]);
  });

  it("bound a value at 256 KiB and all values at 1 MiB", async () => {
    const { value, failure, session, cell } = desk([]);
    await value("store.set", "fits", "x".repeat(256 * KiB - 2));
    expect(await failure("store.set", "fits", "x".repeat(256 * KiB - 1))).toMatchObject({
      code: "invalid_input",
    });
    expect((await value("store.get", "fits"))[0]).toHaveLength(256 * KiB - 2);
    for (let n = 0; n < 3; n++) await value("store.set", `k${n}`, "x".repeat(256 * KiB - 2));
    expect((await failure("store.set", "more", "")).message).toContain(`${1024 * KiB}`);
    await value("store.set", "k0", "x");
    await value("store.set", "more", "x".repeat(1000));
    await cell.commit();
    const next = desk([], { session });
    expect(await next.failure("store.set", "again", "x".repeat(256 * KiB - 2))).toMatchObject({
      code: "invalid_input",
    });
  });

  it("refuse a commit that would pass the total because of another cell, and write nothing of it", async () => {
    const one = desk([]);
    const two = desk([], { session: one.session });
    for (const [at, { value }] of [one, two].entries()) {
      for (let n = 0; n < 3; n++) await value("store.set", `${at}-${n}`, "x".repeat(250 * KiB));
    }
    await one.cell.commit();
    await expect(two.cell.commit()).rejects.toThrow("1048576");
    const after = desk([], { session: one.session });
    expect(await after.value("store.get", "0-2")).toHaveLength(1);
    expect(await after.value("store.get", "1-0")).toEqual([]);
  });

  it("behave like a map of JSON, for random programs of cells", async () => {
    const step = fc.record({
      op: fc.constantFrom("set", "delete", "get"),
      key: fc.constantFrom("a", "b", "__proto__"),
      data: fc.jsonValue({ maxDepth: 2 }),
    });
    const cells = fc.array(fc.record({ steps: fc.array(step, { maxLength: 6 }), completes: fc.boolean() }), {
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(cells, async (program) => {
        const { session } = desk([]);
        let committed = new Map<string, string>();
        for (const { steps, completes } of program) {
          const { ask, cell } = desk([], { session });
          const own = new Map(committed);
          for (const { op, key, data } of steps) {
            const reply = await ask(`store.${op}`, key, ...(op === "set" ? [data] : []));
            if (op === "set") own.set(key, JSON.stringify(data));
            else if (op === "delete") own.delete(key);
            else expect(reply).toEqual({ ok: true, json: own.has(key) ? `[${own.get(key)}]` : "[]" });
          }
          if (completes) {
            await cell.commit();
            committed = own;
          } else cell.discard();
        }
      }),
      { seed: 9, numRuns: 150 },
    );
  });
});

describe("a session store in a file", () => {
  it("outlives the process' session, readable by its owner only", async () => {
    const path = sessionFile(join(tempDir(), "deep", "sessions"), "nightly");
    const { value, cell } = desk([], { store: fileSessionStore(path) });
    expect(await value("store.get", "k")).toEqual([]);
    expect(existsSync(path)).toBe(false);
    await value("store.set", "k", { a: [1, "é"] });
    await value("store.set", "__proto__", 1);
    expect(existsSync(path)).toBe(false);
    await cell.commit();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const again = desk([], { store: fileSessionStore(path) });
    expect(await again.value("store.get", "k")).toEqual([{ a: [1, "é"] }]);
    expect(await again.value("store.get", "__proto__")).toEqual([1]);
    expect(readdirSync(join(path, ".."))).toHaveLength(1);
  });

  it("is a safe name for every name, apart for names that look alike", () => {
    const names = [
      "nightly",
      "Nightly",
      "a/b",
      "../../etc/passwd",
      "a b",
      "a-b",
      "é",
      "",
      ".",
      "..",
      "con",
      "x".repeat(500),
    ];
    const files = names.filter((name) => name !== "").map((name) => sessionFile("/s", name));
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(files.length);
    for (const file of files) expect(file).toMatch(/^\/s\/[A-Za-z0-9_-]{0,40}-[0-9a-f]{12}\.json$/);
    expect(sessionFile("/s", "nightly")).toBe(sessionFile("/s", "nightly"));
    expect(() => sessionFile("/s", " ")).toThrow("blank");
  });

  it.each(["", "{", "[1]", "null", '"text"', '{"a":1'])(
    "says which file is broken when it holds %j",
    async (text) => {
      const path = join(tempDir({ "s.json": text }), "s.json");
      const { failure, value, cell } = desk([], { store: fileSessionStore(path) });
      expect((await failure("store.get", "k")).message).toContain(path);
      await expect(value("store.set", "k", 1)).rejects.toMatchObject({ ok: false });
      await cell.commit();
      expect(readFileSync(path, "utf8")).toBe(text);
    },
  );

  it("loses nothing when several processes write at once", async () => {
    const dir = tempDir();
    const path = join(dir, "s.json");
    writeFileSync(path, '{"kept":true}');
    const writer = fileURLToPath(new URL("./store-writer.ts", import.meta.url));
    const children = ["a", "b", "c"].map(
      (prefix) =>
        new Promise<number | null>((resolve) => {
          const child = spawn(process.execPath, ["--import", "tsx", writer, path, prefix], {
            stdio: "inherit",
          });
          child.on("close", resolve);
        }),
    );
    expect(await Promise.all(children)).toEqual([0, 0, 0]);
    const content = JSON.parse(readFileSync(path, "utf8"));
    expect(Object.keys(content).sort()).toEqual(
      ["a", "b", "c"]
        .flatMap((prefix) => [0, 1, 2, 3, 4].map((n) => `${prefix}${n}`))
        .concat("kept")
        .sort(),
    );
    expect(readdirSync(dir)).toEqual(["s.json"]);
  });
});
