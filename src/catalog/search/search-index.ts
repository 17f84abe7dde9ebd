import type { CatalogEntry } from "../types.js";
import { searchText } from "./document.js";
import { Ranking, type Scores } from "./ranking.js";

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
    const scores = this.#ranking.scores(query);
    const named = new Set(this.#exact(query.trim()));
    const best = new BestOf(limit, (a, b) => compare(a, b, scores, named));
    const offer = (document: number): void => {
      if (best.wants(document) && accept(this.#entries[document]!)) best.add(document);
    };
    for (const document of named) offer(document);
    for (let document = 0; document < scores.score.length; document += 1) {
      if (scores.score[document]! > 0 && !named.has(document)) offer(document);
    }
    return best.documents.map((document) => this.#entries[document]!);
  }

  #exact(query: string): number[] {
    const byId = this.#byId.get(query);
    return byId === undefined ? (this.#byFoldedName.get(query.toLowerCase()) ?? []) : [byId];
  }
}

function compare(a: number, b: number, { score, literal }: Scores, named: ReadonlySet<number>): number {
  return (
    Number(named.has(b)) - Number(named.has(a)) ||
    // A named entry none of whose words count comes before all others.
    Number(score[a]! > 0) - Number(score[b]! > 0) ||
    literal[b]! - literal[a]! ||
    score[b]! - score[a]! ||
    a - b
  );
}

/** Keeps the best few of many without sorting them all. */
class BestOf {
  readonly documents: number[] = [];
  readonly #limit: number;
  readonly #compare: (a: number, b: number) => number;

  constructor(limit: number, compare: (a: number, b: number) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  wants(document: number): boolean {
    const { documents } = this;
    return documents.length < this.#limit || this.#compare(document, documents.at(-1)!) < 0;
  }

  add(document: number): void {
    const { documents } = this;
    let at = documents.length;
    while (at > 0 && this.#compare(document, documents[at - 1]!) < 0) at -= 1;
    documents.splice(at, 0, document);
    if (documents.length > this.#limit) documents.pop();
  }
}
