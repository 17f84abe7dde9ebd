import { watch } from "node:fs";
import { basename, dirname } from "node:path";
import { messageOf } from "../errors.js";
import type { RunSetup } from "../toolset/setup.js";

/** One state of plugins, servers and settings. Connections hold it while cells of theirs may still need it. */
export interface Generation {
  readonly setup: RunSetup;
  hold(): void;
  /** Gives it back; the last one to do so after it was replaced ends its servers. */
  release(): void;
}

export interface Generations {
  readonly current: Generation;
  /** Calls back after each change that made a new generation. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

/** Editors and installs write in bursts; one change a burst is enough. */
const SETTLE_MS = 250;

function generationOf(setup: RunSetup): Generation & { retire(): void; end(): Promise<void> } {
  let holders = 0;
  let retired = false;
  let ended: Promise<void> | undefined;
  const end = (): Promise<void> => {
    ended ??= setup.toolset.close();
    return ended;
  };
  const settle = (): void => {
    if (retired && holders === 0) void end().catch(() => {});
  };
  return {
    setup,
    hold: () => {
      holders += 1;
    },
    release: () => {
      holders -= 1;
      settle();
    },
    retire: () => {
      retired = true;
      settle();
    },
    end,
  };
}

function watchPath(path: string, onTouched: (name: string | null) => void): (() => void) | undefined {
  try {
    const watcher = watch(path, { persistent: false }, (_event, name) => onTouched(name));
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    // Not there yet: the folder above is watched instead.
    return undefined;
  }
}

/**
 * The tools a server offers, made anew when the configuration or the installed plugins change. A state that cannot be
 * loaded keeps the one before it and says why.
 * @param load builds a state; its rejection at the start is the caller's
 */
export async function openGenerations(
  load: () => Promise<RunSetup>,
  onWarning: (line: string) => void,
): Promise<Generations> {
  const listeners = new Set<() => void>();
  let current = generationOf(await load());
  const alive = new Set([current]);
  let timer: NodeJS.Timeout | undefined;
  let loading: Promise<void> | undefined;
  let closed = false;

  async function reload(): Promise<void> {
    let setup: RunSetup;
    try {
      setup = await load();
    } catch (error) {
      onWarning(`kept the tools as they were: ${messageOf(error)}`);
      return;
    }
    const next = generationOf(setup);
    alive.add(next);
    if (closed) return;
    const before = current;
    current = next;
    before.retire();
    for (const listener of listeners) listener();
  }

  const touched = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      loading = (loading ?? Promise.resolve()).then(() => (closed ? undefined : reload()));
    }, SETTLE_MS);
    timer.unref();
  };
  const { configFile, extensionsDir, stateDir, recordsFile } = current.setup.paths;
  const named = (path: string) => (name: string | null) => {
    if (name === null || name === basename(path)) touched();
  };
  const stops = [
    watchPath(dirname(configFile), named(configFile)),
    watchPath(stateDir, named(extensionsDir)),
    watchPath(extensionsDir, touched),
    watchPath(dirname(recordsFile), named(recordsFile)),
  ];

  return {
    get current() {
      return current;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      for (const stop of stops) stop?.();
      await loading?.catch(() => {});
      await Promise.all([...alive].map((generation) => generation.end()));
    },
  };
}
