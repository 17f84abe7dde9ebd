// Runs hostile cells in one process of their own and prints how much memory that left behind.
import { setTimeout as sleep } from "node:timers/promises";
import { buildCatalog } from "../../src/catalog/build.js";
import { resolveLimits } from "../../src/config/limits.js";
import { createCellSession } from "../../src/runtime/session.js";
import { tool } from "../support/tool.js";
import { bridgeCells } from "./cells/bridge.js";
import { hostCells } from "./cells/host.js";
import { memoryCells } from "./cells/memory.js";
import { stackCells } from "./cells/stack.js";
import { tamperCells } from "./cells/tamper.js";
import { timeCells } from "./cells/time.js";
import type { HostileCell } from "./hostile-cell.js";

async function settledRss(): Promise<number> {
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.();
    await sleep(200);
  }
  return process.memoryUsage.rss();
}

async function run(
  cell: Pick<HostileCell, "code" | "limits" | "tools"> & { language?: string },
): Promise<void> {
  const limits = resolveLimits(cell.limits);
  const session = createCellSession({ catalog: buildCatalog(cell.tools?.() ?? [], limits), limits });
  let result = await session.exec({
    ...(cell.language === undefined ? {} : { language: cell.language }),
    code: cell.code,
  });
  for (let leg = 0; result.status === "waiting" && leg < 5; leg++) {
    result = await session.wait({ runId: result.runId });
  }
  await session.close();
}

const cells = [...timeCells, ...memoryCells, ...stackCells, ...tamperCells, ...bridgeCells, ...hostCells];
// Sources put together from parts take their full size once they are read; that is the table's, not ours.
for (const { code } of cells) Buffer.byteLength(code);
const limits = resolveLimits({});
const keeper = createCellSession({ catalog: buildCatalog([], limits), limits });
// The process grows to its ordinary size first: with all that ordinary cells make it load, and its threads.
const echo = () => [
  tool("echo", (input) => input, {
    parameters: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
  }),
];
const ordinary = [
  { code: "return 1;" },
  { code: "const n: number = 1; return n;", language: "typescript" },
  { code: "return await echo({ n: 1 });" },
  { code: "return await echo({ n: 'one' }).catch((error) => error.code);" },
  { code: "return (;" },
  { code: "return 'x'.repeat(200_000);" },
  { code: "await yield_control(); return 1;" },
];
for (let round = 0; round < 20; round++) {
  await Promise.all(ordinary.map((input) => run({ ...input, tools: echo })));
}
const start = await settledRss();
for (const cell of cells) await run(cell);
await keeper.close();
process.stdout.write(JSON.stringify({ cells: cells.length, start, end: await settledRss() }));
