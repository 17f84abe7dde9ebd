import { setMaxListeners } from "node:events";
import { CatalogInputError } from "../../catalog/types.js";
import { BridgeFailure, cancelled, failureReply, isInstance } from "./failure.js";
import { HANDLERS, type Served } from "./handlers.js";
import { isReplaySafe, toolOf } from "./request-subject.js";
import type { SharedBridge } from "./session-bridge.js";
import type { CellStore } from "./session-store.js";
import { callingTicket } from "./tool-call.js";
import type { BridgeReply, BridgeRequest, CellBridge } from "./types.js";

/** Serves the requests of one cell. */
export function createCellBridge(
  cell: { runId: string; restartSafe: boolean; toolCallId?: string },
  shared: SharedBridge,
  store: CellStore,
): CellBridge {
  // A tool may run a cell itself; that cell's calls then belong to the tool's own call.
  const parent = callingTicket();

  async function handle(
    request: BridgeRequest,
    signal: AbortSignal,
    onBegin?: () => void,
  ): Promise<BridgeReply> {
    let rename: Served["rename"];
    // Every call of a cell listens to its one signal, and so may every tool; Node 20 warns of the eleventh.
    setMaxListeners(0, signal);
    try {
      if (shared.closed || signal.aborted) throw cancelled();
      const handler = Object.hasOwn(HANDLERS, request.method)
        ? HANDLERS[request.method as keyof typeof HANDLERS]
        : undefined;
      if (handler === undefined) {
        throw new BridgeFailure(`no such request: ${request.method.slice(0, 80)}`, "invalid_input");
      }
      if (cell.restartSafe && !isReplaySafe(request, shared.options.catalog)) {
        throw new BridgeFailure(
          "a restartSafe cell may only read: this call could change something",
          "invalid_input",
        );
      }
      const args = parseArgs(request.args);
      boundNames(request.method, args);
      const served: Served = {
        args,
        request,
        cell,
        shared,
        store,
        signal,
        parent,
        onBegin,
        rename: undefined,
      };
      try {
        return { ok: true, json: await handler(served) };
      } finally {
        rename = served.rename;
      }
    } catch (error) {
      return failureReply(translated(error), {
        maxBytes: shared.options.limits.maxOutputBytes,
        rename,
      });
    }
  }

  return {
    handle,
    toolOf: (request) => toolOf(request, shared.options.catalog)?.callableName,
    isReplaySafe: (request) => isReplaySafe(request, shared.options.catalog),
    commit: () => store.commit(),
    discard: () => store.discard(),
  };
}

function parseArgs(text: string): unknown[] {
  try {
    const args: unknown = JSON.parse(text);
    if (Array.isArray(args)) return args;
  } catch {
    // said below
  }
  throw new BridgeFailure("the arguments of the request are not a JSON array", "invalid_input");
}

/** Longest name, path or query of a request, in UTF-16 units. */
const MOST_NAME = 8_192;
/** Requests that look something up, and how many of their arguments say what. */
const NAMING: Readonly<Record<string, number>> = {
  callValue: 1,
  call: 1,
  describe: 1,
  search: 1,
  "mcp.api": 2,
  "api.list": 1,
  "api.read": 1,
};

/** Looking something up takes time that grows with its name, and all of it is the host's. */
function boundNames(method: string, args: readonly unknown[]): void {
  for (const name of args.slice(0, NAMING[method] ?? 0)) {
    if (typeof name !== "string" || name.length <= MOST_NAME) continue;
    throw new BridgeFailure(
      `a name, path or query may have ${MOST_NAME} characters, this one has ${name.length}`,
      "invalid_input",
    );
  }
}

function translated(error: unknown): unknown {
  if (!isInstance(error, CatalogInputError)) return error;
  return new BridgeFailure(error.message, error.plain ? undefined : "invalid_input");
}
