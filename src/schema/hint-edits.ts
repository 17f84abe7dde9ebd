import { MOST_BRANCHES, MOST_NAME, OUTPUT, outputHint, outputHintDraft } from "./hints.js";
import { isObject, own, type SchemaObject } from "./keywords.js";
import { pointer } from "./pointer.js";
import { references } from "./refs.js";
import { SHAPE_KEYWORDS, UNION_SIBLINGS } from "./render-parts.js";
import { snapshot } from "./snapshot.js";
import { walk } from "./walk.js";

/** A layer of an output schema that keeps its hint out of the quick index. */
export interface OpenLayer {
  /** JSON Pointer, `#` at the root. */
  path: string;
  /** Why the hint cannot show the whole shape there. */
  why: string;
  /** The smallest edit that helps; undefined when only another shape would. */
  edit?: string;
}

/** What would bring an output hint back. */
export interface HintEdits {
  /** Edits that together make the hint complete, or as many as there are. */
  edits: { path: string; edit: string }[];
  /** The hint after these edits; undefined when something still stands in the way. */
  hint: string | undefined;
  /** What stands in the way. */
  blockers: OpenLayer[];
}

const MOST_LAYERS = 50;
/**
 * Which layers of an output schema make its compact hint incomplete, and why, in document order; at most
 * 50. Empty exactly when the hint is shown.
 */
export function openOutputLayers(outputSchema: unknown): OpenLayer[] {
  return findLayers(outputSchema).map(({ layer }) => layer);
}

/**
 * The cheapest edits that bring the hint of an output schema back: each closes or types one layer and
 * none of them changes what a careful tool returns. No edits when the hint is shown already.
 */
export function cheapestHintEdits(outputSchema: unknown): HintEdits {
  const shown = outputHint(outputSchema);
  if (shown !== undefined) return { edits: [], hint: shown, blockers: [] };
  const found = findLayers(outputSchema);
  const edits = found.filter(({ patch }) => patch !== undefined);
  const edited = applied(snapshot(outputSchema).value, new Map(edits.map((at) => [at.node, at.patch!])));
  return {
    edits: edits.map(({ layer }) => ({ path: layer.path, edit: layer.edit! })),
    hint: outputHint(edited),
    blockers: openOutputLayers(edited),
  };
}

/** How much of a hint each top-level property takes, longest first: what to cut when it is too long. */
export function hintCosts(schema: unknown): { name: string; characters: number }[] {
  const root = snapshot(schema).value;
  const properties = isObject(root) ? own(root, "properties") : undefined;
  if (!isObject(properties)) return [];
  return Object.keys(properties)
    .map((name) => ({
      name,
      characters: name.length + 2 + outputHintDraft(properties[name]).text.length,
    }))
    .sort((a, b) => b.characters - a.characters || (a.name < b.name ? -1 : 1));
}

/** Keywords whose subschemas are part of a hint; undefined stands for the root. */
const SHOWN: ReadonlySet<string | undefined> = new Set([undefined, "properties", "items", "anyOf", "oneOf"]);

interface Found {
  layer: OpenLayer;
  node: SchemaObject;
  /** Keywords to add to the node. */
  patch?: SchemaObject;
}

function findLayers(outputSchema: unknown): Found[] {
  if (outputHint(outputSchema) !== undefined) return [];
  const root = snapshot(outputSchema).value;
  if (!isObject(root)) {
    return [{ layer: { path: "#", why: "it is not an object schema" }, node: {} }];
  }
  const found: Found[] = [];
  walk(
    root,
    ({ node, place, keyword, depth }) => {
      if (found.length >= MOST_LAYERS || !SHOWN.has(keyword)) return false;
      const path = pointer(place);
      const add = (why: string, edit?: string, patch?: SchemaObject): false => {
        const layer: OpenLayer = { path, why, ...(edit === undefined ? {} : { edit }) };
        found.push({ layer, node, ...(patch === undefined ? {} : { patch }) });
        return false;
      };
      if (Object.keys(node).length === 0) return false;
      if (depth >= OUTPUT.depth) return add(`it lies deeper than ${OUTPUT.depth} levels`);
      return examine(node, add, references(root).target(node) !== undefined);
    },
    { definitions: false },
  );
  if (found.length === 0) {
    const { text, complete } = outputHintDraft(root);
    const why = complete
      ? `the hint has ${text.length} characters, more than ${OUTPUT.text}`
      : "it is too large for a hint";
    found.push({ layer: { path: "#", why }, node: root });
  }
  return found;
}

type Add = (why: string, edit?: string, patch?: SchemaObject) => false;

/** Reports what is incomplete about one node; `false` when nothing below it is shown. */
function examine(node: SchemaObject, add: Add, resolves: boolean): boolean {
  const shape = SHAPE_KEYWORDS.find((keyword) => Object.hasOwn(node, keyword));
  if (shape !== undefined) {
    const why = `${shape} is not shown in hints`;
    if (resolves) return add(why, "write the definition in place");
    return shape === "allOf" ? add(why, "merge its parts into one object") : add(why);
  }
  const union = own(node, "anyOf") ?? own(node, "oneOf");
  if (union !== undefined) {
    const sibling = UNION_SIBLINGS.find((keyword) => Object.hasOwn(node, keyword));
    if (sibling !== undefined) return add(`${sibling} stands beside a union`, "move it into every branch");
    if (!Array.isArray(union) || union.length === 0) return add("the union has no branches");
    const literals = union.every((branch) => isObject(branch) && Object.hasOwn(branch, "const"));
    if (literals && outputHintDraft(node).complete) return false;
    if (literals && union.length > MOST_BRANCHES) {
      return add("its literals are too many or too long to list", "use an enum with a type");
    }
    if (union.length > MOST_BRANCHES)
      return add(`a union of ${union.length} branches, more than ${MOST_BRANCHES}`);
    if (!union.every(isObject)) return add("a branch of the union is no object schema");
    return true;
  }
  if (Object.hasOwn(node, "const") || Object.hasOwn(node, "enum")) {
    if (outputHintDraft(node).complete) return false;
    if (own(node, "type") === undefined)
      return add("its values are too many or too long to list", 'add a "type"');
  }
  const type = own(node, "type");
  if (type === undefined) {
    return isObject(own(node, "properties"))
      ? add("it has no type", 'add "type": "object"', { type: "object", ...closing(node) })
      : add("it has no type", 'add a "type"');
  }
  const types = [type].flat();
  if (types.includes("object")) return examineObject(node, add);
  if (types.includes("array")) {
    const items = own(node, "items");
    if (items === undefined || typeof items === "boolean")
      return add("an array of unknown items", 'add "items"');
    if (Array.isArray(items)) return add("tuples are not shown in hints");
    return true;
  }
  return outputHintDraft(node).complete ? false : add("its type is not one that hints know");
}

function examineObject(node: SchemaObject, add: Add): boolean {
  const extra = own(node, "additionalProperties");
  const properties = own(node, "properties");
  const names = isObject(properties) ? Object.keys(properties) : [];
  const required = own(node, "required");
  if (isObject(extra)) return add("a dictionary, whose keys hints do not show");
  for (const name of names) {
    const property = own(properties as SchemaObject, name);
    if (!isObject(property)) add(`the property ${JSON.stringify(name)} has no object schema`);
    if (name.length > MOST_NAME) add(`a property name of ${name.length} characters, more than ${MOST_NAME}`);
  }
  if (names.length > OUTPUT.properties) add(`${names.length} properties, more than ${OUTPUT.properties}`);
  if (Array.isArray(required)) {
    const unlisted = required.find((name) => typeof name !== "string" || !names.includes(name));
    if (unlisted !== undefined) {
      add(`${JSON.stringify(unlisted)} is required but not a property`, "add it to properties, or drop it");
    }
  }
  if (extra === true) {
    add("it says that it is open", '"additionalProperties": false', closing(node));
  } else if (extra === undefined) {
    add("the object is open", 'add "additionalProperties": false', closing(node));
  }
  return true;
}

function closing(node: SchemaObject): SchemaObject {
  return isObject(own(node, "additionalProperties")) ? {} : { additionalProperties: false };
}

/** A copy of `root` with `patches` laid over the nodes they belong to. */
function applied(root: unknown, patches: ReadonlyMap<SchemaObject, SchemaObject>): unknown {
  const copies = new Map<object, unknown>();
  const copy = (value: unknown, depth: number): unknown => {
    if (typeof value !== "object" || value === null || depth > MOST_COPIED_DEPTH) return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    const made: unknown = Array.isArray(value)
      ? value.map((member) => copy(member, depth + 1))
      : {
          ...Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copy(member, depth + 1)])),
          ...patches.get(value as SchemaObject),
        };
    copies.set(value, made);
    return made;
  };
  return copy(root, 0);
}

// Three steps a level of nesting at most (keyword, name, node), and only six levels are edited.
const MOST_COPIED_DEPTH = 3 * OUTPUT.depth + 3;
