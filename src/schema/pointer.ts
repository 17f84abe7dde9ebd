/** A place inside a document, as a linked list so that a deep walk costs nothing until it is printed. */
export interface Place {
  readonly parent: Place | undefined;
  readonly segment: string;
}

const MOST_CHARACTERS = 240;

/** `#/properties/a~1b/items`: the place as a JSON Pointer fragment, cut in the middle when very long. */
export function pointer(place: Place | undefined): string {
  const segments: string[] = [];
  for (let at = place; at !== undefined; at = at.parent) segments.push(at.segment);
  const text = `#${segments
    .reverse()
    .map((segment) => `/${segment.replace(/~/g, "~0").replace(/\//g, "~1")}`)
    .join("")}`;
  if (text.length <= MOST_CHARACTERS) return text;
  const half = MOST_CHARACTERS / 2 - 2;
  return `${text.slice(0, half)} … ${text.slice(-half)}`;
}

export function below(place: Place | undefined, ...segments: readonly string[]): Place | undefined {
  return segments.reduce<Place | undefined>((parent, segment) => ({ parent, segment }), place);
}

/**
 * Segments of the fragment of a reference (`/$defs/a~1b` → `["$defs", "a/b"]`): percent-decoded, then
 * unescaped. Undefined when it is not a JSON Pointer.
 */
export function parsePointer(fragment: string): string[] | undefined {
  if (fragment === "") return [];
  if (!fragment.startsWith("/")) return undefined;
  let decoded = fragment;
  try {
    decoded = decodeURIComponent(fragment);
  } catch {
    // A stray % is taken literally.
  }
  return decoded
    .slice(1)
    .split("/")
    .map((segment) => segment.replace(/~1/g, "/").replace(/~0/g, "~"));
}
