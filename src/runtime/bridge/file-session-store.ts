import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ensureFolder } from "../../ensure-folder.js";
import { CommandFailure, UsageFailure } from "../../errors.js";
import type { SessionStoreBackend } from "../types.js";

/** How long a process waits for another one to finish its commit. */
const LOCK_RETRIES = { retries: 40, minTimeout: 25, maxTimeout: 250 } as const;

/**
 * The file a session name is kept in. Any non-blank name works: the readable part of the file name is
 * what the name has of safe characters, a digest of the whole keeps names apart that would look alike,
 * also where the file system ignores case.
 * @throws UsageFailure for a blank name
 */
export function sessionFile(sessionsDir: string, name: string): string {
  if (name.trim() === "") throw new UsageFailure("a session name must not be blank");
  const readable = name.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 40);
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 12);
  return join(sessionsDir, `${readable}-${digest}.json`);
}

/**
 * Keeps a session's `store()` values in one JSON file. Writes are atomic (a temporary file and a
 * rename) and made under a lock over a fresh read, so two processes that share a session lose nothing
 * to each other. A missing file is an empty store.
 * @param path see `sessionFile`; folders are created on the first write
 */
export function fileSessionStore(path: string): SessionStoreBackend {
  const read = (): Promise<Record<string, unknown>> => readStore(path);
  return {
    read,
    write: (content) => locked(path, () => writeStore(path, content)),
    update: (change) => locked(path, async () => writeStore(path, change(await read()))),
  };
}

async function readStore(path: string): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw unusable(path, "cannot be read", error);
  }
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content === "object" && content !== null && !Array.isArray(content)) {
      return content as Record<string, unknown>;
    }
  } catch {
    // said below: the parser's own words name an offset nobody can use
  }
  throw unusable(path, "does not hold a JSON object");
}

async function writeStore(path: string, content: Record<string, unknown>): Promise<void> {
  const { default: writeFileAtomic } = await import("write-file-atomic");
  try {
    await writeFileAtomic(path, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  } catch (error) {
    throw unusable(path, "cannot be written", error);
  }
}

async function locked<T>(path: string, work: () => Promise<T>): Promise<T> {
  const { default: lockfile } = await import("proper-lockfile");
  let release: () => Promise<void>;
  try {
    await ensureFolder(dirname(path), 0o700);
    release = await lockfile.lock(path, {
      realpath: false,
      stale: 10_000,
      retries: LOCK_RETRIES,
      // Its default ends the process; a commit is far shorter than the time after which a lock goes stale.
      onCompromised: () => {},
    });
  } catch (error) {
    throw unusable(path, "cannot be locked (another process may be using it)", error);
  }
  try {
    return await work();
  } finally {
    await release().catch(() => {});
  }
}

function unusable(path: string, what: string, cause?: unknown): CommandFailure {
  return new CommandFailure("session_store", `session store ${path} ${what}`, {
    hint: "Choose another --session name, or remove the file to start anew.",
    ...(cause === undefined ? {} : { cause }),
  });
}
