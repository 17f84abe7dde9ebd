import type { SavedWalk } from "./saved-walk.js";

const ITEM_KEYS = 6;
const LEVELS = 2;

/**
 * The outline of a value as TypeScript-like text: kinds instead of data, two levels deep, at most `keys`
 * keys an object, then `…`.
 */
export function shapeOf(value: unknown, keys: number, levels = LEVELS): string {
  if (value === null) return "null";
  if (Array.isArray(value)) {
    const kinds = new Set(
      value.slice(0, 3).map((item) => (levels > 0 ? shapeOf(item, keys, levels - 1) : "…")),
    );
    return value.length === 0 ? "[]" : `Array(${value.length})<${[...kinds].join(" | ")}>`;
  }
  if (typeof value !== "object") return typeof value;
  if (levels === 0) return "object";
  const names = Object.keys(value);
  const shown = names.slice(0, keys).map((name) => {
    const inner = shapeOf((value as Record<string, unknown>)[name], keys, levels - 1);
    return `${JSON.stringify(name)}:${inner}`;
  });
  if (names.length > keys) shown.push("…");
  return `{${shown.join(",")}}`;
}

/** One clause an array: where it is, how long, and the shapes of its sampled items; "" without arrays. */
export function arrayShapes(walk: SavedWalk): string {
  return walk.arrays
    .filter((array) => array.items.length > 0)
    .map(({ path, items, samples }) => {
      const shapes = new Set(samples.map((index) => shapeOf(items[index], ITEM_KEYS, 1)));
      const mixed = shapes.size > 1 ? " heterogeneous" : "";
      return `${path}: ${items.length} items, sampled ${samples.length}/${items.length}${mixed}: ${[...shapes].join(" | ")}`;
    })
    .join("; ");
}
