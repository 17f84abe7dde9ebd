import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { McpServerConfig } from "../../src/config/config.js";
import { connectServers } from "../../src/mcp/connect.js";
import { call, testServer, toolNamed } from "../support/mcp.js";
import { tempDir } from "../support/temp.js";

const ROUNDS = 7;

const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1] as number;

describe("a warm list cache", () => {
  it("makes ten configured servers cost what the one that is used costs", async () => {
    const server = (n: number): McpServerConfig => {
      const { args = [], ...rest } = testServer("plain");
      return { ...rest, args: [...args, `${n}`] };
    };
    const ten = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`s${n}`, server(n)]));
    const one = { s4: server(4) };
    const cacheDir = join(tempDir(), "c");
    /** From nothing to the answer of the first call. */
    const timed = async (servers: Record<string, McpServerConfig>): Promise<number> => {
      const started = performance.now();
      const connections = await connectServers({ servers, startMs: 60_000, cacheDir });
      await call(toolNamed(connections.tools, "s4__ping"));
      const ms = performance.now() - started;
      await connections.close();
      return ms;
    };
    await timed(ten);
    await timed(one);
    const times = { one: [] as number[], ten: [] as number[] };
    // By turns, so that a busy machine slows both.
    for (let round = 0; round < ROUNDS; round += 1) {
      times.one.push(await timed(one));
      times.ten.push(await timed(ten));
    }
    const ratio = median(times.ten) / median(times.one);
    console.log(
      `one of ten: ${median(times.ten).toFixed()} ms, alone: ${median(times.one).toFixed()} ms, ratio ${ratio.toFixed(3)}`,
    );
    expect(ratio).toBeLessThan(1.2);
  }, 120_000);
});
