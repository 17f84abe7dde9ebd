import { randomBytes } from "node:crypto";
import type { Catalog, CatalogEntry, McpMember } from "../../catalog/types.js";
import type { CellSessionOptions, CellTelemetry } from "../types.js";
import { createCallOrder } from "./call-order.js";
import { createCellBridge } from "./cell-bridge.js";
import { createSavedResults, type SavedResults } from "./saved-results.js";
import { createSessionStore } from "./session-store.js";
import type { CallEnvironment } from "./tool-call.js";
import type { SessionBridge } from "./types.js";

export type SessionBridgeOptions = Pick<
  CellSessionOptions,
  "catalog" | "limits" | "hooks" | "approve" | "store" | "savedResults" | "directTools" | "skills" | "onEvent"
>;

/** Cumulative over the session. */
export interface Counters {
  search: number;
  describe: number;
  call: number;
  failedCall: number;
}

/** What the bridges of all cells of a session share. */
export interface SharedBridge {
  options: SessionBridgeOptions;
  /** Members of server namespaces by catalog id. */
  members: ReadonlyMap<string, { entry: CatalogEntry; member: McpMember }>;
  results: SavedResults;
  counters: Counters;
  environment: CallEnvironment;
  /** Set once the session has ended. */
  closed: boolean;
}

/** Saved results in the room that these limits give them. */
export function savedResultsWithin(limits: CellSessionOptions["limits"]): SavedResults {
  return createSavedResults({ maxBytes: Math.min(limits.memoryLimitBytes, limits.maxSnapshotBytes) });
}

/**
 * The host side of everything a session's cells ask for: calls, discovery, saved results and stored
 * values over one catalog. Counters, call order, results and values are shared by its cells.
 */
export function createSessionBridge(options: SessionBridgeOptions): SessionBridge {
  const { catalog, limits } = options;
  const counters: Counters = { search: 0, describe: 0, call: 0, failedCall: 0 };
  const counterScope = randomBytes(12).toString("hex");
  const store = createSessionStore(options.store);
  const shared: SharedBridge = {
    options,
    members: membersById(catalog),
    results: options.savedResults ?? savedResultsWithin(limits),
    counters,
    environment: {
      order: createCallOrder(),
      hooks: options.hooks,
      approve: options.approve,
      onEvent: tolerant(options.onEvent),
      countFailure: () => {
        counters.failedCall++;
      },
    },
    closed: false,
  };

  function telemetry(): CellTelemetry {
    const { openclaw, mcp, client } = catalog.sources;
    return {
      catalogSize: openclaw + mcp + client,
      sources: { openclaw, mcp, client },
      counterScope,
      searchCount: counters.search,
      describeCount: counters.describe,
      callCount: counters.call,
      failedCallCount: counters.failedCall,
      visibleTools: ["exec", "wait", ...(options.directTools ?? [])],
    };
  }

  return {
    openCell: (cell) => createCellBridge(cell, shared, store.openCell()),
    telemetry,
    results: { save: shared.results.save, release: shared.results.release },
    close() {
      shared.closed = true;
      if (options.savedResults === undefined) shared.results.clear();
    },
  };
}

function membersById(catalog: Catalog): SharedBridge["members"] {
  const members = new Map<string, { entry: CatalogEntry; member: McpMember }>();
  for (const member of catalog.namespaces.flatMap((namespace) => namespace.members)) {
    const entry = catalog.byId(member.entryId);
    if (entry !== undefined) members.set(member.entryId, { entry, member });
  }
  return members;
}

/** A listener that fails must not turn a call that succeeded into one that failed. */
function tolerant(listener: SessionBridgeOptions["onEvent"]): SessionBridgeOptions["onEvent"] {
  if (listener === undefined) return undefined;
  return (event) => {
    try {
      listener(event);
    } catch {
      // the listener's own affair
    }
  };
}
