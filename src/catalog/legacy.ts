import { nearest } from "../text/nearest.js";
import { compareNames } from "../text/order.js";
import { hintsOf, labelOf, schemasOf } from "./describe.js";
import { type Catalog, type CatalogEntry, CatalogInputError } from "./types.js";

/** The older form of a tool's metadata. */
export interface LegacyEntry {
  id: string;
  source: string;
  /** The tool's owner: `core`, the plugin id or `client`. */
  sourceName: string;
  name: string;
  label?: string;
  description: string;
  input: string;
  output?: string;
}

/** An element of `ALL_TOOLS`, and what `tools.search` finds. */
export function legacyEntry(entry: CatalogEntry): LegacyEntry {
  return {
    id: entry.id,
    source: entry.source,
    sourceName: entry.tool.owner,
    name: entry.toolName,
    ...labelOf(entry),
    description: entry.description,
    ...hintsOf(entry),
  };
}

/** What `tools.describe(...)` resolves to. */
export function legacyDescription(
  entry: CatalogEntry,
): LegacyEntry & { parameters?: unknown; outputSchema?: unknown } {
  return { ...legacyEntry(entry), ...schemasOf(entry) };
}

/** `ALL_TOOLS` order: native and client tools by id. */
export function legacyEntries(catalog: Catalog): CatalogEntry[] {
  return [...catalog.entries].sort((a, b) => compareNames(a.id, b.id));
}

const HELPERS: ReadonlySet<string> = new Set(["search", "describe", "call", "callValue"]);

/**
 * The tools that are also functions of the older `tools` object, by id: those whose exact name can be
 * written as a property and is not a helper's. Names are unique in a catalog, and nothing is normalised.
 */
export function legacyCallables(catalog: Catalog): CatalogEntry[] {
  return legacyEntries(catalog).filter(
    ({ toolName }) =>
      /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(toolName) && !HELPERS.has(toolName),
  );
}

/**
 * The tool that `tools.describe`, `call` and `callValue` mean by an id or an exact name. Throws
 * `CatalogInputError` when there is none; MCP tools are reachable through `MCP` alone.
 */
export function findLegacy(catalog: Catalog, reference: unknown): CatalogEntry {
  if (typeof reference !== "string" || reference === "") {
    throw new CatalogInputError("name a tool by its id or exact name, as ALL_TOOLS lists them");
  }
  const found = catalog.byId(reference) ?? catalog.entries.find((entry) => entry.toolName === reference);
  if (found !== undefined && found.source !== "mcp") return found;
  const remote =
    found ??
    catalog.mcpEntries.find(({ tool, callableName }) => [tool.name, callableName].includes(reference));
  if (remote !== undefined) {
    throw new CatalogInputError(`"${reference}" is an MCP tool: call ${remote.callableName}(input)`);
  }
  const names = nearest(reference, [
    ...catalog.entries.map(({ toolName }) => toolName),
    ...catalog.entries.map(({ id }) => id),
  ]);
  const hint =
    names.length === 0 ? "tools.search(query) finds tools by task" : `did you mean ${names.join(", ")}?`;
  throw new CatalogInputError(`no tool has the id or name "${reference}"; ${hint}`);
}
