import { isObject, own, type SchemaObject } from "./keywords.js";
import { type References, references } from "./refs.js";
import { numberComment } from "./render-parts.js";
import { TypeAliases } from "./type-aliases.js";
import { arrayType } from "./type-array.js";
import { allowedValues, commonTypes, conjunction, type JsonType, literalMembers } from "./type-facets.js";
import {
  ANY_ARRAY,
  ANY_OBJECT,
  join,
  type MemberWriter,
  NEVER,
  type TypeStyle,
  UNKNOWN,
  union,
} from "./type-members.js";
import { objectType } from "./type-object.js";

export interface TypeText {
  /** A TypeScript type on one line. */
  text: string;
  /** Types it refers to by name: recursive definitions, and large ones used more than once. */
  aliases: { name: string; text: string }[];
}

/** Longest text of a type with its aliases, in UTF-16 code units, and most schema visits made for it. */
export const MOST_TYPE_TEXT = 32_768;
const MOST_VISITS = 4_096;
/** Text taken again from parts that were written before; parts inside parts would multiply without end. */
const MOST_REUSED_TEXT = 8 * MOST_TYPE_TEXT;
const MOST_VARIANTS = 64;
const MOST_BRANCHES = 256;

/**
 * The TypeScript type of a schema: at least as wide as the schema, never `any`, and bounded: where the
 * text would pass 32,768 characters, deeper levels become `unknown` first.
 */
export function typeText(schema: unknown, style: TypeStyle): TypeText {
  for (let depth = style.depth; depth > 0; depth = Math.floor(depth / 2)) {
    const writer = new TypeWriter(schema, { ...style, depth });
    const written = writer.write();
    const length = written.aliases.reduce((sum, { name, text }) => sum + name.length + text.length, 0);
    if (written.text.length + length <= MOST_TYPE_TEXT) return written;
  }
  return { text: "unknown", aliases: [] };
}

class TypeWriter implements MemberWriter {
  readonly refs: References | undefined;
  private readonly aliases: TypeAliases;
  private readonly known = new Map<SchemaObject, Map<number, readonly string[]>>();
  private readonly listed = new Map<SchemaObject, readonly string[]>();
  private visits = 0;
  private written = 0;
  private reused = 0;

  constructor(
    private readonly root: unknown,
    readonly style: TypeStyle,
  ) {
    this.refs = isObject(root) ? references(root) : undefined;
    this.aliases = new TypeAliases(root, this.refs, style.aliasPrefix);
  }

  write(): TypeText {
    const asked = this.style.rootIsObject ? [this.root, { type: "object" }] : [this.root];
    const text = join(this.together(asked, 0));
    const bodies: TypeText["aliases"] = [];
    // Bodies may ask for further aliases.
    for (let next = this.aliases.next(); next !== undefined; next = this.aliases.next()) {
      bodies.push({ name: next.name, text: join(this.together([next.target], 0)) });
    }
    return { text, aliases: bodies };
  }

  /** Union members of the type of a value that matches all of `schemas`, one level down. */
  child(schemas: readonly unknown[], depth: number): readonly string[] {
    const [only] = schemas;
    if (schemas.length !== 1 || !isObject(only)) return this.together(schemas, depth);
    const alias = this.aliases.forReference(only, (target) => join(this.single(target, depth)).length);
    return alias === undefined ? this.single(only, depth) : [alias];
  }

  private single(node: SchemaObject, depth: number): readonly string[] {
    const byDepth = this.known.get(node) ?? new Map<number, readonly string[]>();
    this.known.set(node, byDepth);
    const known = byDepth.get(depth);
    if (known !== undefined) {
      for (const member of known) this.reused += member.length;
      return this.reused > MOST_REUSED_TEXT ? UNKNOWN : known;
    }
    const members = this.together([node], depth);
    byDepth.set(depth, members);
    return members;
  }

  private together(
    schemas: readonly unknown[],
    depth: number,
    base: readonly SchemaObject[] = [],
  ): readonly string[] {
    if (schemas.includes(false)) return NEVER;
    if (depth >= this.style.depth || this.visits > MOST_VISITS || this.written > MOST_TYPE_TEXT) {
      return UNKNOWN;
    }
    const { never, facets, unions } = conjunction(schemas, this.refs, base);
    this.visits += Math.max(1, facets.length);
    if (never) return NEVER;
    const variants = unions.length === 0 ? undefined : product(unions);
    if (variants === undefined) return this.counted(this.facets(facets, depth, base.length > 0));
    const members = variants.flatMap((branches) => this.together(branches, depth, facets));
    return union(members);
  }

  private facets(facets: readonly SchemaObject[], depth: number, branch: boolean): readonly string[] {
    const types = commonTypes(facets);
    const values = allowedValues(facets, types);
    if (values !== undefined) return values.length === 0 ? NEVER : literalMembers(values);
    const object = (): string | undefined => objectType(facets, depth, this, branch);
    const array = (): string | undefined => arrayType(facets, depth, this);
    if (types !== undefined) return union(types.map((type) => this.ofType(type, facets, object, array)));
    const shapes = [object(), array()];
    if (shapes.every((shape) => shape === undefined)) return UNKNOWN;
    return union([shapes[0] ?? ANY_OBJECT, shapes[1] ?? ANY_ARRAY, "string", "number", "boolean", "null"]);
  }

  private ofType(
    type: JsonType,
    facets: readonly SchemaObject[],
    object: () => string | undefined,
    array: () => string | undefined,
  ): string {
    switch (type) {
      case "object":
        return object() ?? ANY_OBJECT;
      case "array":
        return array() ?? ANY_ARRAY;
      case "integer":
      case "number":
        return `number${numberComment(bounds(facets), type) ?? ""}`;
      default:
        return type;
    }
  }

  names(facet: SchemaObject): readonly string[] {
    let names = this.listed.get(facet);
    if (names === undefined) {
      const properties = own(facet, "properties");
      names = isObject(properties) ? Object.keys(properties) : [];
      this.listed.set(facet, names);
    }
    return names;
  }

  private counted(members: readonly string[]): readonly string[] {
    for (const member of members) this.written += member.length;
    return members;
  }
}

/**
 * Every choice of one branch from each union, as long as there are few; unions that would make too many
 * are left out, which only widens the type. Undefined when all are.
 */
function product(unions: readonly unknown[][]): unknown[][] | undefined {
  let variants: unknown[][] | undefined;
  for (const branches of unions) {
    if (variants === undefined) {
      if (branches.length <= MOST_BRANCHES) variants = branches.map((branch) => [branch]);
    } else if (variants.length * branches.length <= MOST_VARIANTS) {
      variants = variants.flatMap((chosen) => branches.map((branch) => [...chosen, branch]));
    }
  }
  return variants;
}

function bounds(facets: readonly SchemaObject[]): SchemaObject {
  const found: SchemaObject = {};
  for (const facet of facets) {
    for (const keyword of ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]) {
      const bound = own(facet, keyword);
      if (typeof bound === "number") found[keyword] ??= bound;
    }
  }
  return found;
}
