import { newWeakMap, weakMapGet, weakMapSet } from "./primordials.js";

const metadataOf = newWeakMap<object, string>();

export function setMetadata(handle: object, json: string): void {
  weakMapSet(metadataOf, handle, json);
}

/** JSON text of a callable handle's metadata; undefined for any other function. */
export function handleMetadata(value: object): string | undefined {
  return weakMapGet(metadataOf, value);
}
