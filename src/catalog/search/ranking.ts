import { expansionOf } from "./expansion.js";
import { stemsOf, wordsOf } from "./words.js";

// Okapi BM25 with its usual constants.
const K1 = 1.2;
const B = 0.75;
/** What a word the query only hints at counts, beside a word it contains. */
const EXPANSION_WEIGHT = 0.35;

interface Posting {
  documents: number[];
  counts: number[];
}

/** One document that shares at least one term with the query. */
export interface Hit {
  document: number;
  /** Whether it contains a word of the query itself, not only one the query hints at. */
  literal: boolean;
  score: number;
}

/** Term statistics of a fixed list of documents. */
export class Ranking {
  readonly #postings = new Map<string, Posting>();
  readonly #lengths: Float64Array;
  readonly #averageLength: number;

  constructor(texts: readonly string[]) {
    this.#lengths = new Float64Array(texts.length);
    let total = 0;
    texts.forEach((text, document) => {
      const terms = wordsOf(text).flatMap(stemsOf);
      this.#lengths[document] = terms.length;
      total += terms.length;
      for (const term of terms) this.#count(term, document);
    });
    this.#averageLength = texts.length === 0 ? 0 : total / texts.length;
  }

  #count(term: string, document: number): void {
    const posting = this.#postings.get(term);
    if (posting === undefined) this.#postings.set(term, { documents: [document], counts: [1] });
    else if (posting.documents.at(-1) === document) posting.counts[posting.counts.length - 1]! += 1;
    else {
      posting.documents.push(document);
      posting.counts.push(1);
    }
  }

  /** Every document with a positive score, in no particular order. */
  hits(query: string): Hit[] {
    const words = wordsOf(query);
    const literal = new Set(words.flatMap(stemsOf));
    const expanded = new Set(expansionOf(words).filter((term) => !literal.has(term)));
    const scores = new Float64Array(this.#lengths.length);
    const found = new Uint8Array(this.#lengths.length);
    for (const term of literal) this.#add(term, 1, scores, found);
    for (const term of expanded) this.#add(term, EXPANSION_WEIGHT, scores, found);
    const hits: Hit[] = [];
    for (let document = 0; document < scores.length; document += 1) {
      const score = scores[document]!;
      if (score > 0) hits.push({ document, literal: found[document] === 1, score });
    }
    return hits;
  }

  #add(term: string, weight: number, scores: Float64Array, found: Uint8Array): void {
    const posting = this.#postings.get(term);
    if (posting === undefined) return;
    const { documents, counts } = posting;
    const rarity = Math.log(1 + (scores.length - documents.length + 0.5) / (documents.length + 0.5));
    for (let index = 0; index < documents.length; index += 1) {
      const document = documents[index]!;
      const count = counts[index]!;
      const norm = K1 * (1 - B + (B * this.#lengths[document]!) / this.#averageLength);
      scores[document]! += weight * rarity * ((count * (K1 + 1)) / (count + norm));
      if (weight === 1) found[document] = 1;
    }
  }
}
