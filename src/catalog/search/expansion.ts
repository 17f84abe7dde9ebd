import { singularOf, termsOf } from "./words.js";

/** Words people use for a task, and the words tools for it are described with. */
const INTENTS: readonly (readonly [said: string, meant: string])[] = [
  ["look lookup google research", "search web find"],
  ["current today latest now recent news price weather", "search web"],
  ["url link page article site website", "fetch web browse"],
  ["remember recall memory earlier previously discussed decided", "memory recall history"],
  ["remind reminder later tomorrow daily weekly recurring", "schedule automations cron reminder"],
  ["say tell reply respond answer", "message send"],
  ["picture photo meme screenshot", "image"],
  ["speak say voice", "audio speech"],
  ["run execute command shell terminal", "exec process"],
  ["directory folder path", "file list"],
];

const MEANT = new Map<string, string[]>();
for (const [said, meant] of INTENTS) {
  const terms = meant.split(" ").flatMap(termsOf);
  for (const word of said.split(" ")) MEANT.set(word, [...(MEANT.get(word) ?? []), ...terms]);
}

/** Further terms that the words of a query hint at. */
export function expansionOf(words: readonly string[]): string[] {
  return words.flatMap((word) => MEANT.get(singularOf(word)) ?? []);
}
