import { isObject, own, type SchemaObject } from "./keywords.js";
import { ANY_ARRAY, join, type MemberWriter } from "./type-members.js";

const MOST_POSITIONS = 64;

/**
 * The array or tuple type that all facets together describe, or undefined when they say nothing of
 * arrays. Positions beyond `minItems` are optional, what may follow them is a rest element.
 */
export function arrayType(
  facets: readonly SchemaObject[],
  depth: number,
  writer: MemberWriter,
): string | undefined {
  const layouts = facets.map(layout).filter((found) => found !== undefined);
  if (layouts.length === 0) return undefined;
  const positions = Math.max(...layouts.map(({ prefix }) => prefix.length));
  const rests = layouts.flatMap(({ rest }) => (rest === undefined ? [] : [rest]));
  const rest = rests.length === 0 ? ["unknown"] : writer.child(rests, depth + 1);
  if (positions === 0 || positions > MOST_POSITIONS) {
    return positions === 0 ? `Array<${join(rest)}>` : ANY_ARRAY;
  }

  const least = Math.max(0, ...counts(facets, "minItems"));
  const most = Math.min(...counts(facets, "maxItems"), Number.POSITIVE_INFINITY);
  const elements: string[] = [];
  let open = join(rest) !== "never" && most > positions;
  for (let i = 0; i < Math.min(positions, most); i += 1) {
    const schemas = layouts.flatMap(({ prefix, rest }) => {
      const schema = i < prefix.length ? prefix[i] : rest;
      return schema === undefined ? [] : [schema];
    });
    const members = schemas.length === 0 ? ["unknown"] : writer.child(schemas, depth + 1);
    const text = join(members);
    if (i < least) elements.push(text);
    else if (text === "never") {
      // Nothing may stand here, so the array ends before.
      open = false;
      break;
    } else elements.push(`${members.length > 1 ? `(${text})` : text}?`);
  }
  if (open) elements.push(`...Array<${join(rest)}>`);
  return `[${elements.join(", ")}]`;
}

interface Layout {
  prefix: readonly unknown[];
  /** Schema of what follows; undefined when anything may. */
  rest: unknown;
}

function layout(facet: SchemaObject): Layout | undefined {
  const items = own(facet, "items");
  const prefix = own(facet, "prefixItems");
  if (Array.isArray(items)) return { prefix: items, rest: own(facet, "additionalItems") };
  if (Array.isArray(prefix)) return { prefix, rest: isSchema(items) ? items : undefined };
  return isSchema(items) ? { prefix: [], rest: items } : undefined;
}

function isSchema(value: unknown): boolean {
  return isObject(value) || typeof value === "boolean";
}

function counts(facets: readonly SchemaObject[], keyword: string): number[] {
  return facets.map((facet) => own(facet, keyword)).filter((value) => typeof value === "number");
}
