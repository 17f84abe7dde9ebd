// Names Windows reserves for devices, with or without an extension.
const DEVICE = /^(con|conin\$|conout\$|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;
const FORBIDDEN = /[\u0000-\u001f\u007f/\\:*?"<>|]/;

/** Longest id in UTF-8 bytes; file systems stop at 255, and stages add a suffix. */
const MAX_ID_BYTES = 200;

/**
 * Why `name` cannot be one path segment on every system we run on, or `undefined` when it can.
 * Plugin ids become folder names, and so do the names inside archives.
 */
export function unsafeSegmentReason(name: string): string | undefined {
  if (name === "") return "is empty";
  if (name === "." || name === "..") return "is a relative path segment";
  if (FORBIDDEN.test(name)) return "holds a character that file systems refuse";
  if (/[. ]$/.test(name)) return "ends with a dot or a blank";
  if (DEVICE.test(name)) return "is a reserved device name";
  return undefined;
}

/**
 * Why `id` cannot be the id of an installed plugin, or `undefined` when it can. Wider than what
 * `plugins init` hands out: any single safe path segment that is not hidden.
 */
export function unsafeIdReason(id: string): string | undefined {
  if (id.startsWith(".")) return "begins with a dot";
  // Two ids that look the same would be two plugins.
  if (/\p{Cf}/u.test(id)) return "holds an invisible character";
  if (id !== id.trim()) return "begins or ends with a blank";
  if (Buffer.byteLength(id) > MAX_ID_BYTES) return `is longer than ${MAX_ID_BYTES} bytes`;
  return unsafeSegmentReason(id);
}

/** What to say of an id: `fatal` when no install takes it, else that it is unusual; nothing of a plain one. */
export function idRemark(id: string): { fatal: boolean; message: string } | undefined {
  const unsafe = unsafeIdReason(id);
  if (unsafe !== undefined) {
    return {
      fatal: true,
      message: `the plugin id ${JSON.stringify(id)} ${unsafe}; it must be one path segment`,
    };
  }
  if (isPlainId(id)) return undefined;
  return {
    fatal: false,
    message: `the plugin id ${id} is unusual; lower-case letters, digits and - work everywhere`,
  };
}

/** Whether `plugins init` would accept the id: a lower-case letter, then letters, digits, `-`. */
export function isPlainId(id: string): boolean {
  return /^[a-z][a-z0-9-]*$/.test(id) && unsafeIdReason(id) === undefined;
}
