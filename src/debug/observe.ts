import type { Catalog } from "../catalog/types.js";
import type { RuntimeEvent } from "../runtime/types.js";
import { escapeUntrustedLine } from "../ui/escape.js";
import { describeEvent, formatLine } from "./event-line.js";
import { createRedactor } from "./redact.js";
import { openTrajectory, type Trajectory } from "./trajectory.js";

export interface ObserveOptions {
  env: NodeJS.ProcessEnv;
  /** The loaded configuration: its secrets are redacted. */
  config: unknown;
  cwd: string;
  /** File for nested calls as JSON lines. */
  trajectory?: string;
}

/** What watches a run for `OPENCLAW_DEBUG_CODE_MODE=1` and `--trajectory`; silent without either. */
export interface RunObserver {
  onEvent?: (event: RuntimeEvent) => void;
  onCatalog(catalog: Catalog): void;
  /** One line of its own, with the same redaction. */
  log(name: string, fields: Record<string, string | number | boolean | undefined>): void;
  close(): Promise<void>;
}

export async function observeRun(options: ObserveOptions): Promise<RunObserver> {
  const debugging = options.env.OPENCLAW_DEBUG_CODE_MODE === "1";
  if (!debugging && options.trajectory === undefined) {
    return { onCatalog() {}, log() {}, async close() {} };
  }
  const redact = createRedactor(options.env, options.config);
  const trajectory: Trajectory | undefined =
    options.trajectory === undefined
      ? undefined
      : await openTrajectory(options.trajectory, options.cwd, redact);
  const write = (line: string): void => {
    process.stderr.write(`[code-mode] ${escapeUntrustedLine(redact(line))}\n`);
  };
  const log: RunObserver["log"] = (name, fields) => {
    if (debugging) write(formatLine(name, fields));
  };
  return {
    onEvent(event) {
      trajectory?.record(event);
      const line = debugging ? describeEvent(event) : undefined;
      if (line !== undefined) write(line);
    },
    onCatalog(catalog) {
      const { openclaw, mcp, client } = catalog.sources;
      log("catalog", { tools: openclaw + mcp + client, openclaw, mcp, client });
      for (const { level, message } of catalog.diagnostics) log("diagnostic", { level, message });
    },
    log,
    async close() {
      await trajectory?.close();
    },
  };
}
