import type { CatalogEntry } from "../types.js";

type NameOf = (entry: CatalogEntry) => string;

/** Finds an entry by one of its names, as spelled before whatever its case. */
export class NameLookup {
  readonly #exact = new Map<string, CatalogEntry>();
  readonly #folded = new Map<string, CatalogEntry>();

  /** Earlier entries win among equals; of the kinds of name, the first given wins as spelled. */
  constructor(entries: readonly CatalogEntry[], names: readonly NameOf[]) {
    for (const nameOf of names) for (const entry of entries) keep(this.#exact, nameOf(entry), entry);
    for (const entry of entries) {
      for (const nameOf of names) keep(this.#folded, nameOf(entry).toLowerCase(), entry);
    }
  }

  find(name: string): CatalogEntry | undefined {
    return this.#exact.get(name) ?? this.#folded.get(name.toLowerCase());
  }
}

function keep(map: Map<string, CatalogEntry>, key: string, entry: CatalogEntry): void {
  if (!map.has(key)) map.set(key, entry);
}
