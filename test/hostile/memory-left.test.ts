import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { describeFull } from "../support/full.js";

const MiB = 1024 * 1024;

describeFull(
  "memory after the whole hostile suite",
  "it runs every hostile cell in a process of its own",
  () => {
    test("is within 60 MiB of the start", async () => {
      const child = fileURLToPath(new URL("./rss-child.ts", import.meta.url));
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ["--expose-gc", "--import", "tsx", child],
        { timeout: 280_000 },
      );
      const { cells, start, end } = JSON.parse(stdout) as { cells: number; start: number; end: number };
      console.log(
        `${cells} hostile cells: ${Math.round(start / MiB)} MiB before, ${Math.round(end / MiB)} after`,
      );
      expect((end - start) / MiB).toBeLessThan(60);
    }, 300_000);
  },
);
