import type { Approver } from "../catalog/hooks.js";
import type { SavedResults } from "../runtime/bridge/saved-results.js";
import { savedResultsWithin } from "../runtime/bridge/session-bridge.js";
import { memoryBackend } from "../runtime/bridge/session-store.js";
import { parkedRuns } from "../runtime/session/parked.js";
import { createCellSession } from "../runtime/session.js";
import type { CellResult, CellSession, LegOptions, RuntimeEvent } from "../runtime/types.js";
import { type DirectCall, DirectTools, type ToolAnswer } from "./direct.js";
import type { Generation, Generations } from "./generations.js";

export interface ScopeOptions {
  generations: Generations;
  approve: Approver;
  onEvent: ((event: RuntimeEvent) => void) | undefined;
}

interface Held {
  session: CellSession;
  direct: DirectTools;
  generation: Generation;
  /** Calls that run. */
  running: number;
}

/**
 * What one connection can reach: its own cells, saved results and stored values, over the tools of the moment. A run
 * that waits stays with the tools it began with.
 */
export class ConnectionScope {
  readonly #options: ScopeOptions;
  readonly #waiting = new Map<string, Held>();
  readonly #all = new Set<Held>();
  /** What cells keep for later ones; it stays when the tools change. */
  readonly #store = memoryBackend();
  #results: SavedResults | undefined;
  #current: Held | undefined;
  #closed = false;

  constructor(options: ScopeOptions) {
    this.#options = options;
  }

  /** Whether a client may call this tool by itself. */
  offers(name: string): boolean {
    return this.#upToDate().direct.has(name);
  }

  async exec(input: unknown, leg: LegOptions): Promise<CellResult> {
    const held = this.#upToDate();
    return this.#leg(held, () => held.session.exec(input, leg));
  }

  async wait(input: unknown, leg: LegOptions): Promise<CellResult> {
    const runId = runIdOf(input);
    // A foreign or finished id goes to the current session, which refuses it in its own words.
    const held = this.#waiting.get(runId) ?? this.#upToDate();
    return this.#leg(held, () => held.session.wait(input, leg));
  }

  async direct(call: DirectCall): Promise<ToolAnswer> {
    const held = this.#upToDate();
    return this.#whileRunning(held, () => held.direct.call(call));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#all].map((held) => this.#end(held)));
    this.#results?.clear();
  }

  #upToDate(): Held {
    if (this.#closed) throw new Error("the connection is closed");
    const generation = this.#options.generations.current;
    if (this.#current?.generation === generation) return this.#current;
    const { catalog, limits, settings, toolset } = generation.setup;
    const { approve, onEvent } = this.#options;
    const { hooks } = toolset;
    const direct = generation.visible.flatMap(({ tool }) => tool ?? []);
    this.#results ??= savedResultsWithin(limits);
    generation.hold();
    const held: Held = {
      generation,
      running: 0,
      direct: new DirectTools(direct, { limits, hooks, approve, onEvent }),
      session: createCellSession({
        catalog,
        limits,
        languages: settings.languages,
        directTools: direct.map(({ name }) => name),
        hooks,
        approve,
        store: this.#store,
        savedResults: this.#results,
        ...(onEvent === undefined ? {} : { onEvent }),
      }),
    };
    this.#current = held;
    this.#all.add(held);
    this.#endIdle();
    return held;
  }

  async #leg(held: Held, run: () => Promise<CellResult>): Promise<CellResult> {
    return this.#whileRunning(held, async () => {
      const result = await run();
      if (result.status === "waiting") this.#waiting.set(result.runId, held);
      return result;
    });
  }

  async #whileRunning<T>(held: Held, run: () => Promise<T>): Promise<T> {
    held.running += 1;
    try {
      return await run();
    } finally {
      held.running -= 1;
      this.#endIdle();
    }
  }

  /** Ends what belongs to earlier tools and has nothing left to do. */
  #endIdle(): void {
    for (const runId of this.#waiting.keys()) if (!parkedRuns.has(runId)) this.#waiting.delete(runId);
    const needed = new Set(this.#waiting.values());
    for (const held of this.#all) {
      if (held !== this.#current && held.running === 0 && !needed.has(held)) {
        void this.#end(held).catch(() => {});
      }
    }
  }

  async #end(held: Held): Promise<void> {
    if (!this.#all.delete(held)) return;
    try {
      await held.session.close();
    } finally {
      held.generation.release();
    }
  }
}

function runIdOf(input: unknown): string {
  const { runId, run_id } = (input ?? {}) as { runId?: unknown; run_id?: unknown };
  const given = runId ?? run_id;
  return typeof given === "string" ? given.trim() : "";
}
