import { fitReference } from "../output/reference.js";
import { previewOf } from "./saved-preview.js";
import { arrayShapes, shapeOf } from "./saved-shape.js";
import { walkSaved } from "./saved-walk.js";
import type { ResultReference } from "./types.js";

/** Largest JSON form of a descriptor: it has to stay worth returning instead of the data. */
const MOST_BYTES = 768;
/** Values up to this size are shown whole. */
const WHOLE_BYTES = 256;

/**
 * What `results.save` returns: enough to decide what to load, in at most 768 bytes of JSON. `bytes` is
 * the size of `json`; `count` its items, its keys, or 1 for a single value.
 */
export function describeSaved(id: string, json: string, bytes: number): ResultReference {
  const value: unknown = JSON.parse(json);
  const count =
    typeof value !== "object" || value === null
      ? 1
      : Array.isArray(value)
        ? value.length
        : Object.keys(value).length;
  const walk = walkSaved(value);
  const shape = (walk.limited ? "limited traversal; " : "") + (arrayShapes(walk) || shapeOf(value, 6));
  const whole = bytes <= WHOLE_BYTES;
  const preview = whole ? json : JSON.stringify(previewOf(value, walk));
  const reference = { id, bytes, count, shape, preview, previewTruncated: !whole };
  return fitReference(reference, MOST_BYTES) ?? { ...reference, shape: "", preview: "" };
}
