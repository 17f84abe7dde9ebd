import type { ResultReference } from "../bridge/types.js";
import { fittingPrefix, jsonStringBytes, utf8Bytes } from "./json-text.js";

/** Bytes of a reference with nothing but its identity. */
export function identityBytes(reference: ResultReference): number {
  return utf8Bytes(JSON.stringify({ ...reference, shape: "", preview: "", previewTruncated: false }));
}

/**
 * The same reference in at most `maxBytes` of compact JSON: whole when it fits, else shape and preview
 * are shortened (the shape to a third of their room, the preview to the rest). Undefined when not even
 * id, bytes and count fit.
 */
export function fitReference(reference: ResultReference, maxBytes: number): ResultReference | undefined {
  if (utf8Bytes(JSON.stringify(reference)) <= maxBytes) return reference;
  const room = maxBytes - identityBytes(reference);
  if (room < 0) return undefined;
  const shape = fittingPrefix(reference.shape, Math.max(0, Math.floor(room / 3)), false);
  const preview = fittingPrefix(reference.preview, room - (jsonStringBytes(shape) - 2), false);
  return { ...reference, shape, preview, previewTruncated: true };
}
