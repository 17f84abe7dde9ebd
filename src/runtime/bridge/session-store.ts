import { utf8Bytes } from "../output/json-text.js";
import type { SessionStoreBackend } from "../types.js";
import { BridgeFailure } from "./failure.js";

const MOST_KEY_CHARACTERS = 256;
const MOST_VALUE_BYTES = 256 * 1024;
const MOST_TOTAL_BYTES = 1024 * 1024;

/** JSON text by key. */
type Texts = ReadonlyMap<string, string>;

/** Values one session keeps between its cells, and with a backend between processes. */
export interface SessionStore {
  openCell(): CellStore;
}

/**
 * What one cell sees: the committed values as they were when it first asked, and its own writes over
 * them. Nothing it writes is seen by others before `commit`.
 */
export interface CellStore {
  /** JSON text, or undefined when nothing is stored under the key. @throws BridgeFailure `invalid_input` */
  get(key: unknown): Promise<string | undefined>;
  /** @throws BridgeFailure `invalid_input` for a bad key, a value over 256 KiB or more than 1 MiB in all */
  set(key: unknown, json: string): Promise<void>;
  delete(key: unknown): Promise<void>;
  /** @throws BridgeFailure when the backend fails or writes of others left no room; nothing is written then */
  commit(): Promise<void>;
  discard(): void;
}

export function createSessionStore(backend: SessionStoreBackend = memoryBackend()): SessionStore {
  /** Commits of one session follow each other, so that each sees what the one before wrote. */
  let commits: Promise<unknown> = Promise.resolve();

  return {
    openCell() {
      let base: Promise<Texts> | undefined;
      const written = new Map<string, string | undefined>();
      // Every request waits for it, so that requests nobody awaited still take effect in their order.
      const committed = (): Promise<Texts> => {
        base ??= commits.then(() => readTexts(backend));
        return base;
      };

      return {
        async get(key) {
          const name = checkedKey(key);
          const before = await committed();
          return written.has(name) ? written.get(name) : before.get(name);
        },
        async set(key, json) {
          const name = checkedKey(key);
          const bytes = utf8Bytes(json);
          if (bytes > MOST_VALUE_BYTES) {
            throw new BridgeFailure(
              `a stored value may take ${MOST_VALUE_BYTES} bytes of JSON, the one for ${quoted(name)} takes ${bytes}: store less, or use results.save for data of this run`,
              "invalid_input",
            );
          }
          const before = await committed();
          const total = totalBytes(merged(before, new Map([...written, [name, json]])));
          if (total > MOST_TOTAL_BYTES) throw overTotal(total);
          written.set(name, json);
        },
        async delete(key) {
          const name = checkedKey(key);
          await committed();
          written.set(name, undefined);
        },
        async commit() {
          if (written.size === 0) return;
          const changes = new Map(written);
          written.clear();
          const done = commits.then(() => writeChanges(backend, changes));
          commits = done.catch(() => {});
          await done;
        },
        discard() {
          written.clear();
        },
      };
    },
  };
}

function checkedKey(key: unknown): string {
  if (typeof key === "string" && key !== "" && key.length <= MOST_KEY_CHARACTERS) return key;
  const got = typeof key === "string" ? `${key.length} characters` : key === null ? "null" : typeof key;
  throw new BridgeFailure(
    `a store key is a string of 1 to ${MOST_KEY_CHARACTERS} characters, got ${got}`,
    "invalid_input",
  );
}

function quoted(key: string): string {
  return JSON.stringify(key.length > 40 ? `${key.slice(0, 40)}…` : key);
}

function overTotal(total: number): BridgeFailure {
  return new BridgeFailure(
    `stored values may take ${MOST_TOTAL_BYTES} bytes of JSON together, with this one they would take ${total}: delete some with store(key, undefined)`,
    "invalid_input",
  );
}

function merged(base: Texts, changes: ReadonlyMap<string, string | undefined>): Map<string, string> {
  const result = new Map(base);
  for (const [key, json] of changes) {
    if (json === undefined) result.delete(key);
    else result.set(key, json);
  }
  return result;
}

function totalBytes(texts: Texts): number {
  let total = 0;
  for (const json of texts.values()) total += utf8Bytes(json);
  return total;
}

async function readTexts(backend: SessionStoreBackend): Promise<Texts> {
  return textsOf(await backend.read());
}

async function writeChanges(
  backend: SessionStoreBackend,
  changes: ReadonlyMap<string, string | undefined>,
): Promise<void> {
  const apply = (content: Record<string, unknown>): Record<string, unknown> => {
    const texts = merged(textsOf(content), changes);
    const total = totalBytes(texts);
    if (total > MOST_TOTAL_BYTES) throw overTotal(total);
    return contentOf(texts);
  };
  if (backend.update !== undefined) await backend.update(apply);
  else await backend.write(apply(await backend.read()));
}

// Through entries, never by assignment: a key may be `__proto__`.
function textsOf(content: Record<string, unknown>): Map<string, string> {
  return new Map(Object.entries(content).map(([key, value]) => [key, JSON.stringify(value)]));
}

function contentOf(texts: Texts): Record<string, unknown> {
  return Object.fromEntries([...texts].map(([key, json]) => [key, JSON.parse(json) as unknown]));
}

/** Lives as long as the session. */
export function memoryBackend(): SessionStoreBackend {
  let content: Record<string, unknown> = {};
  return {
    read: async () => content,
    write: async (next) => {
      content = next;
    },
  };
}
