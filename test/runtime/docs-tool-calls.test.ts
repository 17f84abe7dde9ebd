import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { buildCatalog } from "../../src/catalog/build.js";
import { resolveLimits } from "../../src/config/limits.js";
import { createCellSession } from "../../src/runtime/session.js";
import { projectRoot } from "../support/cli.js";
import { toolsOfEntry } from "./plugin-session.js";

it("every code block of docs/tool-calls.md does what it says", async () => {
  const page = readFileSync(join(projectRoot, "docs/tool-calls.md"), "utf8");
  const blocks = [...page.matchAll(/```javascript\n([\s\S]*?)```/g)].map(([, code]) => code!);
  const [entry, ...cells] = blocks as [string, ...string[]];
  const limits = resolveLimits();
  const session = createCellSession({
    catalog: buildCatalog(await toolsOfEntry(entry), limits),
    limits,
  });
  onTestFinished(() => session.close());
  expect(cells).toHaveLength(3);
  for (const cell of cells) {
    const expected = /^\/\/ => (.*)$/m.exec(cell)![1]!;
    const result = await session.exec({ code: cell });
    expect(result).toMatchObject({ status: "completed" });
    expect(JSON.stringify((result as { value: unknown }).value)).toBe(expected);
  }
});
