import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { buildCatalog } from "../../src/catalog/build.js";
import { resolveLimits } from "../../src/config/limits.js";
import { createCellSession } from "../../src/runtime/session.js";
import { tool } from "./bridge/harness.js";

it("any JSON value goes cell → tool → cell, into saved results and the store, unchanged", async () => {
  const batch = fc.array(
    fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.dictionary(fc.string({ unit: "binary", maxLength: 12 }), fc.jsonValue({ maxDepth: 1 })),
      fc.string({ unit: "binary" }),
      fc.constant(JSON.parse('{"__proto__":{"x":1},"constructor":2,"toJSON":3,"then":4,"2":5,"1":6}')),
    ),
    { minLength: 1, maxLength: 20 },
  );
  let values: unknown[] = [];
  const received: string[] = [];
  const limits = resolveLimits({ maxOutputBytes: 10 * 1024 * 1024, timeoutMs: 60_000 });
  const session = createCellSession({
    catalog: buildCatalog(
      [
        tool("feed", () => values, { parameters: undefined }),
        tool("echo", ({ value }) => {
          received.push(JSON.stringify(value));
          return value;
        }),
      ],
      limits,
    ),
    limits,
  });
  onTestFinished(() => session.close());
  const code = `const out = { echoed: [], saved: [], stored: [] };
for (const value of await feed()) {
  out.echoed.push(await echo({ value }));
  const { id } = await results.save(value);
  out.saved.push(await results.load(id));
  await results.delete(id);
  await store("key", value);
  out.stored.push(await load("key"));
}
return out;`;
  await fc.assert(
    fc.asyncProperty(batch, async (drawn) => {
      values = drawn;
      received.length = 0;
      const result = await session.exec({ code });
      if (result.status !== "completed") throw new Error(JSON.stringify(result));
      const text = JSON.stringify(drawn);
      expect(`[${received.join()}]`).toBe(text);
      expect(JSON.stringify(result.value)).toBe(`{"echoed":${text},"saved":${text},"stored":${text}}`);
    }),
    { seed: 17, numRuns: 25 },
  );
});
