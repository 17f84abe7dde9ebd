const SERVER_NAME = 30;
const TOOL_NAME = 64;

/** Takes `base`, cut to `max` characters, or the first free `base-2`, `base-3`, ... of that length. */
function take(base: string, max: number, taken: Set<string>): string {
  let name = base.slice(0, max);
  for (let counter = 2; taken.has(name.toLowerCase()); counter += 1) {
    const suffix = `-${counter}`;
    name = base.slice(0, max - suffix.length) + suffix;
  }
  taken.add(name.toLowerCase());
  return name;
}

function safe(name: string): string {
  return name.trim().replace(/[^A-Za-z0-9_-]/gu, "-");
}

/**
 * Names of servers as providers accept them: letters, digits, `_` and `-`, beginning with a letter, at
 * most 30 characters, unique whatever the letter case; handed out in declaration order.
 */
export function safeServerNames(names: readonly string[]): Map<string, string> {
  const taken = new Set<string>();
  return new Map(
    names.map((name) => {
      const base = safe(name);
      return [name, take(/^[A-Za-z]/.test(base) ? base : `mcp-${base}`, SERVER_NAME, taken)];
    }),
  );
}

/** Hands out registered tool names `<server>__<tool>`: at most 64 characters, each once in a run. */
export class ToolNames {
  readonly #taken = new Set<string>();

  take(safeServerName: string, toolName: string): string {
    return take(`${safeServerName}__${safe(toolName)}`, TOOL_NAME, this.#taken);
  }
}
