import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** One file of an entry's own code, with what it imports. */
export interface GraphFile {
  file: string;
  source: string;
  /** As written: relative paths, packages, Node's own modules. */
  specifiers: string[];
}

const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["']([^"'\n]+)["']/g;

/**
 * The entry and the JavaScript files it reaches by relative imports, found by pattern and not by parsing:
 * text that only looks like an import is followed too, and a computed specifier is not. Each file once, at
 * most `most` of them; files that cannot be read are left out.
 */
export function* entryGraph(entry: string, most = 200): Generator<GraphFile> {
  const seen = new Set([entry]);
  for (const file of seen) {
    if (seen.size > most) return;
    let source: string;
    try {
      source = readFileSync(file, "utf8");
    } catch {
      continue;
    }
    const specifiers = [...new Set([...source.matchAll(SPECIFIER)].map((match) => match[1] ?? ""))];
    for (const specifier of specifiers) {
      const next = join(dirname(file), specifier);
      if (/^\.\.?\//.test(specifier) && /\.[cm]?js$/.test(next) && existsSync(next))
        seen.add(realpathSync(next));
    }
    yield { file, source, specifiers };
  }
}
