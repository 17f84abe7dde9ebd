import { isObject, own, type SchemaObject } from "./keywords.js";
import { references } from "./refs.js";
import { snapshot } from "./snapshot.js";
import { conjunction } from "./type-facets.js";
import { ANY_OBJECT } from "./type-members.js";
import { typeText } from "./type-writer.js";

/** One top-level parameter of an MCP tool, for its documentation. */
export interface McpParam {
  name: string;
  optional: boolean;
  /** As the server wrote it: any length, any characters. */
  description?: string;
  /** Filled in when the caller leaves the parameter out. */
  default?: unknown;
}

export interface McpParams {
  /** Whether the whole argument may be left out. */
  optionalInput: boolean;
  /** The type of the argument on one line, at most 32,768 characters with its aliases. */
  typeText: string;
  /** Types that `typeText` refers to, to be declared beside the function. */
  aliases: { name: string; text: string }[];
  /** Required parameters first, then the others as written; at most 1,000. */
  params: McpParam[];
}

const MOST_PARAMS = 1_000;

/**
 * The one argument of an MCP tool: an object, whatever the server's schema says. The schema is untrusted
 * and only described here, never enforced, so what cannot be read becomes `unknown`. `aliasPrefix` keeps
 * the names of helper types apart from those of other tools.
 */
export function renderMcpParams(inputSchema: unknown, aliasPrefix = "Input_"): McpParams {
  const root = snapshot(inputSchema).value;
  const { text, aliases } = typeText(root, {
    depth: 12,
    aliasPrefix,
    rootIsObject: true,
    fieldOrder: "written",
    defaultsOptional: true,
  });
  const facets = rootFacets(root);
  const required = new Set(demanded(facets));
  const properties = propertiesOf(facets);
  const names = [...new Set([...required, ...properties.keys()])].slice(0, MOST_PARAMS);
  const params = names.map((name): McpParam => {
    const schema = properties.get(name);
    const description = isObject(schema) ? own(schema, "description") : undefined;
    return {
      name,
      optional: !required.has(name),
      ...(typeof description === "string" && description !== "" ? { description } : {}),
      ...(isObject(schema) && Object.hasOwn(schema, "default") ? { default: schema.default } : {}),
    };
  });
  const optionalInput = required.size === 0 && unionsDemandNothing(root);
  // No object fits, yet a call passes one: the server has the last word.
  const usable = text === "never" || text === "unknown" ? ANY_OBJECT : text;
  return { optionalInput, typeText: usable, aliases, params };
}

/** Defaults of top-level parameters by name, without a prototype. */
export function topLevelDefaults(inputSchema: unknown): Record<string, unknown> {
  return defaultsOf(rootFacets(snapshot(inputSchema).value));
}

/** Names of top-level parameters that a caller must give: required and without a default. */
export function topLevelRequired(inputSchema: unknown): string[] {
  return demanded(rootFacets(snapshot(inputSchema).value));
}

/** The root with what its references and `allOf` add; branches of a union apply only sometimes. */
function rootFacets(root: unknown): SchemaObject[] {
  return isObject(root) ? conjunction([root], references(root)).facets : [];
}

function propertiesOf(facets: readonly SchemaObject[]): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const facet of facets) {
    const properties = own(facet, "properties");
    if (!isObject(properties)) continue;
    for (const name of Object.keys(properties)) if (!found.has(name)) found.set(name, properties[name]);
  }
  return found;
}

function defaultsOf(facets: readonly SchemaObject[]): Record<string, unknown> {
  const defaults: Record<string, unknown> = Object.create(null);
  for (const [name, schema] of propertiesOf(facets)) {
    if (isObject(schema) && Object.hasOwn(schema, "default")) defaults[name] = schema.default;
  }
  return defaults;
}

function demanded(facets: readonly SchemaObject[]): string[] {
  const defaults = defaultsOf(facets);
  const names = facets.flatMap((facet) => {
    const required = own(facet, "required");
    return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  });
  return [...new Set(names)].filter((name) => !Object.hasOwn(defaults, name));
}

/** Whether every root union has a branch that demands no parameter of its own. */
function unionsDemandNothing(root: unknown): boolean {
  if (!isObject(root)) return true;
  const refs = references(root);
  const { facets, unions } = conjunction([root], refs);
  return unions.every((branches) =>
    branches.some((branch) => demanded(conjunction([branch], refs, facets).facets).length === 0),
  );
}
