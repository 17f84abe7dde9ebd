import { findLoop } from "./in-place-loops.js";
import { isObject, own, type SchemaObject, setOwn } from "./keywords.js";
import { CATCH_ALL } from "./pattern.js";
import { BadKeyword, isNames, kindOf, pattern, plainKeyword } from "./plain-keywords.js";
import { below, type Place, parsePointer } from "./pointer.js";
import { type References, references } from "./refs.js";
import { SchemaProblem } from "./schema-problem.js";
import { sharedNodes } from "./shared-nodes.js";

/** What `prepare` made of a schema, for the validator only. */
export interface Prepared {
  /** One self-contained draft 2020-12 document of known keywords; references point into its `$defs`. */
  schema: SchemaObject | boolean;
  /** Whether it has a `pattern` or `patternProperties`. */
  patterns: boolean;
  /** Whether a part of the schema may be applied more than once to the same value. */
  reentrant: boolean;
  /** Whether a property with an empty name is required, which needs care of the validator. */
  emptyName: boolean;
}

/**
 * Rewrites a snapshot into the one dialect the validator runs: draft 2020-12. Draft-07 tuples and
 * `dependencies`, draft-04 exclusive bounds and OpenAPI `nullable` become what they mean, local
 * references of every form point to one place each; formats, annotations and unknown keywords are left
 * out, and so are definitions that nothing refers to. Throws `SchemaProblem` for what has no meaning.
 */
export function prepare(root: unknown, keepDefaults: boolean): Prepared {
  if (typeof root === "boolean") return { schema: root, patterns: false, reentrant: false, emptyName: false };
  if (!isObject(root)) throw new SchemaProblem(undefined, `a schema must be an object, not ${kindOf(root)}`);
  const refs = references(root);
  return new Rewriter(refs, sharedNodes(root, refs), keepDefaults).run(root);
}

/** Where a node is being rewritten. */
interface Context {
  place: Place | undefined;
  /** The definition it is part of; -1 is the root. */
  definition: number;
  /** Whether it applies to the same value as the definition does. */
  inPlace: boolean;
}

class Rewriter {
  private readonly numbers = new Map<SchemaObject, number>();
  private readonly queue: { node: SchemaObject; place: Place | undefined }[] = [];
  /** For each definition, the definitions it applies to the very same value. */
  private readonly inPlace: Set<number>[] = [];
  private patterns = false;
  private emptyName = false;

  constructor(
    private readonly refs: References,
    private readonly shared: ReadonlySet<SchemaObject>,
    private readonly keepDefaults: boolean,
  ) {}

  run(root: SchemaObject): Prepared {
    const schema = this.subschema(root, { place: undefined, definition: -1, inPlace: true });
    const definitions: SchemaObject = {};
    // The queue grows while definitions are rewritten.
    for (let i = 0; i < this.queue.length; i += 1) {
      const { node, place } = this.queue[i]!;
      definitions[`r${i}`] = this.object(node, { place, definition: i, inPlace: true });
    }
    const loop = findLoop(this.inPlace);
    if (loop !== undefined) {
      const text = "refers back to itself without going into the value";
      throw new SchemaProblem(this.queue[loop]!.place, text);
    }
    const reentrant = this.queue.length > 0;
    if (reentrant) (schema as SchemaObject).$defs = definitions;
    return { schema: schema as SchemaObject, patterns: this.patterns, reentrant, emptyName: this.emptyName };
  }

  private subschema(value: unknown, at: Context): SchemaObject | boolean {
    if (typeof value === "boolean") return value;
    if (!isObject(value)) {
      throw new SchemaProblem(at.place, `a schema must be an object or a boolean, not ${kindOf(value)}`);
    }
    if (!this.shared.has(value)) return this.object(value, at);
    const use: SchemaObject = { $ref: this.define(value, at.place, at) };
    if (this.keepDefaults && Object.hasOwn(value, "default")) use.default = value.default;
    return use;
  }

  /** The reference to `node` as a definition of the prepared document. */
  private define(node: SchemaObject, place: Place | undefined, at: Context): string {
    let number = this.numbers.get(node);
    if (number === undefined) {
      number = this.queue.length;
      this.numbers.set(node, number);
      this.queue.push({ node, place });
      this.inPlace.push(new Set());
    }
    if (at.inPlace && at.definition >= 0) this.inPlace[at.definition]!.add(number);
    return `#/$defs/r${number}`;
  }

  private object(node: SchemaObject, at: Context): SchemaObject {
    const out: SchemaObject = {};
    const all: (SchemaObject | boolean)[] = [];
    for (const keyword of Object.keys(node)) this.keyword(node, keyword, out, all, at);
    if (all.length > 0) out.allOf = [...((out.allOf as unknown[] | undefined) ?? []), ...all];
    return own(node, "nullable") === true ? allowNull(out) : out;
  }

  private keyword(
    node: SchemaObject,
    keyword: string,
    out: SchemaObject,
    all: (SchemaObject | boolean)[],
    at: Context,
  ): void {
    const value = node[keyword];
    const place = below(at.place, keyword);
    try {
      const plain = plainKeyword(node, keyword);
      if (keyword === "enum" && (plain as unknown[]).length === 0) all.push(false);
      else if (plain !== undefined) out[keyword] = plain;
      else this.applicator(node, keyword, value, out, all, { ...at, place });
      if (keyword === "pattern") this.patterns = true;
      if (keyword === "required") this.emptyName ||= (plain as string[]).includes("");
    } catch (thrown) {
      throw thrown instanceof BadKeyword ? new SchemaProblem(place, thrown.message) : thrown;
    }
  }

  private applicator(
    node: SchemaObject,
    keyword: string,
    value: unknown,
    out: SchemaObject,
    all: (SchemaObject | boolean)[],
    at: Context,
  ): void {
    const inside: Context = { ...at, inPlace: false };
    switch (keyword) {
      case "$ref":
      case "$dynamicRef":
      case "$recursiveRef":
        this.reference(node, value, out, all, at);
        break;
      case "default":
        if (this.keepDefaults) out.default = value;
        break;
      case "properties":
        out.properties = this.map(value, inside);
        // The validator skips a property of this name; as a pattern it is seen.
        if (Object.hasOwn(out.properties as object, "__proto__")) {
          const schema = own(out.properties as SchemaObject, "__proto__");
          Reflect.deleteProperty(out.properties as object, "__proto__");
          out.patternProperties = { ...(out.patternProperties as object), "^__proto__$": schema };
        }
        break;
      case "patternProperties":
        out.patternProperties = { ...(out.patternProperties as object), ...this.patternMap(value, inside) };
        this.patterns = true;
        break;
      case "dependentSchemas":
      case "dependentRequired":
      case "dependencies":
        this.dependencies(value, keyword, out, at);
        break;
      case "allOf":
      case "prefixItems": {
        const schemas = this.list(value, keyword === "allOf" ? at : inside);
        if (schemas.length > 0) out[keyword] = schemas;
        break;
      }
      case "anyOf":
      case "oneOf":
        out[keyword] = this.list(value, at);
        if ((value as unknown[]).length === 0) throw new BadKeyword("must not be empty");
        break;
      case "items":
        if (Array.isArray(value)) this.tuple(node, value, out, inside);
        else out.items = this.subschema(value, inside);
        break;
      case "additionalProperties":
      case "unevaluatedProperties":
      case "unevaluatedItems":
      case "contains":
      case "propertyNames":
        out[keyword] = this.subschema(value, inside);
        break;
      case "not":
      case "if":
      case "then":
      case "else":
        out[keyword] = this.subschema(value, at);
        break;
    }
  }

  private map(value: unknown, at: Context): SchemaObject {
    if (!isObject(value)) throw new BadKeyword(`must be an object of schemas, not ${kindOf(value)}`);
    const copy: SchemaObject = {};
    for (const name of Object.keys(value)) {
      setOwn(copy, name, this.subschema(value[name], { ...at, place: below(at.place, name) }));
    }
    return copy;
  }

  private patternMap(value: unknown, at: Context): SchemaObject {
    const everything: unknown[] = [];
    const patterns: SchemaObject = {};
    for (const [source, schema] of Object.entries(this.map(value, at))) {
      if (CATCH_ALL.has(source)) everything.push(schema);
      else setOwn(patterns, pattern(source), schema);
    }
    return everything.length === 0 ? patterns : { ...patterns, "": { allOf: everything } };
  }

  private list(value: unknown, at: Context): (SchemaObject | boolean)[] {
    if (!Array.isArray(value)) throw new BadKeyword(`must be an array of schemas, not ${kindOf(value)}`);
    return value.map((schema, i) => this.subschema(schema, { ...at, place: below(at.place, String(i)) }));
  }

  private reference(
    node: SchemaObject,
    ref: unknown,
    out: SchemaObject,
    all: (SchemaObject | boolean)[],
    at: Context,
  ): void {
    if (typeof ref !== "string") throw new BadKeyword(`must be a string, not ${kindOf(ref)}`);
    const found = this.refs.resolve(ref, node);
    if (!found.ok) throw new BadKeyword(unresolved(ref, found.reason));
    if (typeof found.target === "boolean") {
      all.push(found.target);
      return;
    }
    const $ref = this.define(found.target, placeOf(ref) ?? at.place, at);
    if (out.$ref === undefined) out.$ref = $ref;
    else all.push({ $ref });
  }

  /** Draft-07 tuple: positions here, the rest under `additionalItems`. */
  private tuple(node: SchemaObject, value: unknown[], out: SchemaObject, at: Context): void {
    if (Object.hasOwn(node, "prefixItems")) {
      throw new BadKeyword("an array of items cannot stand beside prefixItems");
    }
    const schemas = this.list(value, at);
    if (schemas.length > 0) out.prefixItems = schemas;
    const rest = own(node, "additionalItems");
    if (rest !== undefined) out.items = this.subschema(rest, at);
  }

  private dependencies(value: unknown, keyword: string, out: SchemaObject, at: Context): void {
    if (!isObject(value)) throw new BadKeyword(`must be an object, not ${kindOf(value)}`);
    const required: SchemaObject = { ...(out.dependentRequired as object) };
    const schemas: SchemaObject = { ...(out.dependentSchemas as object) };
    for (const name of Object.keys(value)) {
      const place = below(at.place, name);
      const names = keyword !== "dependentSchemas" && isNames(value[name]);
      if (!names && keyword === "dependentRequired") {
        throw new SchemaProblem(place, "must be an array of property names");
      }
      // The validator overlooks an empty name here, but not under `required`.
      const overlooked = names && (value[name] as string[]).includes("");
      const needs = overlooked ? { required: value[name] } : value[name];
      if (names && !overlooked) setOwn(required, name, needs);
      else setOwn(schemas, name, this.subschema(needs, { ...at, place }));
    }
    if (Object.keys(required).length > 0) out.dependentRequired = required;
    if (Object.keys(schemas).length > 0) out.dependentSchemas = schemas;
  }
}

function unresolved(ref: string, reason: "missing" | "remote" | "ambiguous"): string {
  const shown = JSON.stringify(ref.slice(0, 200));
  if (reason === "remote") return `${shown} is outside this schema; references are never fetched`;
  if (reason === "ambiguous") return `${shown} names two different definitions`;
  return `${shown} leads to nothing in this schema`;
}

function placeOf(ref: string): Place | undefined {
  const segments = ref.startsWith("#/") ? parsePointer(ref.slice(1)) : undefined;
  return segments && below(undefined, ...segments);
}

// OpenAPI 3.0: beside a type, null joins it; without one, null is one more alternative.
function allowNull(out: SchemaObject): SchemaObject {
  if (out.type === undefined) {
    return Object.keys(out).length === 0 ? out : { anyOf: [out, { type: "null" }] };
  }
  const types = Array.isArray(out.type) ? out.type : [out.type];
  if (!types.includes("null")) out.type = [...types, "null"];
  return out;
}
