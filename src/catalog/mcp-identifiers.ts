/** A longer name adds nothing a reader could use, and a server may list anything. */
const MAX_IDENTIFIER = 128;

/**
 * The camel-case identifier of an MCP server or tool name: words of ASCII letters and digits joined, the
 * first beginning small; whatever cannot begin an identifier is dropped. Empty when nothing is left.
 */
export function mcpIdentifier(name: string): string {
  return name
    .slice(0, 4 * MAX_IDENTIFIER)
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word, index) => (index === 0 ? word[0]!.toLowerCase() : word[0]!.toUpperCase()) + word.slice(1))
    .join("")
    .replace(/^[^A-Za-z_$]+/, "")
    .slice(0, MAX_IDENTIFIER);
}

/** Hands out identifiers, each once: a taken or reserved one gets 2, 3, ... */
export class IdentifierPool {
  readonly #taken: Set<string>;
  /** Where the count of a base goes on, so that thousands of equal names do not start over each time. */
  readonly #next = new Map<string, number>();

  constructor(reserved: ReadonlySet<string>) {
    this.#taken = new Set(reserved);
  }

  take(base: string): string {
    let name = base;
    let counter = this.#next.get(base) ?? 2;
    for (; this.#taken.has(name); counter += 1) name = `${base}${counter}`;
    this.#next.set(base, counter);
    this.#taken.add(name);
    return name;
  }
}
