import { utf8Bytes } from "../output/json-text.js";

const MOST_NODES = 128;
const MOST_LEVELS = 5;
const MOST_KEYS = 16;
const MOST_PATH_BYTES = 192;
const MOST_ARRAYS = 8;

export interface FoundArray {
  /** `$` for the root, `$.items`, `$["odd key"]`. */
  path: string;
  items: readonly unknown[];
  /** First, middle and last. */
  samples: readonly number[];
}

export interface SavedWalk {
  /** The longest arrays first, at most 8. */
  arrays: readonly FoundArray[];
  /** Whether parts of the value were not looked at. */
  limited: boolean;
}

/**
 * Looks for the arrays in a parsed JSON value, level by level, within fixed bounds: a large or hostile
 * value costs no more than a small one.
 */
export function walkSaved(root: unknown): SavedWalk {
  const arrays: FoundArray[] = [];
  let limited = false;
  let visited = 0;
  let level: { value: unknown; path: string }[] = [{ value: root, path: "$" }];
  for (let depth = 0; level.length > 0; depth++) {
    const next: typeof level = [];
    for (const { value, path } of level) {
      if (typeof value !== "object" || value === null) continue;
      if (visited >= MOST_NODES || depth > MOST_LEVELS) {
        limited = true;
        break;
      }
      visited++;
      if (Array.isArray(value)) {
        const samples = sampleIndexes(value.length);
        arrays.push({ path, items: value, samples });
        // Items are told apart by their shapes; only arrays inside sampled items are of further interest.
        for (const index of samples) next.push({ value: value[index], path: `${path}[${index}]` });
        continue;
      }
      const keys = Object.keys(value);
      if (keys.length > MOST_KEYS) limited = true;
      for (const key of keys.slice(0, MOST_KEYS)) {
        const below = path + (/^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`);
        if (utf8Bytes(below) > MOST_PATH_BYTES) limited = true;
        else next.push({ value: (value as Record<string, unknown>)[key], path: below });
      }
    }
    level = next;
  }
  arrays.sort((a, b) => b.items.length - a.items.length || (a.path < b.path ? -1 : 1));
  return { arrays: arrays.slice(0, MOST_ARRAYS), limited };
}

function sampleIndexes(length: number): number[] {
  return [...new Set([0, length >> 1, length - 1])].filter((index) => index >= 0 && index < length);
}
