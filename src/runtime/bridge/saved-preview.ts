import { fittingPrefix, utf8Bytes } from "../output/json-text.js";
import type { SavedWalk } from "./saved-walk.js";

const LEVELS = 2;
const ITEMS = 2;
const FIELDS = 6;
const STRING_BYTES = 48;
const SCALARS = 4;
const SCALARS_BYTES = 96;
const SCALAR_KEYS = 16;

/** Samples of a value too large to show whole: its scalars, and items of its longest arrays. */
export function previewOf(value: unknown, walk: SavedWalk): Record<string, unknown> {
  const head = { sampled: true, traversalLimited: walk.limited };
  const fields = scalarFields(value);
  const withFields = fields === undefined ? head : { ...head, fields };
  const arrays = walk.arrays.filter((array) => array.items.length > 0);
  if (arrays.length === 0) return { ...withFields, value: sample(value, LEVELS) };
  return {
    ...withFields,
    arrays: arrays.map(({ path, items, samples }) => ({
      path,
      count: items.length,
      items: samples.map((index) => ({ index, value: sample(items[index], LEVELS) })),
    })),
  };
}

/** Up to four short scalars of an object, such as a total or a cursor; numbers and flags before texts. */
function scalarFields(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const scalars = Object.entries(value)
    .slice(0, SCALAR_KEYS)
    .filter(([, member]) => typeof member !== "object" || member === null);
  const ordered = [
    ...scalars.filter(([, member]) => typeof member !== "string"),
    ...scalars.filter(([, member]) => typeof member === "string"),
  ];
  const chosen: [string, unknown][] = [];
  for (const [key, member] of ordered) {
    const next = [...chosen, [key, clip(member)] as [string, unknown]];
    if (chosen.length < SCALARS && utf8Bytes(JSON.stringify(Object.fromEntries(next))) <= SCALARS_BYTES) {
      chosen.push(next.at(-1)!);
    }
  }
  return chosen.length === 0 ? undefined : Object.fromEntries(chosen);
}

function sample(value: unknown, levels: number): unknown {
  if (typeof value !== "object" || value === null) return clip(value);
  if (levels === 0) return Array.isArray(value) ? `[${value.length} items]` : "{…}";
  if (Array.isArray(value)) return value.slice(0, ITEMS).map((item) => sample(item, levels - 1));
  const fields = Object.entries(value).slice(0, FIELDS);
  return Object.fromEntries(fields.map(([key, member]) => [key, sample(member, levels - 1)]));
}

function clip(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const head = fittingPrefix(value, STRING_BYTES, false);
  return head === value ? value : `${head}…`;
}
