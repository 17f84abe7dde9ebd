import { type VisibleTool, visibleTools } from "../catalog/model-view.js";
import { messageOf } from "../errors.js";
import type { RunSetup } from "../toolset/setup.js";
import { diskStamp, pluginStamp, watchDisk } from "./disk-state.js";

/** One state of plugins, servers and settings. Connections hold it while cells of theirs may still need it. */
export interface Generation {
  readonly setup: RunSetup;
  /** What clients are shown: `exec`, `wait` and direct-only tools, or every tool where Code Mode is off. */
  readonly visible: readonly VisibleTool[];
  hold(): void;
  /** Gives it back; the last one to do so after it was replaced ends its servers. */
  release(): void;
}

export interface Generations {
  readonly current: Generation;
  /** Calls back after each change of what clients are shown. */
  onChange(listener: () => void): () => void;
  /** Loads again soon, whatever the disk says: a server has other tools. */
  refresh(): void;
  close(): Promise<void>;
}

export interface GenerationOptions {
  /** Builds a state; its rejection at the start is the caller's. */
  load: () => Promise<RunSetup>;
  /** Hears of each new state before anybody uses it. */
  onLoaded?: (setup: RunSetup, visible: readonly VisibleTool[]) => void;
  onWarning: (line: string) => void;
}

interface OwnedGeneration extends Generation {
  retire(): void;
  end(): Promise<void>;
}

/** Editors and installs write in bursts; one change a burst is enough. */
const SETTLE_MS = 250;

function generationOf(setup: RunSetup, onEnd: (generation: OwnedGeneration) => void): OwnedGeneration {
  const { toolset, catalog, settings, limits } = setup;
  let holders = 0;
  let retired = false;
  let ended: Promise<void> | undefined;
  const settle = (): void => {
    if (retired && holders === 0) void generation.end().catch(() => {});
  };
  const generation: OwnedGeneration = {
    setup,
    visible: visibleTools({
      tools: toolset.tools,
      catalog,
      engaged: settings.enabled !== false,
      languages: settings.languages,
      limits,
    }),
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
    end: () => {
      onEnd(generation);
      ended ??= toolset.close();
      return ended;
    },
  };
  return generation;
}

/**
 * The code of a plugin that was imported stays what it was until the process ends.
 * @returns warns of each plugin whose files are no longer those that were imported
 */
function staleCodeWatch(onWarning: (line: string) => void): (setup: RunSetup) => void {
  const imported = new Map<string, string>();
  const told = new Map<string, string>();
  return ({ toolset }) => {
    for (const { plugin } of toolset.plugins) {
      const now = pluginStamp(plugin);
      const first = imported.get(plugin.rootDir) ?? now;
      imported.set(plugin.rootDir, first);
      if (now === first || told.get(plugin.rootDir) === now) continue;
      told.set(plugin.rootDir, now);
      onWarning(`plugin ${plugin.id} changed on disk; restart \`openclaw mcp serve\` to run its new code`);
    }
  };
}

/**
 * The tools a server offers, made anew when the configuration or the plugins change. A state that cannot be loaded keeps
 * the one before it and says why.
 */
export async function openGenerations({
  load,
  onLoaded,
  onWarning,
}: GenerationOptions): Promise<Generations> {
  const listeners = new Set<() => void>();
  const alive = new Set<OwnedGeneration>();
  const warnOfStaleCode = staleCodeWatch(onWarning);
  const adopt = (setup: RunSetup): OwnedGeneration => {
    const generation = generationOf(setup, (ended) => alive.delete(ended));
    alive.add(generation);
    warnOfStaleCode(setup);
    onLoaded?.(setup, generation.visible);
    return generation;
  };
  const shown = ({ visible }: Generation): string =>
    JSON.stringify(visible.map(({ definition }) => definition));

  let current = adopt(await load());
  let stamp = diskStamp(current.setup);
  let timer: NodeJS.Timeout | undefined;
  let loading: Promise<void> = Promise.resolve();
  let forced = false;
  let closed = false;

  async function reload(): Promise<void> {
    const now = diskStamp(current.setup);
    if (closed || (now === stamp && !forced)) return;
    forced = false;
    stamp = now;
    // Folders that have come into being are watched from before they are read.
    arm();
    let setup: RunSetup;
    try {
      setup = await load();
    } catch (error) {
      if (!closed) onWarning(`kept the tools as they were: ${messageOf(error)}`);
      return;
    }
    if (closed) return setup.toolset.close();
    const before = current;
    current = adopt(setup);
    stamp = diskStamp(setup);
    arm();
    before.retire();
    if (shown(before) === shown(current)) return;
    for (const listener of listeners) listener();
  }

  const touched = (): void => {
    // The first of a burst counts: a plugin that never stops writing must not put it off for ever.
    timer ??= setTimeout(() => {
      timer = undefined;
      loading = loading.then(reload).catch((error: unknown) => onWarning(messageOf(error)));
    }, SETTLE_MS);
    timer.unref();
  };
  let disarm = (): void => {};
  const arm = (): void => {
    disarm();
    disarm = watchDisk(current.setup, touched);
  };
  arm();

  return {
    get current() {
      return current;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    refresh() {
      forced = true;
      touched();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      disarm();
      await Promise.all([...alive].map((generation) => generation.end()));
      await loading;
    },
  };
}
