/** Exit codes every command shares; `128+n` is used when a signal ends the process. */
export const EXIT = { ok: 0, failed: 1, usage: 2, waiting: 3, internal: 70 } as const;

export interface FailureOptions {
  /** What the user can do about it, one sentence. */
  hint?: string;
  /** Process exit code; 1 unless the failure is a usage error or a fault of ours. */
  exitCode?: number;
  /** Further fields for the JSON error document. */
  details?: Record<string, unknown>;
  cause?: unknown;
}

/**
 * A failure the user can act on. `src/cli.ts` is the only place that turns it into output: one line
 * that says what is wrong and where, an optional hint, and an exit code. Anything thrown that is not
 * a `CommandFailure` is a fault of ours (exit 70).
 */
export class CommandFailure extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly exitCode: number;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: string, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "CommandFailure";
    this.code = code;
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? EXIT.failed;
    this.details = options.details;
  }
}

/** Wrong flags, arguments or combinations of them: exit code 2. */
export class UsageFailure extends CommandFailure {
  constructor(message: string, hint?: string) {
    super("usage", message, { exitCode: EXIT.usage, ...(hint === undefined ? {} : { hint }) });
    this.name = "UsageFailure";
  }
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EISDIR: "it is a folder",
  ENOENT: "the folder it should be in does not exist",
  ENOSPC: "no space is left on the disk",
  ENOTDIR: "a part of its path is a file",
  EPERM: "the operation is not permitted",
  EROFS: "the file system is read-only",
};

/** Why the system refused to read or write a file that the message has named already; else `messageOf`. */
export function systemReason(thrown: unknown): string {
  const code = (thrown as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === "string" && Object.hasOwn(SYSTEM_REASONS, code)
    ? (SYSTEM_REASONS[code] ?? messageOf(thrown))
    : messageOf(thrown);
}

/** The message of anything thrown, without its stack. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  try {
    return String(thrown);
  } catch {
    return "unprintable value";
  }
}
