import { compareNames } from "../../text/order.js";
import { type CatalogEntry, CatalogInputError, type SearchView } from "../types.js";
import { NameLookup } from "./name-lookup.js";
import { SearchIndex } from "./search-index.js";

export interface SearchLimits {
  /** Results when the caller names no limit. */
  searchDefaultLimit: number;
  /** Results at most, whatever the caller names. */
  maxSearchLimit: number;
}

/** `catalog.search` as a cell sees it: names first, then ranking. What it needs is made by the first query. */
export class CatalogSearch {
  readonly #native: readonly CatalogEntry[];
  readonly #mcp: readonly CatalogEntry[];
  readonly #limits: SearchLimits;
  #made: { index: SearchIndex; native: NameLookup; mcp: NameLookup } | undefined;

  constructor(native: readonly CatalogEntry[], mcp: readonly CatalogEntry[], limits: SearchLimits) {
    this.#native = native;
    this.#mcp = mcp;
    this.#limits = limits;
  }

  /**
   * A native or client tool named exactly (callable name, then tool name, then either whatever its case)
   * is the only result. The full name of an MCP tool puts that tool first and its neighbours after it.
   * Throws `CatalogInputError` for a query that is no string and a limit that is no positive integer.
   */
  search(query: unknown, options: { limit?: unknown } = {}, view: SearchView = "handles"): CatalogEntry[] {
    if (typeof query !== "string") {
      throw new CatalogInputError(`a search needs a string to look for, got ${kindOf(query)}`);
    }
    const limit = this.#limit(options?.limit);
    const { index, native, mcp } = this.#prepare();
    if (view === "entries") return index.search(query, limit, ({ source }) => source !== "mcp");
    const wanted = query.trim();
    if (wanted === "") return [];
    const remote = mcp.find(wanted);
    if (remote !== undefined) return index.search(remote.id, limit);
    const own = native.find(wanted);
    return own === undefined ? index.search(query, limit) : [own];
  }

  #prepare(): { index: SearchIndex; native: NameLookup; mcp: NameLookup } {
    this.#made ??= {
      index: new SearchIndex([...this.#native, ...this.#mcp].sort((a, b) => compareNames(a.id, b.id))),
      native: new NameLookup(this.#native, [(entry) => entry.callableName, (entry) => entry.toolName]),
      mcp: new NameLookup(this.#mcp, [(entry) => entry.callableName]),
    };
    return this.#made;
  }

  #limit(asked: unknown): number {
    if (asked === undefined || asked === null) return this.#limits.searchDefaultLimit;
    if (typeof asked !== "number" || !Number.isInteger(asked) || asked <= 0) {
      const got = typeof asked === "number" ? String(asked) : kindOf(asked);
      throw new CatalogInputError(`limit must be a positive integer, got ${got}`);
    }
    return Math.min(asked, this.#limits.maxSearchLimit);
  }
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
}
