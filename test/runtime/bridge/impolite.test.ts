import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const host = fileURLToPath(new URL("./impolite-host.ts", import.meta.url));

function run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, ["--import", "tsx", host, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

describe("impolite plugin code", () => {
  it("fails its own call and nothing else", async () => {
    const { code, stdout, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { outcomes, faults } = JSON.parse(stdout);
    const own = Object.fromEntries(Object.entries<any>(outcomes).map(([name, [reply]]) => [name, reply]));
    expect(own).toEqual({
      throws_while_pending: "timer threw",
      throws_in_tick: "tick threw",
      throws_in_microtask: "microtask threw",
      rejects_unheard: "nobody listened",
      exits: "plugin code of demo called process.exit(3)",
      exits_later: "plugin code of demo called process.exit(4)",
      exits_and_goes_on: "plugin code of demo called process.exit(5)",
      throws_after_settling: '"settled"',
      exits_after_settling: '"settled"',
    });
    for (const [reply, aborted, beside, next] of Object.values<any>(outcomes)) {
      expect([aborted, beside, next]).toEqual([reply !== '"settled"', "fine", "fine"]);
    }
    expect(faults).toEqual([
      "throws_after_settling: too late",
      "exits_after_settling: plugin code of demo called process.exit(6)",
    ]);
  });

  it("is told from code that is no plugin's, which ends the process as ever", async () => {
    const { code, stderr } = await run("then-crash");
    expect(code).toBe(1);
    expect(stderr).toContain("not a plugin's");
  });
});
