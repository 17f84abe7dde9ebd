import { compareNames } from "../text/order.js";
import { isObject, own, type SchemaObject } from "./keywords.js";
import { jsonLiteral, numberComment, propertyKey, SHAPE_KEYWORDS, UNION_SIBLINGS } from "./render-parts.js";
import { snapshot } from "./snapshot.js";

/** The bounds of one kind of hint; lengths in UTF-16 code units. */
interface HintBounds {
  readonly text: number;
  readonly depth: number;
  readonly properties: number;
  /** Integer and range comments, which only callers need. */
  readonly comments: boolean;
}

const INPUT: HintBounds = { text: 300, depth: 4, properties: 16, comments: true };
/** The bounds of output hints. */
export const OUTPUT: HintBounds = { text: 800, depth: 6, properties: 22, comments: false };

/** Longest property name, and most branches of a union that is not all literals, in either hint. */
export const MOST_NAME = 128;
export const MOST_BRANCHES = 5;
const MOST_LITERALS = 8;
const MOST_LITERAL_TEXT = 96;
const MOST_VISITS = 20_000;

/** A type as text, and whether it tells everything there is to know of the shape. */
export interface Hint {
  text: string;
  complete: boolean;
}

/**
 * One-line TypeScript-like type of an input schema, at most 300 characters; what does not fit is shown
 * as `...` or `unknown`. `unknown` for anything that is no schema.
 */
export function inputHint(schema: unknown): string {
  const { value } = snapshot(schema);
  const renderer = new Renderer(INPUT);
  if (!isObject(value)) return "unknown";
  // A root object has one level more than the same object elsewhere.
  const { text } = own(value, "type") === "object" ? renderer.object(value, -1) : renderer.render(value, 0);
  return text.length > INPUT.text ? "unknown" : text;
}

/**
 * One-line TypeScript-like type of an output schema, at most 800 characters; undefined unless it shows
 * the whole shape.
 */
export function outputHint(schema: unknown): string | undefined {
  const { text, complete } = outputHintDraft(schema);
  return complete && text.length <= OUTPUT.text ? text : undefined;
}

/** The output hint before it is judged: what `outputHint` shows, or would have shown. */
export function outputHintDraft(schema: unknown): Hint {
  return new Renderer(OUTPUT).render(snapshot(schema).value, 0);
}

const UNKNOWN: Hint = { text: "unknown", complete: false };

class Renderer {
  private readonly known = new Map<SchemaObject, Map<number, Hint>>();
  private visits = 0;

  constructor(private readonly bounds: HintBounds) {}

  render(node: unknown, depth: number): Hint {
    if (!isObject(node)) return UNKNOWN;
    if (Object.keys(node).length === 0) return { text: "unknown", complete: true };
    if (depth >= this.bounds.depth) return UNKNOWN;
    // The same part at the same depth is the same text, so shared parts cost nothing twice.
    const byDepth = this.known.get(node) ?? new Map<number, Hint>();
    this.known.set(node, byDepth);
    let hint = byDepth.get(depth);
    if (hint === undefined) {
      this.visits += 1;
      hint = this.visits > MOST_VISITS ? UNKNOWN : this.node(node, depth);
      byDepth.set(depth, hint);
    }
    return hint;
  }

  private node(node: SchemaObject, depth: number): Hint {
    const plain = !SHAPE_KEYWORDS.some((keyword) => Object.hasOwn(node, keyword));
    const type = effectiveType(node);
    if (type === undefined) return UNKNOWN;
    const hint = this.shape(node, type.value, depth);
    return plain ? hint : { text: hint.text, complete: false };
  }

  private shape(node: SchemaObject, type: unknown, depth: number): Hint {
    if (Object.hasOwn(node, "anyOf") || Object.hasOwn(node, "oneOf")) return this.union(node, depth);
    const constant = Object.hasOwn(node, "const") ? jsonLiteral(node.const) : undefined;
    if (constant !== undefined) return { text: constant, complete: true };
    const literals = literalUnion(own(node, "enum"));
    if (literals !== undefined) return { text: literals, complete: true };
    if (!Array.isArray(type)) return this.single(node, type, depth);
    if (type.length === 0 || type.length > MOST_BRANCHES || type.some((name) => typeof name !== "string")) {
      return UNKNOWN;
    }
    return join(type.map((name) => this.one(node, name, depth + 1)));
  }

  /** A member of a list of types. */
  private one(node: SchemaObject, type: string, depth: number): Hint {
    if (depth >= this.bounds.depth) return UNKNOWN;
    const hint = this.single(node, type, depth);
    return SHAPE_KEYWORDS.some((keyword) => Object.hasOwn(node, keyword))
      ? { text: hint.text, complete: false }
      : hint;
  }

  private union(node: SchemaObject, depth: number): Hint {
    if (Object.hasOwn(node, "anyOf") && Object.hasOwn(node, "oneOf")) return UNKNOWN;
    const branches = own(node, "anyOf") ?? own(node, "oneOf");
    if (!Array.isArray(branches) || branches.length === 0) return UNKNOWN;
    if (UNION_SIBLINGS.some((keyword) => Object.hasOwn(node, keyword))) return UNKNOWN;
    const literals = branches.map((branch: unknown) =>
      isObject(branch) && !SHAPE_KEYWORDS.some((keyword) => Object.hasOwn(branch, keyword))
        ? Object.hasOwn(branch, "const")
          ? jsonLiteral(branch.const)
          : undefined
        : undefined,
    );
    if (branches.length <= MOST_LITERALS && literals.every((literal) => literal !== undefined)) {
      const text = [...new Set(literals)].join(" | ");
      if (text.length <= MOST_LITERAL_TEXT) return { text, complete: true };
    }
    if (branches.length > MOST_BRANCHES) return UNKNOWN;
    return join(branches.map((branch) => this.render(branch, depth + 1)));
  }

  private single(node: SchemaObject, type: unknown, depth: number): Hint {
    switch (type) {
      case "string":
      case "boolean":
      case "null":
        return { text: type, complete: true };
      case "number":
      case "integer": {
        if (!this.bounds.comments) return { text: "number", complete: true };
        const comment = numberComment(node, type);
        return comment === undefined ? UNKNOWN : { text: `number${comment}`, complete: true };
      }
      case "array": {
        const item = this.render(own(node, "items"), depth + 1);
        return { text: `Array<${item.text}>`, complete: item.complete };
      }
      case "object":
        return this.object(node, depth);
      default:
        return UNKNOWN;
    }
  }

  /** `{ a: string; b?: number; ... }`; children are one level below `depth`. */
  object(node: SchemaObject, depth: number): Hint {
    const required = own(node, "required");
    const names = Array.isArray(required) ? required : [];
    const extra = own(node, "additionalProperties");
    const properties = own(node, "properties");
    if (!isObject(properties)) {
      const empty = extra === false && !names.some((name) => typeof name === "string");
      return empty ? { text: "{}", complete: true } : { text: "{ ... }", complete: false };
    }

    const { properties: most } = this.bounds;
    const needed = new Set(names.slice(0, most).filter((name) => typeof name === "string"));
    const keys = Object.keys(properties)
      .filter((key) => key.length <= MOST_NAME)
      .sort((a, b) => Number(needed.has(b)) - Number(needed.has(a)) || compareNames(a, b));
    let hidden =
      names.length > most ||
      keys.length > most ||
      keys.length < Object.keys(properties).length ||
      names.some((name) => typeof name !== "string" || !Object.hasOwn(properties, name)) ||
      (extra !== undefined && extra !== false);

    const fields: string[] = [];
    let length = 0;
    let complete = true;
    for (const key of keys.slice(0, most)) {
      const child = this.render(own(properties, key), depth + 1);
      const field = `${propertyKey(key)}${needed.has(key) ? "" : "?"}: ${child.text}`;
      const longer = length + (fields.length > 0 ? 2 : 0) + field.length;
      if (longer + BRACES > this.bounds.text) {
        hidden = true;
        break;
      }
      fields.push(field);
      length = longer;
      complete &&= child.complete;
    }
    if (!hidden) {
      const text = fields.length === 0 ? "{}" : `{ ${fields.join("; ")} }`;
      return { text, complete: complete && extra === false };
    }
    // The marker needs its room too, or a hint that nearly fits would be lost as a whole.
    while (fields.length > 0 && length + MARKER + BRACES > this.bounds.text) {
      length -= fields.pop()!.length + (fields.length > 0 ? 2 : 0);
    }
    return { text: `{ ${[...fields, "..."].join("; ")} }`, complete: false };
  }
}

const BRACES = "{  }".length;
const MARKER = "; ...".length;

/** The type with OpenAPI's `nullable` added; undefined when `nullable` has no meaning there. */
function effectiveType(node: SchemaObject): { value: unknown } | undefined {
  const type = own(node, "type");
  if (!Object.hasOwn(node, "nullable")) return { value: type };
  const types = Array.isArray(type) ? type : [type];
  if (typeof node.nullable !== "boolean" || !types.every((name) => typeof name === "string"))
    return undefined;
  if (!node.nullable || types.includes("null")) return { value: type };
  return { value: [...types, "null"] };
}

function literalUnion(values: unknown): string | undefined {
  if (!Array.isArray(values) || values.length === 0 || values.length > MOST_LITERALS) return undefined;
  const literals = values.map(jsonLiteral);
  if (literals.some((literal) => literal === undefined)) return undefined;
  const text = [...new Set(literals)].join(" | ");
  return text.length <= MOST_LITERAL_TEXT ? text : undefined;
}

function join(members: readonly Hint[]): Hint {
  if (members.some(({ complete }) => !complete)) return UNKNOWN;
  return { text: [...new Set(members.map(({ text }) => text))].join(" | "), complete: true };
}
