import { children, isObject, own, type SchemaObject } from "./keywords.js";
import { parsePointer } from "./pointer.js";
import { walk } from "./walk.js";

export type Resolution =
  | { ok: true; target: SchemaObject | boolean }
  | { ok: false; reason: "missing" | "remote" | "ambiguous" };

/** Resolves the references of one schema document. */
export interface References {
  /** `ref` as written in `$ref` of `from`, a node of the document. */
  resolve(ref: unknown, from: SchemaObject): Resolution;
  /** The object schema that `node` itself refers to, if any. */
  target(node: SchemaObject): SchemaObject | undefined;
}

/** A schema with an `$id`: what `#` means to the references inside it. */
interface Resource {
  root: SchemaObject;
  url: string;
  anchors: Map<string, SchemaObject>;
}

/** Names of a document and which resource each of its nodes belongs to. */
interface Index {
  document: Resource;
  owner: Map<SchemaObject, Resource>;
  byName: Map<string, SchemaObject | "ambiguous">;
}

const BASE = "schema:///";
const cache = new WeakMap<SchemaObject, References>();

/**
 * References inside the snapshot `root`: JSON Pointers (`~0`, `~1` and percent escapes), anchors, and
 * `$id`s, absolute, relative or bare names as TypeBox writes them. Nothing is ever fetched. A pointer
 * that leads nowhere inside a part with an `$id` of its own is tried from the document root, which is
 * what generators that inline definitions mean. Cheap for schemas without references.
 */
export function references(root: SchemaObject): References {
  let known = cache.get(root);
  if (known === undefined) {
    known = new LocalReferences(root);
    cache.set(root, known);
  }
  return known;
}

class LocalReferences implements References {
  private readonly targets = new Map<SchemaObject, SchemaObject | undefined>();
  private indexed: Index | undefined;

  constructor(private readonly root: SchemaObject) {}

  target(node: SchemaObject): SchemaObject | undefined {
    const reference = referenceOf(node);
    if (reference === undefined) return undefined;
    if (!this.targets.has(node)) {
      const found = this.resolve(reference.ref, node);
      this.targets.set(node, found.ok && isObject(found.target) ? found.target : undefined);
    }
    return this.targets.get(node);
  }

  resolve(ref: unknown, from: SchemaObject): Resolution {
    if (typeof ref !== "string") return { ok: false, reason: "missing" };
    this.indexed ??= index(this.root);
    const { document, owner, byName } = this.indexed;
    const hash = ref.indexOf("#");
    const uri = hash === -1 ? ref : ref.slice(0, hash);
    const fragment = hash === -1 ? "" : ref.slice(hash + 1);
    let resource = owner.get(from) ?? document;
    if (uri !== "") {
      const found = byName.get(uri) ?? byName.get(absolute(uri, resource.url));
      if (found === "ambiguous") return { ok: false, reason: "ambiguous" };
      if (found === undefined) {
        return { ok: false, reason: /^[a-z][a-z0-9+.-]*:/i.test(uri) ? "remote" : "missing" };
      }
      resource = owner.get(found) ?? document;
      if (fragment === "") return { ok: true, target: found };
    }
    const segments = parsePointer(fragment);
    const target =
      segments === undefined
        ? (resource.anchors.get(fragment) ?? document.anchors.get(fragment))
        : (follow(resource.root, segments) ?? follow(this.root, segments));
    return target === undefined ? { ok: false, reason: "missing" } : { ok: true, target };
  }
}

function index(root: SchemaObject): Index {
  const document: Resource = { root, url: BASE, anchors: new Map() };
  const owner = new Map<SchemaObject, Resource>();
  const byName = new Map<string, SchemaObject | "ambiguous">();
  const name = (id: string, node: SchemaObject): void => {
    const other = byName.get(id);
    if (other === undefined || other === node) byName.set(id, node);
    else if (other !== "ambiguous" && !sameJson(other, node)) byName.set(id, "ambiguous");
  };

  walk(root, ({ node }) => {
    let resource = owner.get(node) ?? document;
    const id = own(node, "$id");
    if (typeof id === "string" && id.startsWith("#")) resource.anchors.set(id.slice(1), node);
    else if (typeof id === "string" && id !== "") {
      const url = absolute(id, resource.url);
      resource = node === root ? document : { root: node, url, anchors: new Map() };
      resource.url = url;
      name(id.replace(/#$/, ""), node);
      name(url, node);
    }
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const anchor = own(node, keyword);
      if (typeof anchor === "string" && !resource.anchors.has(anchor)) resource.anchors.set(anchor, node);
    }
    owner.set(node, resource);
    for (const { schema } of children(node)) {
      if (isObject(schema) && !owner.has(schema)) owner.set(schema, resource);
    }
  });
  return { document, owner, byName };
}

function follow(root: SchemaObject, segments: readonly string[]): SchemaObject | boolean | undefined {
  let at: unknown = root;
  for (const segment of segments) {
    if (Array.isArray(at)) at = /^(0|[1-9]\d*)$/.test(segment) ? at[Number(segment)] : undefined;
    else if (isObject(at)) at = own(at, segment);
    else return undefined;
  }
  return isObject(at) || typeof at === "boolean" ? at : undefined;
}

function absolute(id: string, base: string): string {
  try {
    const url = new URL(id, base);
    url.hash = "";
    return url.href;
  } catch {
    return id;
  }
}

const MOST_COMPARED = 100_000;

// Two definitions under one `$id` are no conflict when they say the same.
function sameJson(a: unknown, b: unknown): boolean {
  const pairs: [unknown, unknown][] = [[a, b]];
  let compared = 0;
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [left, right] = pair;
    if (left === right) continue;
    if (++compared > MOST_COMPARED) return false;
    if (typeof left !== "object" || typeof right !== "object" || left === null || right === null)
      return false;
    const keys = Object.keys(left);
    if (Array.isArray(left) !== Array.isArray(right) || keys.length !== Object.keys(right).length)
      return false;
    for (const key of keys) {
      if (!Object.hasOwn(right, key)) return false;
      pairs.push([(left as SchemaObject)[key], (right as SchemaObject)[key]]);
    }
  }
  return true;
}

/**
 * The keyword of `node` that refers elsewhere, with its value: `$ref`, or the older and dynamic forms,
 * which are read as if they were static.
 */
export function referenceOf(node: SchemaObject): { keyword: string; ref: unknown } | undefined {
  for (const keyword of ["$ref", "$dynamicRef", "$recursiveRef"]) {
    if (Object.hasOwn(node, keyword)) return { keyword, ref: node[keyword] };
  }
  return undefined;
}
