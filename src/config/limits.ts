/** Every numeric limit of Code Mode. Times are in the unit the name says, sizes in bytes. */
export interface CodeModeLimits {
  /** Budget of one leg (an `exec` or a `wait`), counted from its first guest instruction. */
  timeoutMs: number;
  /** Memory of the guest engine. */
  memoryLimitBytes: number;
  /** Serialised UTF-8 bytes of output and value or error together, over all legs of a cell. */
  maxOutputBytes: number;
  /** Largest suspended VM. */
  maxSnapshotBytes: number;
  /** Tool calls and timers in flight at once; 128 more may queue. */
  maxPendingToolCalls: number;
  /** How long a suspended run may stay parked. */
  snapshotTtlSeconds: number;
  searchDefaultLimit: number;
  maxSearchLimit: number;
  /** How long MCP servers may take to start before they are left out. */
  mcpStartMs: number;
}

export interface LimitRule {
  default: number;
  min: number;
  max: number;
}

const MiB = 1024 * 1024;

export const LIMIT_RULES: { readonly [K in keyof CodeModeLimits]: LimitRule } = {
  timeoutMs: { default: 10_000, min: 100, max: 60_000 },
  memoryLimitBytes: { default: 64 * MiB, min: MiB, max: 1024 * MiB },
  maxOutputBytes: { default: 64 * 1024, min: 1024, max: 10 * MiB },
  maxSnapshotBytes: { default: 10 * MiB, min: 1024, max: 256 * MiB },
  maxPendingToolCalls: { default: 16, min: 1, max: 128 },
  snapshotTtlSeconds: { default: 900, min: 1, max: 86_400 },
  searchDefaultLimit: { default: 8, min: 1, max: 50 },
  maxSearchLimit: { default: 50, min: 1, max: 50 },
  mcpStartMs: { default: 5_000, min: 100, max: 600_000 },
};

export const LIMIT_NAMES = Object.keys(LIMIT_RULES) as (keyof CodeModeLimits)[];

/**
 * Complete limits from partial, untrusted settings: an unusable value (not a positive integer) falls
 * back to the default, one out of range is clamped, and `searchDefaultLimit` never exceeds
 * `maxSearchLimit`. `onClamp` hears of each clamp.
 */
export function resolveLimits(
  settings: Partial<Record<keyof CodeModeLimits, unknown>> = {},
  onClamp?: (name: keyof CodeModeLimits, asked: number, used: number) => void,
): CodeModeLimits {
  const limits = {} as CodeModeLimits;
  for (const name of LIMIT_NAMES) {
    const rule = LIMIT_RULES[name];
    const asked = settings[name];
    if (typeof asked !== "number" || !Number.isInteger(asked) || asked <= 0) {
      limits[name] = rule.default;
      continue;
    }
    limits[name] = Math.min(rule.max, Math.max(rule.min, asked));
    if (limits[name] !== asked) onClamp?.(name, asked, limits[name]);
  }
  limits.searchDefaultLimit = Math.min(limits.searchDefaultLimit, limits.maxSearchLimit);
  return limits;
}
