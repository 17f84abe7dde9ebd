import type { FuncKeywordDefinition } from "ajv/dist/2020.js";
import type { SchemaObject } from "./keywords.js";

/**
 * `uniqueItems` in time linear in the array. The validator's own compares every pair, which an array of
 * a hundred thousand items turns into minutes.
 */
export const uniqueItems: FuncKeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  errors: true,
  validate: Object.assign(
    function unique(wanted: boolean, items: unknown[]): boolean {
      if (!wanted) return true;
      const first = new Map<unknown, number>();
      for (const [index, item] of items.entries()) {
        const key = typeof item === "object" && item !== null ? canonical(item) : primitive(item);
        const other = first.get(key);
        if (other !== undefined) {
          validator().errors = [{ keyword: "uniqueItems", params: { i: index, j: other } }];
          return false;
        }
        first.set(key, index);
      }
      return true;
    },
    {} as { errors?: object[] },
  ) as never,
};

function validator(): { errors?: object[] } {
  return uniqueItems.validate as never;
}

// Strings share the map with the canonical text of objects, so they are told apart by a prefix.
function primitive(item: unknown): unknown {
  return typeof item === "string" ? `s${item}` : item;
}

function canonical(item: object): string {
  return `o${JSON.stringify(item, (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const names = Object.keys(value).sort();
    return names.length < 2
      ? value
      : Object.fromEntries(names.map((name) => [name, (value as SchemaObject)[name]]));
  })}`;
}
