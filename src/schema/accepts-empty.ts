import { boundInputSchema } from "./bound.js";
import { isObject, own, type SchemaObject } from "./keywords.js";
import { prepare } from "./prepare.js";
import { snapshot } from "./snapshot.js";

/**
 * Whether an input schema accepts `{}` with no defaults filled, which is what a call without an argument
 * passes; `false` for a schema that does not compile. An absent schema accepts it. Decides without
 * loading the validator, and as the validator would.
 */
export function acceptsEmptyInput(schema: unknown): boolean {
  if (schema === undefined) return true;
  const { value, parts } = snapshot(schema);
  if (parts.some(({ fatal }) => fatal)) return false;
  try {
    const { schema: root } = prepare(boundInputSchema(value).schema, false);
    const definitions = isObject(root) ? own(root, "$defs") : undefined;
    return new EmptyCheck(isObject(definitions) ? definitions : {}).accepts(root);
  } catch {
    return false;
  }
}

/** Applies prepared schemas to the one value `{}`. */
class EmptyCheck {
  private readonly known = new Map<string, boolean>();

  constructor(private readonly definitions: SchemaObject) {}

  accepts(schema: unknown): boolean {
    if (!isObject(schema)) return schema !== false;
    const list = (keyword: string): unknown[] => (schema[keyword] as unknown[] | undefined) ?? [];
    const types = [schema.type ?? "object"].flat();
    if (!types.includes("object")) return false;
    if (list("required").length > 0 || ((schema.minProperties as number | undefined) ?? 0) > 0) return false;
    if (Object.hasOwn(schema, "const") && !isEmpty(schema.const)) return false;
    if (Object.hasOwn(schema, "enum") && !list("enum").some(isEmpty)) return false;
    if (typeof schema.$ref === "string" && !this.definition(schema.$ref)) return false;
    if (!list("allOf").every((branch) => this.accepts(branch))) return false;
    if (schema.anyOf !== undefined && !list("anyOf").some((branch) => this.accepts(branch))) return false;
    if (schema.oneOf !== undefined && list("oneOf").filter((b) => this.accepts(b)).length !== 1) return false;
    if (schema.not !== undefined && this.accepts(schema.not)) return false;
    if (schema.if === undefined) return true;
    return this.accepts(this.accepts(schema.if) ? schema.then : schema.else);
  }

  private definition(ref: string): boolean {
    let known = this.known.get(ref);
    if (known === undefined) {
      known = this.accepts(this.definitions[ref.slice("#/$defs/".length)]);
      this.known.set(ref, known);
    }
    return known;
  }
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
