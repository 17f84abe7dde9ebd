import type { ResultReference } from "../bridge/types.js";
import { fittingPrefix, jsonStringBytes, utf8Bytes } from "./json-text.js";

/** Bytes of a reference with nothing but its identity. */
export function identityBytes(reference: ResultReference): number {
  return utf8Bytes(JSON.stringify({ ...reference, shape: "", preview: "", previewTruncated: false }));
}

/**
 * The same reference in at most `maxBytes` of compact JSON: whole when it fits, else shape and preview
 * are shortened. The shape has a right to a third of the room, and to what the preview leaves.
 * Undefined when not even id, bytes and count fit.
 */
export function fitReference(reference: ResultReference, maxBytes: number): ResultReference | undefined {
  if (utf8Bytes(JSON.stringify(reference)) <= maxBytes) return reference;
  const room = maxBytes - identityBytes(reference);
  if (room < 0) return undefined;
  const wanted = contentBytes(reference.preview);
  const shape = fittingPrefix(reference.shape, Math.max(Math.floor(room / 3), room - wanted), false);
  const preview = fittingPrefix(reference.preview, room - contentBytes(shape), false);
  const cut = preview !== reference.preview;
  return { ...reference, shape, preview, previewTruncated: cut || reference.previewTruncated };
}

/** Bytes of a text inside its JSON string. */
function contentBytes(text: string): number {
  return jsonStringBytes(text) - 2;
}
