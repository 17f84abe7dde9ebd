const list = (text: string): string[] => text.trim().split(/\s+/);

/** Words that say nothing about a tool. Verbs such as "get", "list" and "create" are not among them. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  list(`
    a an and are as at be but by can do for from had has have here how i if in into is it its me my no not of
    on or our so that the their them then there these they this to up us was we were what when where which
    who why will with you your
  `),
);

/** Words that only look as if they carried a suffix. */
const UNINFLECTED: ReadonlySet<string> = new Set(
  list("news status alias canvas focus bonus virus atlas lens axis basis analysis gas bus plus"),
);

const SUFFIXES = ["ies", "ing", "ed", "ly", "es", "er", "s", "e"] as const;
const PASSES = 3;

/** A run of letters, digits and underscores: an identifier counts as one word and as its parts. */
const PIECE = /[\p{L}\p{N}_]+/gu;

/** Parts of an identifier: digits, an acronym (with its plural s), a capitalised or small word. */
const PART = /\p{N}+|\p{Lu}{2,}s?(?!\p{Ll})|\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[^\p{Lu}\p{N}_]+|\p{Lu}+/gu;

/** Small words of `text` in order: every piece, followed by its parts when it has at least two. */
export function wordsOf(text: string): string[] {
  return (text.match(PIECE) ?? []).flatMap(wordsOfPiece);
}

function wordsOfPiece(piece: string): string[] {
  const parts = piece.match(PART) ?? [];
  return [piece, ...(parts.length > 1 ? parts : [])].map((word) => word.toLowerCase());
}

/** Reads many texts that use the same words: each is taken apart once. */
export class TermReader {
  readonly #known = new Map<string, string[]>();

  /** Index terms of `text` in order. */
  terms(text: string): string[] {
    const terms: string[] = [];
    for (const piece of text.match(PIECE) ?? []) {
      let known = this.#known.get(piece);
      if (known === undefined) {
        known = wordsOfPiece(piece).flatMap(termsOf);
        this.#known.set(piece, known);
      }
      for (const term of known) terms.push(term);
    }
    return terms;
  }
}

/** Index terms of a word: none for a stop word, two where a plural in -ies may come from -y or -ie. */
export function termsOf(word: string): string[] {
  if (STOP_WORDS.has(word)) return [];
  if (word.length > 4 && word.endsWith("ies")) {
    return [...new Set([`${word.slice(0, -3)}y`, stem(word.slice(0, -1))])];
  }
  return [stem(word)];
}

/** The word in the singular, or as it is: what the intents in `expansion.ts` are keyed by. */
export function singularOf(word: string): string {
  if (word.length <= 4 || UNINFLECTED.has(word) || !word.endsWith("s") || word.endsWith("ss")) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return /(?:ch|sh|x|z|ss)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

function stem(word: string): string {
  let result = word;
  for (let pass = 0; pass < PASSES; pass += 1) {
    const next = withoutSuffix(result);
    if (next === result) break;
    result = next;
  }
  return result;
}

function withoutSuffix(word: string): string {
  if (word.length <= 3 || UNINFLECTED.has(word)) return word;
  for (const suffix of SUFFIXES) {
    if (!word.endsWith(suffix) || word.length - suffix.length < 3) continue;
    if (suffix === "s" && word.endsWith("ss")) continue;
    const rest = word.slice(0, -suffix.length);
    if (suffix === "ies") return `${rest}y`;
    return suffix === "ing" || suffix === "ed" || suffix === "er" ? undoubled(rest) : rest;
  }
  return word;
}

/** `runn` to `run`, but not `fall`, `pass`, `off` or `buzz`. */
function undoubled(word: string): string {
  const last = word.at(-1)!;
  const doubled = word.length > 3 && last === word.at(-2) && !"lsfzaeiou".includes(last);
  return doubled ? word.slice(0, -1) : word;
}
