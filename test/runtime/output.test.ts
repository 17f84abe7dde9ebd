import { expect, test } from "vitest";
import { completed, failed, runToEnd, testSession } from "../support/cells.js";

const marker = (output: unknown[]): { prefix: string; omittedBytes: number } => {
  expect(output).toHaveLength(1);
  return output[0] as { prefix: string; omittedBytes: number };
};

test("a flood is counted exactly, though only its beginning is kept", async () => {
  const session = testSession({ limits: { maxOutputBytes: 2048 } });
  const code =
    "for (let i = 0; i < 5000; i++) { text('line ' + i); if (i % 1000 === 999) await yield_control(); } return 1;";
  const result = completed(await runToEnd(session, code));
  const whole = JSON.stringify(Array.from({ length: 5000 }, (_, i) => ({ type: "text", text: `line ${i}` })));
  const { prefix, omittedBytes } = marker(result.output.slice(-1));
  expect(whole.startsWith(prefix)).toBe(true);
  expect(Buffer.byteLength(prefix) + omittedBytes).toBe(Buffer.byteLength(whole));
});

test("what was emitted before a thread is ended is kept, to the last entry", async () => {
  const session = testSession({ limits: { timeoutMs: 300, memoryLimitBytes: 256 * 1024 * 1024 } });
  const code = "for (let i = 0; i < 500; i++) text('n' + i); new Array(1e9) + '';";
  const result = failed(await session.exec({ code }));
  expect(result.code).toBe("timeout");
  expect(result.output).toHaveLength(500);
  expect(result.output.at(-1)).toEqual({ type: "text", text: "n499" });
});

test("entries are heard in order while the cell runs, and are all in the result", async () => {
  const heard: unknown[] = [];
  const session = testSession();
  const code = "text('a'); json({ b: 1 }); await new Promise((r) => setTimeout(r, 5)); console.log('c');";
  const result = completed(await session.exec({ code }, { onOutput: (entry) => heard.push(entry) }));
  expect(heard).toEqual(result.output);
  expect(heard).toHaveLength(3);
});

test("a cell that emits faster than its reader waits for it and loses nothing", async () => {
  const session = testSession({ limits: { maxOutputBytes: 10 * 1024 * 1024, timeoutMs: 30_000 } });
  const stall = (): void => {
    const until = performance.now() + 2;
    while (performance.now() < until);
  };
  let count = 0;
  const code = "for (let i = 0; i < 1500; i++) text('x'.repeat(2000) + i); return 'done';";
  const result = completed(
    await session.exec(
      { code },
      {
        onOutput: () => {
          if (count++ % 10 === 0) stall();
        },
      },
    ),
  );
  expect(result.value).toBe("done");
  expect(result.output).toHaveLength(1500);
});
