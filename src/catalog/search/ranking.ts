import { expansionOf } from "./expansion.js";
import { TermReader, termsOf, wordsOf } from "./words.js";

// Okapi BM25 with its usual constants.
const K1 = 1.2;
const B = 0.75;
/** What a word the query only hints at counts, beside a word it contains. */
const EXPANSION_WEIGHT = 0.35;

/** The documents a term occurs in, in order, and how often; after its first use, what it scores there. */
interface Posting {
  documents: number[];
  counts: number[];
  scores?: Float64Array;
}

/** What a query makes of every document, by position. */
export interface Scores {
  /** 0 where nothing matches. */
  score: Float64Array;
  /** 1 where a word of the query itself occurs, not only one it hints at. */
  literal: Uint8Array;
}

/** Term statistics of a fixed list of documents. */
export class Ranking {
  readonly #postings = new Map<string, Posting>();
  readonly #lengths: Float64Array;
  readonly #averageLength: number;

  constructor(texts: readonly string[]) {
    this.#lengths = new Float64Array(texts.length);
    const reader = new TermReader();
    let total = 0;
    texts.forEach((text, document) => {
      const terms = reader.terms(text);
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

  scores(query: string): Scores {
    const words = wordsOf(query);
    const literal = new Set(words.flatMap(termsOf));
    const expanded = new Set(expansionOf(words).filter((term) => !literal.has(term)));
    const found: Scores = {
      score: new Float64Array(this.#lengths.length),
      literal: new Uint8Array(this.#lengths.length),
    };
    for (const term of literal) this.#add(term, 1, found);
    for (const term of expanded) this.#add(term, EXPANSION_WEIGHT, found);
    return found;
  }

  #add(term: string, weight: number, found: Scores): void {
    const posting = this.#postings.get(term);
    if (posting === undefined) return;
    const { documents } = posting;
    posting.scores ??= this.#termScores(posting);
    for (let index = 0; index < documents.length; index += 1) {
      const document = documents[index]!;
      found.score[document]! += weight * posting.scores[index]!;
      if (weight === 1) found.literal[document] = 1;
    }
  }

  #termScores({ documents, counts }: Posting): Float64Array {
    const rarity = Math.log(1 + (this.#lengths.length - documents.length + 0.5) / (documents.length + 0.5));
    return Float64Array.from(documents, (document, index) => {
      const count = counts[index]!;
      const norm = K1 * (1 - B + (B * this.#lengths[document]!) / this.#averageLength);
      return rarity * ((count * (K1 + 1)) / (count + norm));
    });
  }
}
