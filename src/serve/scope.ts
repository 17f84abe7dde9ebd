import type { Approver } from "../catalog/hooks.js";
import { createCellSession } from "../runtime/session.js";
import type { CellResult, CellSession, LegOptions, RuntimeEvent } from "../runtime/types.js";
import type { Generation, Generations } from "./generations.js";

export interface ScopeOptions {
  generations: Generations;
  approve: Approver;
  onEvent: (event: RuntimeEvent) => void;
}

interface Held {
  session: CellSession;
  generation: Generation;
  /** Cells that run or wait. */
  runs: number;
}

/**
 * What one connection can reach: its own cells, saved results and stored values, over the tools of the moment. A run
 * that waits stays with the tools it began with.
 */
export class ConnectionScope {
  readonly #options: ScopeOptions;
  readonly #waiting = new Map<string, Held>();
  readonly #all = new Set<Held>();
  #current: Held | undefined;
  #closed = false;

  constructor(options: ScopeOptions) {
    this.#options = options;
  }

  async exec(input: unknown, leg: LegOptions): Promise<CellResult> {
    const held = this.#upToDate();
    return this.#leg(held, () => held.session.exec(input, leg));
  }

  async wait(input: unknown, leg: LegOptions): Promise<CellResult> {
    const asked = (input as { runId?: unknown } | null)?.runId;
    const runId = typeof asked === "string" ? asked.trim() : "";
    // A foreign or finished id goes to the current session, which refuses it in its own words.
    const held = this.#waiting.get(runId) ?? this.#upToDate();
    const result = await this.#leg(held, () => held.session.wait(input, leg));
    // A refused wait (one already in flight, say) leaves the run where it is.
    const over =
      result.status === "completed" || (result.status === "failed" && result.failurePhase !== "input");
    if (over) {
      this.#waiting.delete(runId);
      this.#endWhenIdle(held);
    }
    return result;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#all].map((held) => this.#end(held)));
  }

  #upToDate(): Held {
    const generation = this.#options.generations.current;
    if (this.#current?.generation === generation) return this.#current;
    const { catalog, limits, settings, toolset } = generation.setup;
    generation.hold();
    const before = this.#current;
    this.#current = {
      generation,
      runs: 0,
      session: createCellSession({
        catalog,
        limits,
        languages: settings.languages,
        hooks: toolset.hooks,
        approve: this.#options.approve,
        onEvent: this.#options.onEvent,
      }),
    };
    this.#all.add(this.#current);
    if (before !== undefined) this.#endWhenIdle(before);
    return this.#current;
  }

  async #leg(held: Held, run: () => Promise<CellResult>): Promise<CellResult> {
    held.runs += 1;
    try {
      const result = await run();
      if (result.status === "waiting") this.#waiting.set(result.runId, held);
      return result;
    } finally {
      held.runs -= 1;
      this.#endWhenIdle(held);
    }
  }

  #endWhenIdle(held: Held): void {
    const waits = [...this.#waiting.values()].includes(held);
    if (!this.#closed && held !== this.#current && held.runs === 0 && !waits) void this.#end(held);
  }

  async #end(held: Held): Promise<void> {
    if (!this.#all.delete(held)) return;
    await held.session.close();
    held.generation.release();
  }
}
