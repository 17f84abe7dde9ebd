import { distance } from "fastest-levenshtein";

/**
 * The candidates that look like a misspelling of `word`, nearest first: edit distance up to a third of
 * its length, at least 1 and at most 3.
 */
export function nearest(word: string, candidates: Iterable<string>, most = 3): string[] {
  const reach = Math.min(3, Math.max(1, Math.ceil(word.length / 3)));
  const lower = word.toLowerCase();
  return (
    [...new Set(candidates)]
      // Words that differ by more in length alone are not compared: a word may be of any length.
      .filter((candidate) => Math.abs(candidate.length - lower.length) <= reach)
      .map((candidate) => ({ candidate, far: distance(lower, candidate.toLowerCase()) }))
      .filter(({ far }) => far <= reach)
      .sort((a, b) => a.far - b.far || (a.candidate < b.candidate ? -1 : 1))
      .slice(0, most)
      .map(({ candidate }) => candidate)
  );
}
