const SECRET_NAME =
  /key|token|secret|passw|passphrase|auth|credential|cookie|private|bearer|signature|dsn|webhook/i;
/** Configuration below these is a secret as a whole: authors name such fields as they like. */
const SECRET_BRANCHES = new Set(["env", "headers", "config"]);
/** A shorter value under a telling name is no secret worth the name; under any other it is mostly a plain word. */
const SHORTEST_NAMED = 4;
const SHORTEST_UNNAMED = 6;
const PLACEHOLDER = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g;
const KNOWN_FORMS =
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}|\b(?:sk|pk|rk|ghp|gho|ghs|xox[abprs]|glpat|npm)[-_][\w-]{12,}|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g;
/** `scheme://user:password@host`: what stands before the `@`. */
const USER_INFO = /(:\/\/)[^\s/@"']+(?=@)/g;
const MASK = "***";

/** Replaces secrets in text meant for debugging output. */
export type Redactor = (text: string) => string;

class Secrets {
  readonly found = new Set<string>();

  constructor(private readonly env: NodeJS.ProcessEnv) {}

  add(value: string | undefined, shortest = SHORTEST_NAMED): void {
    if (value !== undefined && value.length >= shortest) this.found.add(value);
  }

  /** A configured text that is secret, with what its placeholders stand for. */
  addConfigured(text: string, shortest: number): void {
    const whole = text.replace(PLACEHOLDER, (_, name: string, fallback?: string) => {
      this.add(this.env[name], shortest);
      this.add(fallback, shortest);
      return this.env[name] ?? fallback ?? "";
    });
    this.add(whole, shortest);
    // `Bearer ${TOKEN}` and `token=...`: the last word alone may be quoted elsewhere.
    this.add(/[\s=]([^\s=]+)$/.exec(whole)?.[1], SHORTEST_UNNAMED);
  }

  addUrl(text: string): void {
    if (!URL.canParse(text)) return;
    const { username, password, searchParams } = new URL(text);
    this.add(attempt(decodeURIComponent, password));
    // A name beside a password is no secret; one that stands alone is a key.
    if (password === "") this.add(attempt(decodeURIComponent, username), SHORTEST_UNNAMED);
    for (const [name, value] of searchParams) if (SECRET_NAME.test(name)) this.add(value);
  }

  /** `--api-key=value` and `--api-key value`. */
  addArguments(args: readonly unknown[]): void {
    for (const [index, arg] of args.entries()) {
      if (typeof arg !== "string") continue;
      const [, flag, value] = /^--?([\w-]+)(?:=([\s\S]*))?$/.exec(arg) ?? [];
      if (flag === undefined || !SECRET_NAME.test(flag)) this.addUrl(arg);
      else if (value !== undefined) this.addConfigured(value, SHORTEST_NAMED);
      else if (typeof args[index + 1] === "string")
        this.addConfigured(String(args[index + 1]), SHORTEST_NAMED);
    }
  }

  collect(value: unknown, named: boolean, branch: boolean): void {
    if (typeof value === "string") {
      if (named || branch) this.addConfigured(value, named ? SHORTEST_NAMED : SHORTEST_UNNAMED);
      else this.addUrl(value);
    } else if (typeof value === "number" && named) {
      this.add(String(value), SHORTEST_NAMED);
    } else if (Array.isArray(value)) {
      this.addArguments(value);
      for (const child of value) this.collect(child, named, branch);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, child] of Object.entries(value)) {
        this.collect(child, named || SECRET_NAME.test(name), branch || SECRET_BRANCHES.has(name));
      }
    }
  }
}

function attempt(change: (text: string) => string, text: string): string {
  try {
    return change(text);
  } catch {
    return text;
  }
}

/** Control characters by the letter JSON writes them with. */
const JSON_LETTERS: Readonly<Record<string, string>> = {
  "\n": "n",
  "\r": "r",
  "\t": "t",
  "\b": "b",
  "\f": "f",
};

/** A pattern for one secret as it is, and inside JSON inside JSON, however deep. */
function patternOf(secret: string): string {
  const one = (character: string): string => {
    if (character === "\\") return "\\\\+";
    if (character === '"' || character === "/") return `\\\\*${character}`;
    const letter = JSON_LETTERS[character];
    if (letter !== undefined) return `(?:\\${letter === "b" ? "x08" : letter}|\\\\+${letter})`;
    const code = character.charCodeAt(0);
    if (code < 0x20) {
      const digits = code.toString(16).padStart(2, "0");
      return `(?:\\x${digits}|\\\\+u00${digits})`;
    }
    return character.replace(/[.*+?^${}()|[\]\\-]/g, "\\$&");
  };
  return Array.from(secret, one).join("");
}

/** One pattern for all, or nothing to look for. */
function patternOfAll(secrets: ReadonlySet<string>): RegExp | undefined {
  if (secrets.size === 0) return undefined;
  // Longest first: a secret that contains another must go as a whole.
  const all = [...secrets].flatMap((secret) => [secret, attempt(encodeURIComponent, secret)]);
  const sorted = [...new Set(all)].sort((a, b) => b.length - a.length);
  return new RegExp(sorted.map(patternOf).join("|"), "g");
}

/**
 * A redactor that knows the secrets of this run: environment values whose names sound secret, configuration values
 * under such names or under `env`, `headers` and `config`, what their placeholders stand for, passwords in addresses
 * and arguments, and the usual token forms wherever they stand.
 * @param config anything that holds configuration: `openclaw.json`, servers of `--mcp` files
 * @param more further secrets, as they are
 */
export function createRedactor(
  env: NodeJS.ProcessEnv,
  config: unknown,
  more: readonly string[] = [],
): Redactor {
  const secrets = new Secrets(env);
  for (const [name, value] of Object.entries(env)) {
    if (SECRET_NAME.test(name)) secrets.add(value);
    else if (value?.includes("://")) secrets.addUrl(value);
  }
  secrets.collect(config, false, false);
  for (const secret of more) secrets.add(secret);
  const known = patternOfAll(secrets.found);
  return (text) => {
    const clean = known === undefined ? text : text.replace(known, MASK);
    return clean.replace(KNOWN_FORMS, MASK).replace(USER_INFO, `$1${MASK}`);
  };
}

/** `JSON.stringify` that masks values whose names sound secret, whatever they are. */
export function stringifyMasked(value: unknown): string {
  const masked = (name: string, child: unknown): unknown =>
    SECRET_NAME.test(name) && (typeof child === "string" || typeof child === "number") ? MASK : child;
  return JSON.stringify(value, masked) ?? "undefined";
}
