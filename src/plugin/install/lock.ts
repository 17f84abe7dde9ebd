import { join } from "node:path";
import type { StatePaths } from "../../config/paths.js";
import { ensureFolder } from "../../ensure-folder.js";
import { CommandFailure } from "../../errors.js";

/** A lock whose holder has not shown itself for this long belongs to a killed process, in ms. */
const STALE_MS = 4_000;
const UPDATE_MS = 1_000;

/** Held while installed folders and records change: milliseconds, never while npm or plugin code runs. */
export interface StateLock {
  /** Throws when the lock was lost, for example because the machine slept. */
  assertHeld(): void;
  release(): Promise<void>;
}

/**
 * Waits for the one lock over installed plugins; a stale one is taken over.
 * @throws CommandFailure `state_busy` after about a minute
 */
export async function lockState(paths: StatePaths): Promise<StateLock> {
  const { default: lockfile } = await import("proper-lockfile");
  await ensureFolder(paths.toolchainDir);
  const lockfilePath = join(paths.toolchainDir, "installs.lock");
  let lost: Error | undefined;
  let release: () => Promise<void>;
  try {
    release = await lockfile.lock(paths.toolchainDir, {
      lockfilePath,
      realpath: false,
      stale: STALE_MS,
      update: UPDATE_MS,
      retries: { retries: 400, factor: 1.1, minTimeout: 25, maxTimeout: 150 },
      onCompromised: (error) => {
        lost = error;
      },
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ELOCKED") throw error;
    throw new CommandFailure(
      "state_busy",
      `another process is changing the installed plugins: ${paths.stateDir}`,
      {
        hint: `Try again; if nothing else is running, delete ${lockfilePath}.`,
        cause: error,
      },
    );
  }
  return {
    assertHeld: () => {
      if (lost === undefined) return;
      throw new CommandFailure("state_busy", `the lock on ${paths.stateDir} was lost; nothing was changed`, {
        cause: lost,
      });
    },
    release: async () => {
      await release().catch(() => {});
    },
  };
}
