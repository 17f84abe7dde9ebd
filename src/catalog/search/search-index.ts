import type { CatalogEntry } from "../types.js";
import { searchText } from "./document.js";
import { type Hit, Ranking } from "./ranking.js";

interface Candidate extends Hit {
  exact: boolean;
}

/** Full-text search over the entries of a catalog. */
export class SearchIndex {
  readonly #entries: readonly CatalogEntry[];
  readonly #ranking: Ranking;
  readonly #byId = new Map<string, number>();
  readonly #byFoldedName = new Map<string, number[]>();

  /** `entries` sorted by id: position settles what scores leave open. */
  constructor(entries: readonly CatalogEntry[]) {
    this.#entries = entries;
    this.#ranking = new Ranking(entries.map(searchText));
    entries.forEach((entry, document) => {
      this.#byId.set(entry.id, document);
      for (const name of new Set([entry.tool.name.toLowerCase(), entry.id.toLowerCase()])) {
        const named = this.#byFoldedName.get(name);
        if (named === undefined) this.#byFoldedName.set(name, [document]);
        else named.push(document);
      }
    });
  }

  /**
   * At most `limit` entries: those the query names first, then those with a word of the query, then those
   * it only hints at; each group by score, then id. Nothing for a query without a word that counts. Entries
   * that `accept` refuses weigh in the statistics but are never an answer.
   */
  search(
    query: string,
    limit: number,
    accept: (entry: CatalogEntry) => boolean = () => true,
  ): CatalogEntry[] {
    const best = new BestOf(limit);
    const offer = (candidate: Candidate): void => {
      if (accept(this.#entries[candidate.document]!)) best.offer(candidate);
    };
    const named = new Set(this.#exact(query.trim()));
    for (const hit of this.#ranking.hits(query)) offer({ ...hit, exact: named.delete(hit.document) });
    for (const document of named) offer({ document, exact: true, literal: true, score: Infinity });
    return best.documents.map((document) => this.#entries[document]!);
  }

  #exact(query: string): number[] {
    const byId = this.#byId.get(query);
    return byId === undefined ? (this.#byFoldedName.get(query.toLowerCase()) ?? []) : [byId];
  }
}

/** Keeps the best few of many without sorting them all. */
class BestOf {
  readonly #kept: Candidate[] = [];

  constructor(readonly limit: number) {}

  offer(candidate: Candidate): void {
    const kept = this.#kept;
    if (kept.length === this.limit && compare(candidate, kept.at(-1)!) > 0) return;
    let at = kept.length;
    while (at > 0 && compare(candidate, kept[at - 1]!) < 0) at -= 1;
    kept.splice(at, 0, candidate);
    if (kept.length > this.limit) kept.pop();
  }

  get documents(): number[] {
    return this.#kept.map(({ document }) => document);
  }
}

function compare(a: Candidate, b: Candidate): number {
  return (
    Number(b.exact) - Number(a.exact) ||
    Number(b.literal) - Number(a.literal) ||
    b.score - a.score ||
    a.document - b.document
  );
}
