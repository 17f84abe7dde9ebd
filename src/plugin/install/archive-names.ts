import { CommandFailure } from "../../errors.js";
import { unsafeSegmentReason } from "../plugin-id.js";

/** Longest path inside an archive, in UTF-8 bytes; longer ones fail on one system or another. */
const MAX_PATH_BYTES = 1_024;
const MAX_SEGMENT_BYTES = 255;

export function archiveRefused(why: string): CommandFailure {
  return new CommandFailure("archive_refused", `the archive is refused: ${why}`);
}

function shown(path: string): string {
  return JSON.stringify(path.length > 120 ? `${path.slice(0, 117)}...` : path);
}

/** Two names with the same key are the same file on some systems: case, composed and decomposed letters. */
function folded(segment: string): string {
  return segment.normalize("NFD").toUpperCase().toLowerCase().normalize("NFC");
}

/**
 * Watches the names of one archive: each must stay inside one top-level folder, be writable on every
 * system, and differ from all others also where case and Unicode forms do not count.
 */
export class ArchiveNames {
  /** Folded path of every file and folder → its exact path and kind. */
  readonly #seen = new Map<string, { path: string; folder: boolean }>();
  #top: string | undefined;

  /** The single top-level folder; undefined while nothing was added. */
  get top(): string | undefined {
    return this.#top;
  }

  /**
   * Checks one entry's name.
   * @returns its path below the top-level folder, `""` for that folder itself
   * @throws CommandFailure `archive_refused`
   */
  add(name: string, folder: boolean): string {
    if (name.includes("\0")) throw archiveRefused(`${shown(name)} holds a NUL character`);
    if (name.includes("\ufffd")) throw archiveRefused(`${shown(name)} is not UTF-8`);
    if (name.startsWith("/")) throw archiveRefused(`${shown(name)} is an absolute path`);
    if (/^[A-Za-z]:/.test(name)) throw archiveRefused(`${shown(name)} begins with a drive`);
    if (name.includes("\\")) throw archiveRefused(`${shown(name)} holds a backslash`);
    if (Buffer.byteLength(name) > MAX_PATH_BYTES) throw archiveRefused(`${shown(name)} is too long`);
    const segments = name.split("/").filter((part) => part !== "" && part !== ".");
    for (const segment of segments) {
      if (segment === "..") throw archiveRefused(`${shown(name)} climbs out with ".."`);
      const reason = unsafeSegmentReason(segment);
      if (reason !== undefined) throw archiveRefused(`${shown(segment)} in ${shown(name)} ${reason}`);
      if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) throw archiveRefused(`${shown(name)} is too long`);
    }
    const [top] = segments;
    if (top === undefined) {
      if (folder) return "";
      throw archiveRefused(`${shown(name)} is no file name`);
    }
    if (segments.length === 1 && !folder) {
      throw archiveRefused(`${shown(name)} lies beside, not inside, the one top-level folder it must have`);
    }
    this.#top ??= top;
    if (top !== this.#top) {
      throw archiveRefused(`it has more than one top-level folder: ${shown(this.#top)} and ${shown(top)}`);
    }
    this.#claim(segments, folder);
    return segments.slice(1).join("/");
  }

  #claim(segments: readonly string[], folder: boolean): void {
    for (let depth = 1; depth <= segments.length; depth++) {
      const path = segments.slice(0, depth).join("/");
      const isFolder = depth < segments.length || folder;
      const key = segments.slice(0, depth).map(folded).join("/");
      const known = this.#seen.get(key);
      if (known === undefined) {
        this.#seen.set(key, { path, folder: isFolder });
        continue;
      }
      if (known.path !== path) {
        throw archiveRefused(`${shown(known.path)} and ${shown(path)} are one file on some systems`);
      }
      if (!known.folder || !isFolder) throw archiveRefused(`${shown(path)} occurs twice`);
    }
  }
}
