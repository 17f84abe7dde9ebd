import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { binFile } from "../support/cli.js";
import { full } from "../support/full.js";
import { goneWithin, alive as isAlive, journal, processesWith, testServer } from "../support/mcp.js";
import { tempDir } from "../support/temp.js";

const RUNS = full ? 200 : 4;
const SIGNALS = ["SIGKILL", "SIGTERM", "SIGINT"] as const;

function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("a run that is killed", () => {
  // The servers: one that behaves, one that ignores the end of its input and every polite signal, one
  // with a child of its own that does so, one that never comes up.
  it(
    `leaves no process behind, whenever and however it dies (${RUNS} runs, 200 in a full test)`,
    async () => {
      const next = random(20261130);
      const dice = Array.from({ length: RUNS }, () => ({
        delay: 150 + 1_400 * next(),
        signal: SIGNALS[Math.floor(next() * 3)],
      }));
      let ran = 0;
      const left: unknown[] = [];
      const worker = async (): Promise<void> => {
        for (let roll = dice.pop(); roll !== undefined; roll = dice.pop()) {
          const log = journal();
          const env = { JOURNAL: log.file };
          const servers = {
            plain: testServer("plain", env),
            stubborn: testServer("stubborn", env),
            forks: testServer("forks", env),
            slow: testServer("slow", env),
          };
          const dir = tempDir({ "openclaw.json": JSON.stringify({ mcp: { servers } }) });
          const cell =
            "for (;;) await Promise.all([MCP.plain.ping(), MCP.stubborn.ping(), MCP.forks.ping()])";
          const child = spawn(
            process.execPath,
            [binFile, "exec", "-c", cell, "--limit", "mcpStartMs=1000", "--deadline", "5000"],
            { env: { ...process.env, OPENCLAW_STATE_DIR: dir }, stdio: "ignore" },
          );
          const exited = once(child, "exit");
          const timer = setTimeout(() => child.kill(roll.signal), roll.delay);
          await exited;
          clearTimeout(timer);
          // A server may have been started a moment ago and not have said so yet.
          const started = [...new Set([...log.pids(), ...processesWith(log.file)])];
          ran += started.length;
          await goneWithin(started, 4_000);
          const alive = [...new Set([...log.pids(), ...processesWith(log.file)])].filter(isAlive);
          if (alive.length > 0) left.push({ ...roll, alive, journal: log.lines() });
          for (const pid of alive) process.kill(pid, "SIGKILL");
        }
      };
      await Promise.all([worker(), worker()]);
      expect(left).toEqual([]);
      expect(ran).toBeGreaterThan(0);
    },
    full ? 1_500_000 : 90_000,
  );
});
