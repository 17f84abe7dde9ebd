import { resolve } from "node:path";
import type { McpServerConfig } from "../config/config.js";

/** A server ready to be reached: placeholders filled, nothing optional left open. */
export type ResolvedServer =
  | {
      kind: "stdio";
      command: string;
      args: string[];
      /** Whole environment of the process. */
      env: Record<string, string>;
      cwd: string;
      /** Names the configuration sets, sorted. */
      envNames: string[];
      secrets: string[];
    }
  | { kind: "http"; url: string; headers: Record<string, string>; secrets: string[] };

/** A configuration that cannot be used; the message is the reason. */
export class UnusableServer extends Error {}

/**
 * What a server process gets of our environment: enough to find programs, files, locale and proxies. Keys
 * and tokens are not handed to every server; name those a server needs in its `env`.
 */
const INHERITED =
  /^(?:HOME|LOGNAME|PATH|SHELL|TERM|USER|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|XDG_\w+|(?:HTTPS?|NO|ALL)_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|APPDATA|LOCALAPPDATA|HOMEDRIVE|HOMEPATH|USERPROFILE|USERNAME|SYSTEMROOT|SYSTEMDRIVE|COMSPEC|PATHEXT|PROGRAMFILES|PROGRAMDATA|PROCESSOR_ARCHITECTURE|WINDIR)$/i;

/**
 * Fills `${NAME}`, `${env:NAME}` and `${NAME:-fallback}` from the environment.
 * @throws UnusableServer for an unset variable or a placeholder of another kind
 */
export function expand(text: string, env: NodeJS.ProcessEnv): string {
  return text.replace(/\$\{([^{}]*)\}/g, (whole, inner: string) => {
    const match = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(inner);
    if (match === null) throw new UnusableServer(`the placeholder ${whole} is not supported; use \${NAME}`);
    const value = env[match[1] as string];
    if (value !== undefined && (value !== "" || match[2] === undefined)) return value;
    if (match[2] !== undefined) return match[2];
    throw new UnusableServer(`the environment variable ${match[1]} is not set`);
  });
}

/**
 * Fills the placeholders of a server and completes its environment.
 * @param cwd base of a relative `cwd`, and the working directory when there is none
 * @throws UnusableServer
 */
export function resolveServer(config: McpServerConfig, env: NodeJS.ProcessEnv, cwd: string): ResolvedServer {
  const fill = (values: Record<string, unknown> | undefined): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values ?? {}).map(([name, value]) => [name, expand(String(value), env)]),
    );
  if (config.url !== undefined) {
    if (config.transport === "sse") {
      throw new UnusableServer(
        "the sse transport is not supported; use the server's streamable HTTP address",
      );
    }
    const url = expand(config.url, env);
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new UnusableServer(`its url is no http(s) address`);
    }
    const headers = fill(config.headers);
    return { kind: "http", url, headers, secrets: secretsOf(Object.values(headers)) };
  }
  const own = fill(config.env);
  const inherited = Object.entries(env).filter(
    (entry): entry is [string, string] => INHERITED.test(entry[0]) && entry[1] !== undefined,
  );
  const command = expand(config.command ?? "", env).trim();
  if (command === "") throw new UnusableServer("its command is empty");
  return {
    kind: "stdio",
    command,
    args: (config.args ?? []).map((argument) => expand(argument, env)),
    env: { ...Object.fromEntries(inherited), ...own },
    cwd: config.cwd === undefined ? cwd : resolve(cwd, expand(config.cwd, env)),
    envNames: Object.keys(own).sort(),
    secrets: secretsOf(Object.values(own)),
  };
}

/** Values worth hiding: short ones are switches and numbers, and hiding them would only garble text. */
function secretsOf(values: readonly string[]): string[] {
  return values
    .flatMap((value) => [value, value.replace(/^(?:Bearer|Basic|Token)\s+/i, "")])
    .filter((value) => value.length >= 8);
}

/** `text` without any of the secrets. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((result, secret) => result.replaceAll(secret, "***"), text);
}
