import { channel } from "node:diagnostics_channel";

/** A phase in the life of a plugin that has ended: what commands did with it, and how long that took. */
export interface PluginPhase {
  phase: string;
  /** Plugin id, or its folder or entry while the id is unknown. */
  plugin?: string;
  ms: number;
  error?: string;
}

/** Code of a plugin that could not be used, with what its entry exports. */
export interface PluginLoadFault {
  plugin: string;
  phase: string;
  error: string;
  /** Export names with the kind of each value; absent when the entry did not import. */
  exports?: string;
  stack?: string;
}

// Channels of Node keep those who load plugins and those who watch them apart, and cost nothing unwatched.
const phases = channel("openclaw.plugin.phase");
const faults = channel("openclaw.plugin.fault");

/** Tells of a phase; nothing happens when nobody watches. */
export function tellPhase(phase: PluginPhase): void {
  if (phases.hasSubscribers) phases.publish(phase);
}

/** Tells of each named step of a longer work when it is done; the time is counted from the step before it. */
export function stepTimer(work: string, plugin: string): (step: string) => void {
  let before = performance.now();
  return (step) => {
    const now = performance.now();
    tellPhase({ phase: `${work}:${step}`, plugin, ms: now - before });
    before = now;
  };
}

/** Runs `work` as one phase. */
export async function tracePhase<T>(
  phase: string,
  plugin: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (!phases.hasSubscribers) return work();
  const startedAt = performance.now();
  const tell = (error?: unknown): void =>
    tellPhase({
      phase,
      ...(plugin === undefined ? {} : { plugin }),
      ms: performance.now() - startedAt,
      ...(error === undefined ? {} : { error: error instanceof Error ? error.message : String(error) }),
    });
  try {
    const result = await work();
    tell();
    return result;
  } catch (error) {
    tell(error ?? "nothing was said");
    throw error;
  }
}

/** Tells why code of a plugin cannot be used; `exported` is what its entry exports. */
export function tellLoadFault(
  fault: Omit<PluginLoadFault, "exports" | "error" | "stack">,
  error: unknown,
  exported?: unknown,
): void {
  if (!faults.hasSubscribers) return;
  const own = error instanceof Error && error.name === "CommandFailure";
  // The stack of a failure of ours leads to this toolchain, never to the fault.
  const cause =
    error instanceof Error && error.cause instanceof Error ? error.cause : own ? undefined : error;
  faults.publish({
    ...fault,
    error: error instanceof Error ? error.message : String(error),
    ...(exported === undefined ? {} : { exports: shapeOf(exported, 2) }),
    ...(cause instanceof Error && cause.stack !== undefined ? { stack: cause.stack } : {}),
  } satisfies PluginLoadFault);
}

export function watchPhases(listener: (phase: PluginPhase) => void): void {
  phases.subscribe((message) => listener(message as PluginPhase));
}

export function watchLoadFaults(listener: (fault: PluginLoadFault) => void): void {
  faults.subscribe((message) => listener(message as PluginLoadFault));
}

const MOST_KEYS = 24;

/** `{default: {id: string, register: function}}`: names and kinds, never values. */
function shapeOf(value: unknown, depth: number): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `array(${value.length})`;
  if (typeof value !== "object") return typeof value;
  if (depth === 0) return "object";
  const keys = Object.keys(value);
  const shown = keys.slice(0, MOST_KEYS).map((key) => `${key}: ${shapeOf(readOwn(value, key), depth - 1)}`);
  if (keys.length > MOST_KEYS) shown.push(`${keys.length - MOST_KEYS} more`);
  return `{${shown.join(", ")}}`;
}

function readOwn(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}
