// Runs thousands of cells in one process: a third is suspended and resumed, a tenth fails or is aborted. Every
// result is checked, and memory, workers and suspended runs are counted at the end.
// usage: node bench/soak.mjs [--cells 5000] [--json]
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { register } from "tsx/esm/api";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const unregister = register();
const source = (path) => import(new URL(`../src/${path}`, import.meta.url).href);
const { buildCatalog } = await source("catalog/build.ts");
const { resolveLimits } = await source("config/limits.ts");
const { createCellSession } = await source("runtime/session.ts");
const { parkedRuns } = await source("runtime/session/parked.ts");
const { workerPool } = await source("runtime/supervisor/pool.ts");
await unregister();

const { values } = parseArgs({
  options: { cells: { type: "string", default: "5000" }, json: { type: "boolean", default: false } },
});
const total = Number(values.cells);
const warmUp = Math.min(1_000, Math.floor(total / 3));
const AT_ONCE = 4;
const CELLS_PER_SESSION = 500;

const tool = (name, execute) => ({
  name,
  source: "openclaw",
  owner: "soak",
  description: `Soak tool ${name}.`,
  parameters: { type: "object", additionalProperties: true },
  execute: async ({ input, signal }) => ({ content: [], details: await execute(input, signal) }),
});
const tools = [
  tool("twice", ({ n }) => ({ n: n * 2 })),
  tool("later", async ({ n }) => sleep(1, { n })),
  tool("refuse", () => {
    throw new Error("refused");
  }),
  tool(
    "hang",
    (_input, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("cancelled")));
      }),
  ),
];
const limits = resolveLimits({ timeoutMs: 5_000 });
const catalog = buildCatalog(tools, limits);

/** What cell `n` runs and how it has to end. */
function plan(n) {
  const kind = n % 30;
  if (kind < 10) {
    return {
      code: `const kept = new Map([["n", ${n}]]); text("a${n}"); await yield_control(${n}); const r = await later({ n: kept.get("n") }); text("b"); return r.n;`,
      value: n,
      texts: [`a${n}`, "b"],
    };
  }
  if (kind === 10)
    return {
      code: `text("x"); throw new Error("planned ${n}");`,
      error: `Error: planned ${n}`,
      texts: ["x"],
    };
  if (kind === 11) return { code: "return await refuse({});", error: "Error: refused", texts: [] };
  if (kind === 12) return { code: "await hang({});", abort: true, texts: [] };
  if (kind < 20) {
    return {
      code: `const all = await Promise.all([1, 2, 3].map((k) => twice({ n: ${n} + k }))); return all.map((r) => r.n);`,
      value: [1, 2, 3].map((k) => (n + k) * 2),
      texts: [],
    };
  }
  if (kind < 25)
    return {
      code: `json({ n: ${n} }); return "v".repeat(${n % 500});`,
      value: "v".repeat(n % 500),
      texts: [],
    };
  return {
    code: `const big = Array.from({ length: 2000 }, (_, i) => ({ i })); return big.length + ${n};`,
    value: 2000 + n,
    texts: [],
  };
}

async function runCell(session, n) {
  const wanted = plan(n);
  const controller = new AbortController();
  if (wanted.abort) setTimeout(() => controller.abort(), 5);
  const options = { signal: controller.signal };
  let result = await session.exec({ code: wanted.code }, options);
  const texts = [];
  for (;;) {
    for (const entry of result.output) if ("text" in entry) texts.push(entry.text);
    if (result.status !== "waiting") break;
    result = await session.wait({ runId: result.runId }, options);
  }
  const right =
    wanted.abort === true
      ? result.status === "failed" && result.code === "aborted"
      : wanted.error === undefined
        ? result.status === "completed" && JSON.stringify(result.value) === JSON.stringify(wanted.value)
        : result.status === "failed" && result.error.startsWith(wanted.error);
  if (!right || JSON.stringify(texts) !== JSON.stringify(wanted.texts)) {
    throw new Error(`cell ${n} is wrong: ${JSON.stringify(result).slice(0, 500)}`);
  }
}

async function settledRss() {
  for (let round = 0; round < 5; round++) {
    collectGarbage();
    await sleep(100);
  }
  return process.memoryUsage.rss();
}

let next = 0;
let session;
async function lane(until) {
  while (next < until) {
    const n = next++;
    await runCell(session, n);
  }
}

/** Runs cells up to number `until`, with a new session every so often. */
async function run(until) {
  while (next < until) {
    const last = Math.min(until, (Math.floor(next / CELLS_PER_SESSION) + 1) * CELLS_PER_SESSION);
    const before = session;
    session = createCellSession({ catalog, limits });
    await before?.close();
    await Promise.all(Array.from({ length: AT_ONCE }, () => lane(last)));
  }
}

const startedAt = performance.now();
// Both readings are taken with the threads ended: what a live thread's own heap holds comes and goes.
await run(warmUp);
await session.close();
const warm = await settledRss();
await run(total);
const parked = parkedRuns.size;
await session.close();
const end = await settledRss();
const report = {
  cells: total,
  seconds: Math.round((performance.now() - startedAt) / 100) / 10,
  warmMb: Math.round(warm / 1048576),
  endMb: Math.round(end / 1048576),
  grownMb: Math.round((end - warm) / 1048576),
  parkedRuns: parked,
  workersLeft: workerPool.size,
};
process.stdout.write(
  values.json
    ? `${JSON.stringify(report)}\n`
    : `${Object.entries(report)
        .map(([name, value]) => `${name.padEnd(12)} ${value}`)
        .join("\n")}\n`,
);
if (report.grownMb > 40 || parked > 0 || report.workersLeft > 0) process.exitCode = 1;
