import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import { binFile } from "../support/cli.js";
import { writePlugin } from "../support/plugin-project.js";
import { tempDir } from "../support/temp.js";

test("list and cold inspect cost at most 2.5 times an empty Node with 20 plugins", {
  retry: 2,
  timeout: 120_000,
}, () => {
  const stateDir = tempDir();
  for (let index = 0; index < 20; index++) {
    writePlugin(join(stateDir, "extensions", `plugin-${index}`), { id: `plugin-${index}` });
  }
  const commands = {
    empty: ["-e", "0"],
    list: [binFile, "plugins", "list"],
    inspect: [binFile, "plugins", "inspect", "plugin-7"],
  };
  // The fastest of several interleaved runs: noise of a shared machine only ever adds.
  const best: Record<string, number> = {};
  for (let round = 0; round < 5; round++) {
    for (const [name, args] of Object.entries(commands)) {
      const start = performance.now();
      const run = spawnSync(process.execPath, args, {
        env: { ...process.env, OPENCLAW_STATE_DIR: stateDir },
      });
      expect(run.status).toBe(0);
      best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, performance.now() - start);
    }
  }
  const { empty = 1, list = 0, inspect = 0 } = best;
  console.log(
    `list ${(list / empty).toFixed(2)}x, inspect ${(inspect / empty).toFixed(2)}x of ${empty.toFixed(0)} ms`,
  );
  expect(list / empty).toBeLessThanOrEqual(2.5);
  expect(inspect / empty).toBeLessThanOrEqual(2.5);
});
