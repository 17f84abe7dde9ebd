import { randomUUID } from "node:crypto";
import { utf8Bytes } from "../output/json-text.js";
import { BridgeFailure } from "./failure.js";
import { describeSaved } from "./saved-descriptor.js";
import type { ResultReference } from "./types.js";

const MOST_ENTRIES = 64;

/** Results kept for later cells of one session, as JSON text. */
export interface SavedResults {
  /**
   * Keeps JSON text and describes it. Nothing is evicted to make room.
   * @throws BridgeFailure `invalid_input` when 64 are kept or the byte allowance is used up
   */
  save(json: string): ResultReference;
  /** The kept JSON text. @throws BridgeFailure `invalid_input` for anything that is not a kept id */
  load(id: unknown): string;
  /** @throws BridgeFailure as `load` */
  remove(id: unknown): void;
  /** Removes an entry that may be gone already. */
  release(id: string): void;
  clear(): void;
}

export function createSavedResults(options: { maxBytes: number }): SavedResults {
  const kept = new Map<string, { json: string; bytes: number }>();
  let usedBytes = 0;

  function known(id: unknown): string {
    if (typeof id !== "string" || id === "") {
      throw new BridgeFailure(
        "a saved result is named by the id that results.save returned, a non-empty string",
        "invalid_input",
      );
    }
    if (!kept.has(id)) {
      const shown = JSON.stringify(id.slice(0, 80));
      throw new BridgeFailure(
        `no saved result ${shown}: it was deleted, belongs to another session, or never existed`,
        "invalid_input",
      );
    }
    return id;
  }

  function release(id: string): void {
    usedBytes -= kept.get(id)?.bytes ?? 0;
    kept.delete(id);
  }

  return {
    save(json) {
      const bytes = utf8Bytes(json);
      if (kept.size >= MOST_ENTRIES) {
        throw new BridgeFailure(
          `${MOST_ENTRIES} results are saved, the most a session may keep: delete one with results.delete(id)`,
          "invalid_input",
        );
      }
      if (usedBytes + bytes > options.maxBytes) {
        throw new BridgeFailure(
          `saved results may take ${options.maxBytes} bytes together: ${usedBytes} are in use and this one needs ${bytes}; save less or delete one`,
          "invalid_input",
        );
      }
      const id = `result_${randomUUID()}`;
      const reference = describeSaved(id, json, bytes);
      kept.set(id, { json, bytes });
      usedBytes += bytes;
      return reference;
    },
    load: (id) => kept.get(known(id))!.json,
    remove: (id) => release(known(id)),
    release,
    clear() {
      kept.clear();
      usedBytes = 0;
    },
  };
}
