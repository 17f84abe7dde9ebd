import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { projectRoot } from "../support/cli.js";
import { full } from "../support/full.js";

test("cells by the hundred leave nothing behind and are all right", async () => {
  const args = ["--expose-gc", "bench/soak.mjs", "--json", "--cells", full ? "5000" : "150"];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: projectRoot,
    timeout: 290_000,
  });
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ parkedRuns: 0, workersLeft: 0 });
  expect(report.grownMb).toBeLessThanOrEqual(40);
}, 300_000);
