import { children, type SchemaObject } from "./keywords.js";
import { type References, referenceOf } from "./refs.js";
import { type Visit, walk } from "./walk.js";

/** A reference becomes a name instead of a copy when its text is longer and it is used again. */
const LONG_TEXT = 120;
const MOST_WALKED = 20_000;

/** Keywords beside `$ref` that say nothing about the value. */
const SILENT =
  /^(\$ref|\$dynamicRef|\$recursiveRef|\$id|\$comment|title|description|default|examples?|deprecated|readOnly|writeOnly|x-.*)$/;

interface Alias {
  name: string;
  target: SchemaObject;
}

/**
 * Names for the targets of references: recursive ones, which cannot be written out, and long ones that
 * several places share. A name only ever stands one level down (in a field, an item), so that no alias
 * refers to itself directly.
 */
export class TypeAliases {
  private readonly names = new Map<SchemaObject, string>();
  private readonly queue: Alias[] = [];
  private readonly taken = new Set<string>();
  private uses: Map<SchemaObject, number> | undefined;
  private readonly recursive = new Map<SchemaObject, boolean>();
  private budget = MOST_WALKED;

  constructor(
    private readonly root: unknown,
    private readonly refs: References | undefined,
    private readonly prefix: string,
  ) {}

  /** The next alias whose body has not been written. */
  next(): Alias | undefined {
    return this.queue.shift();
  }

  nameOf(target: SchemaObject): string | undefined {
    return this.names.get(target);
  }

  /**
   * The alias to write for `node` when it is nothing but a reference worth a name. `length` measures the
   * text it would be otherwise.
   */
  forReference(node: SchemaObject, length: (target: SchemaObject) => number): string | undefined {
    const target = this.target(node);
    if (target === undefined || !Object.keys(node).every((keyword) => SILENT.test(keyword))) return undefined;
    const known = this.names.get(target);
    if (known !== undefined) return known;
    const worthwhile = this.isRecursive(target) || (this.useCount(target) > 1 && length(target) > LONG_TEXT);
    if (!worthwhile) return undefined;
    // Measuring may have named it meanwhile.
    return this.names.get(target) ?? this.add(target, String(referenceOf(node)?.ref));
  }

  private useCount(target: SchemaObject): number {
    if (this.uses === undefined) {
      const uses = new Map<SchemaObject, number>();
      const count = ({ node }: Visit): void => {
        const target = this.target(node);
        if (target !== undefined) uses.set(target, (uses.get(target) ?? 0) + 1);
      };
      walk(this.root, count, { limit: MOST_WALKED });
      this.uses = uses;
    }
    return this.uses.get(target) ?? 0;
  }

  private add(target: SchemaObject, ref: string): string {
    const word = (ref.split(/[/#]/).pop() ?? "").replace(/[^A-Za-z0-9_$]+/g, "_") || "Self";
    let name = `${this.prefix}${word}`;
    for (let n = 2; this.taken.has(name); n += 1) name = `${this.prefix}${word}${n}`;
    this.taken.add(name);
    this.names.set(target, name);
    this.queue.push({ name, target });
    return name;
  }

  private target(node: SchemaObject): SchemaObject | undefined {
    return this.refs?.target(node);
  }

  /** Whether `target` contains a way back to itself; assumed when finding out takes too long. */
  private isRecursive(target: SchemaObject): boolean {
    let known = this.recursive.get(target);
    if (known === undefined) {
      known = this.leadsBack(target);
      this.recursive.set(target, known);
    }
    return known;
  }

  private leadsBack(target: SchemaObject): boolean {
    let back = false;
    const visited = walk(
      target,
      ({ node }) => {
        back ||= this.target(node) === target || children(node).some(({ schema }) => schema === target);
        return !back;
      },
      { definitions: false, follow: (node) => this.target(node), limit: Math.max(1, this.budget) },
    );
    this.budget -= Number.isFinite(visited) ? visited : this.budget;
    return back || visited === Number.POSITIVE_INFINITY;
  }
}
