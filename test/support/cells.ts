import { onTestFinished } from "vitest";
import { buildCatalog } from "../../src/catalog/build.js";
import type { EffectiveTool } from "../../src/catalog/tool.js";
import { type CodeModeLimits, resolveLimits } from "../../src/config/limits.js";
import { createCellSession } from "../../src/runtime/session.js";
import { workerPool } from "../../src/runtime/supervisor/pool.js";
import type {
  CellCompleted,
  CellFailed,
  CellResult,
  CellSession,
  CellSessionOptions,
  CellWaiting,
} from "../../src/runtime/types.js";

export { tool } from "./tool.js";

// Keeps the workers between the sessions of a test file: starting one for each test takes most of the time.
workerPool.enter();

export interface TestSessionOptions extends Omit<Partial<CellSessionOptions>, "limits" | "catalog"> {
  tools?: readonly EffectiveTool[];
  limits?: Partial<Record<keyof CodeModeLimits, unknown>>;
}

/** A session over real tools and a real worker. Close it yourself, or use `testSession`. */
export function openSession(options: TestSessionOptions = {}): CellSession {
  const { tools = [], limits: given, ...rest } = options;
  const limits = resolveLimits(given);
  return createCellSession({ catalog: buildCatalog(tools, limits), limits, ...rest });
}

/** A session that closes when the test ends. */
export function testSession(options: TestSessionOptions = {}): CellSession {
  const session = openSession(options);
  onTestFinished(() => session.close());
  return session;
}

/** The value of a completed cell; throws with the whole result for any other. */
export function finalValue(result: CellResult): any {
  return completed(result).value;
}

export function completed(result: CellResult): CellCompleted {
  if (result.status !== "completed") throw new Error(`not completed: ${JSON.stringify(result)}`);
  return result;
}

export function failed(result: CellResult): CellFailed {
  if (result.status !== "failed") throw new Error(`not failed: ${JSON.stringify(result).slice(0, 500)}`);
  return result;
}

export function waiting(result: CellResult): CellWaiting {
  if (result.status !== "waiting") throw new Error(`not waiting: ${JSON.stringify(result).slice(0, 500)}`);
  return result;
}

/** Runs a cell and resumes it until it ends. */
export async function runToEnd(session: CellSession, code: string): Promise<CellResult> {
  let result = await session.exec({ code });
  while (result.status === "waiting") {
    const next = await session.wait({ runId: result.runId });
    result = { ...next, output: [...result.output, ...next.output] };
  }
  return result;
}
