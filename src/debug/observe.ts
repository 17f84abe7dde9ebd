import type { ModelTool } from "../catalog/model-view.js";
import type { Catalog } from "../catalog/types.js";
import type { CodeModeLimits } from "../config/limits.js";
import type { RuntimeEvent } from "../runtime/types.js";
import { createRedactor, type Redactor } from "../text/redact.js";
import { describeEvent, type Fields } from "./event-line.js";
import { type DebugFlags, debugFlags } from "./flags.js";
import { writeDebugLine } from "./log.js";
import { createPayloadLog } from "./model-payload.js";
import { type OuterCall, openTrajectory, type Trajectory } from "./trajectory.js";

export interface ObserveOptions {
  env: NodeJS.ProcessEnv;
  /** The loaded configuration and whatever else holds secrets of the run. */
  config: unknown;
  cwd: string;
  /** File for nested calls as JSON lines. */
  trajectory?: string | undefined;
  /** Further secrets, as they are. */
  secrets?: readonly string[];
}

/** What watches a run for the debugging variables and `--trajectory`; silent without them. */
export interface RunObserver {
  readonly flags: DebugFlags;
  redact: Redactor;
  /** Undefined when nobody listens: naming the tool of each request has its price. */
  onEvent: ((event: RuntimeEvent, connection?: number) => void) | undefined;
  onCatalog(catalog: Catalog, limits: CodeModeLimits): void;
  /** The definitions a model would get. Built only when wanted. */
  onModelTools(tools: () => readonly ModelTool[]): void;
  /** A finished call of `exec`, `wait` or a direct tool. */
  onOuterCall(call: OuterCall): void;
  /** One line of its own under `OPENCLAW_DEBUG_CODE_MODE`, with the same redaction. */
  log(name: string, fields: Fields): void;
  /** The configuration was read again: its secrets are hidden too, the old ones stay so. */
  learn(config: unknown): void;
  close(): Promise<void>;
}

/** @throws CommandFailure `trajectory_unwritable` */
export async function observeRun(options: ObserveOptions): Promise<RunObserver> {
  const { env, secrets = [] } = options;
  const flags = debugFlags(env);
  const redactors: Redactor[] = [];
  const learn = (config: unknown): void => void redactors.push(createRedactor(env, config, secrets));
  const listening =
    flags.codeMode ||
    flags.modelPayload !== undefined ||
    flags.modelTransport ||
    flags.sse !== undefined ||
    options.trajectory !== undefined;
  if (listening) learn(options.config);
  const redact: Redactor = (text) => redactors.reduce((clean, next) => next(clean), text);
  const trajectory: Trajectory | undefined =
    options.trajectory === undefined
      ? undefined
      : await openTrajectory(options.trajectory, options.cwd, redact);
  const payload = createPayloadLog(flags.modelPayload, redact);
  const log: RunObserver["log"] = (name, fields) => {
    if (flags.codeMode) writeDebugLine("code-mode", redact, name, fields);
  };
  return {
    flags,
    redact,
    onEvent:
      !flags.codeMode && trajectory === undefined
        ? undefined
        : (event, connection) => {
            trajectory?.record(event);
            const line = flags.codeMode ? describeEvent(event) : undefined;
            if (line !== undefined) log(line.name, { connection, ...line.fields });
          },
    onCatalog(catalog, limits) {
      if (!flags.codeMode) return;
      const { openclaw, mcp, client } = catalog.sources;
      log("catalog", {
        tools: openclaw + mcp + client,
        openclaw,
        mcp,
        client,
        indexChars: catalog.quickIndex().length,
      });
      log("limits", { ...limits });
      for (const { level, message } of catalog.diagnostics) log("diagnostic", { level, message });
    },
    onModelTools(tools) {
      if (flags.modelPayload !== undefined) payload.tools(tools());
    },
    onOuterCall(call) {
      payload.result(call.tool, call.result, call.connection);
      trajectory?.recordOuter(call);
    },
    log,
    learn(config) {
      if (listening) learn(config);
    },
    async close() {
      await trajectory?.close();
    },
  };
}
