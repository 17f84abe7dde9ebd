// Runs hostile cells in one process of their own and prints how much memory that left behind.
import { setTimeout as sleep } from "node:timers/promises";
import { buildCatalog } from "../../src/catalog/build.js";
import { resolveLimits } from "../../src/config/limits.js";
import { createCellSession } from "../../src/runtime/session.js";
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

async function run(cell: HostileCell): Promise<void> {
  const limits = resolveLimits(cell.limits);
  const session = createCellSession({ catalog: buildCatalog(cell.tools?.() ?? [], limits), limits });
  let result = await session.exec({ code: cell.code });
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
// The process grows to its ordinary size first.
for (let round = 0; round < 20; round++) await keeper.exec({ code: "return 1;" });
const start = await settledRss();
for (const cell of cells) await run(cell);
await keeper.close();
process.stdout.write(JSON.stringify({ cells: cells.length, start, end: await settledRss() }));
