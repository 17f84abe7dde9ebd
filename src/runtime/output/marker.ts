import type { TruncationMarker } from "../types.js";
import { fittingPrefix, utf8Bytes } from "./json-text.js";

/** Compact JSON that did not fit: its beginning is enough, its size is exact. */
export interface OversizedJson {
  /** At least the first `room` UTF-16 units of the text. */
  head: string;
  /** UTF-8 bytes of the whole text. */
  totalBytes: number;
}

export const GUIDANCE = {
  output: "Too much output for one cell: emit fewer or smaller items, or page through the data.",
  value: "Too large to return whole: narrow the arguments, filter, page, or return fewer fields.",
  unsaved:
    "Too large to return whole, and there was no room to keep it for later cells: narrow the arguments, filter, page, or return fewer fields.",
  saved: "Kept whole for later cells: load it there with results.load(reference.id) and return a part.",
} as const;

/**
 * A marker of at most `room` bytes of compact JSON for a text that is larger: the longest prefix that
 * fits, and the exact number of bytes left out. `room` below the bare marker gives an empty prefix.
 */
export function truncationMarker(source: OversizedJson, room: number, guidance: string): TruncationMarker {
  const bare = utf8Bytes(
    JSON.stringify({ truncated: true, omittedBytes: source.totalBytes, guidance, prefix: "" }),
  );
  const prefix = fittingPrefix(source.head, room - bare, true);
  return { truncated: true, omittedBytes: source.totalBytes - utf8Bytes(prefix), guidance, prefix };
}
