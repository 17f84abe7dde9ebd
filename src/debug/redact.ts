const SECRET_NAME =
  /key|token|secret|passw|passphrase|auth|credential|cookie|private|bearer|signature|dsn|webhook/i;
/** Configuration below these is a secret as a whole: authors name such fields as they like. */
const SECRET_BRANCHES = new Set(["env", "headers", "config"]);
const SHORTEST_SECRET = 4;
const KNOWN_FORMS =
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}|\b(?:sk|pk|rk|ghp|gho|ghs|xox[abprs]|glpat|npm)[-_][\w-]{12,}|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g;

function collect(value: unknown, secret: boolean, into: Set<string>): void {
  if (typeof value === "string") {
    if (secret && value.length >= SHORTEST_SECRET) into.add(value);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, child] of Object.entries(value)) {
      collect(child, secret || SECRET_NAME.test(name) || SECRET_BRANCHES.has(name), into);
    }
  }
}

/** Replaces secrets in text meant for debugging output. */
export type Redactor = (text: string) => string;

/**
 * A redactor that knows the secrets of this run: environment values whose names sound secret, configuration values
 * under such names or under `env`, `headers` and `config`, and the usual token forms wherever they stand.
 */
export function createRedactor(env: NodeJS.ProcessEnv, config: unknown): Redactor {
  const secrets = new Set<string>();
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value.length >= SHORTEST_SECRET && SECRET_NAME.test(name)) secrets.add(value);
  }
  collect(config, false, secrets);
  // Longest first: a secret that contains another must go as a whole.
  const known = [...secrets].sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const secret of known) {
      clean = clean.replaceAll(secret, "***");
      const quoted = JSON.stringify(secret).slice(1, -1);
      if (quoted !== secret) clean = clean.replaceAll(quoted, "***");
    }
    return clean.replace(KNOWN_FORMS, "***");
  };
}
