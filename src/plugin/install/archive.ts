import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdir, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { Transform } from "node:stream";
import { createGunzip } from "node:zlib";
import type { ReadEntry } from "tar";
import { CommandFailure, messageOf } from "../../errors.js";
import { ArchiveNames, archiveRefused } from "./archive-names.js";

/** Bounds of an archive; generous for code, small for a bomb. */
export interface ArchiveLimits {
  /** Size of the file itself, in bytes. */
  archiveBytes: number;
  /** All content unpacked, headers included, in bytes. */
  unpackedBytes: number;
  /** Files and folders. */
  entries: number;
  /** Unpacked size over packed size, judged once `ratioFromBytes` have come out. */
  ratio: number;
  ratioFromBytes: number;
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  archiveBytes: 256 * 1024 * 1024,
  unpackedBytes: 1024 * 1024 * 1024,
  entries: 50_000,
  ratio: 200,
  ratioFromBytes: 16 * 1024 * 1024,
};

const FILES = new Set(["File", "OldFile", "ContiguousFile"]);
const FOLDERS = new Set(["Directory", "GNUDumpDir"]);
const KINDS: Readonly<Record<string, string>> = {
  SymbolicLink: "a symbolic link",
  Link: "a hard link",
  CharacterDevice: "a device",
  BlockDevice: "a device",
  FIFO: "a named pipe",
};

interface CheckedEntry {
  /** Below the top-level folder. */
  path: string;
  folder: boolean;
  executable: boolean;
}

/** Judges one header before anything of the entry is written. */
function checkEntry(entry: ReadEntry, names: ArchiveNames): CheckedEntry {
  const folder = FOLDERS.has(entry.type);
  if (!folder && !FILES.has(entry.type)) {
    throw archiveRefused(`${JSON.stringify(entry.path)} is ${KINDS[entry.type] ?? `of kind ${entry.type}`}`);
  }
  const mode = entry.mode ?? 0o644;
  // The sticky bit of a folder grants nothing; set-user and set-group do.
  if ((mode & 0o6000) !== 0)
    throw archiveRefused(`${JSON.stringify(entry.path)} carries a set-user or set-group bit`);
  return { path: names.add(entry.path, folder), folder, executable: (mode & 0o100) !== 0 };
}

/** First bytes of gzip, zstd, bzip2, xz and compress. */
const COMPRESSED = /^(\x1f\x8b|\x28\xb5\x2f\xfd|BZh|\xfd7zX|\x1f\x9d)/;

/** Counts what comes out of the decompressor and stops a bomb while it is small. */
function meter(packed: number, limits: ArchiveLimits): Transform {
  let total = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      // The parser would unpack a second layer itself, past this count.
      if (total === 0 && COMPRESSED.test(chunk.toString("latin1", 0, 4))) {
        return done(archiveRefused("it is compressed more than once"));
      }
      total += chunk.length;
      if (total > limits.unpackedBytes) {
        return done(archiveRefused(`it unpacks to more than ${limits.unpackedBytes} bytes`));
      }
      if (total > limits.ratioFromBytes && total > packed * limits.ratio) {
        return done(archiveRefused(`it unpacks to more than ${limits.ratio} times its size`));
      }
      done(null, chunk);
    },
  });
}

type EntryVisitor = (entry: ReadEntry, checked: CheckedEntry) => Promise<void> | undefined;

/** Reads an archive once; every entry is checked, `visit` gets those that passed and must consume them. */
async function readArchive(file: string, limits: ArchiveLimits, visit: EntryVisitor): Promise<void> {
  const { Parser } = await import("tar");
  const { size } = await stat(file);
  if (size > limits.archiveBytes) throw archiveRefused(`it is larger than ${limits.archiveBytes} bytes`);
  const names = new ArchiveNames();
  const parser = new Parser({ strict: true, brotli: false, zstd: false });
  const work: Promise<void>[] = [];
  let count = 0;
  let current: ReadEntry | undefined;
  let failure: unknown;
  let stop: (error: unknown) => void = () => {};
  const fail = (error: unknown): void => {
    failure ??= error;
    stop(error);
    // A consumer of an entry that will never end would wait forever.
    current?.destroy(new Error("stopped"));
  };
  parser.on("ignoredEntry", (entry: ReadEntry) => {
    fail(archiveRefused(`${JSON.stringify(entry.path)} is of a kind that is not known or too large`));
  });
  parser.on("entry", (entry: ReadEntry) => {
    current = entry;
    entry.on("error", () => {});
    if (failure !== undefined) return void entry.resume();
    try {
      count += 1;
      if (count > limits.entries) throw archiveRefused(`it holds more than ${limits.entries} entries`);
      const visited = visit(entry, checkEntry(entry, names));
      if (visited === undefined) entry.resume();
      else work.push(visited.catch(fail));
    } catch (error) {
      fail(error);
    }
  });
  parser.on("meta", (text: string) => {
    // A pax record may hold what a fixed-width name cannot.
    if (/^\d+ [^=]+=/.test(text) && text.includes("\0"))
      fail(archiveRefused("a name in it holds a NUL character"));
  });
  const packed = createReadStream(file);
  const unpacked = createGunzip();
  const metered = meter(size, limits);
  try {
    await new Promise<void>((resolve, reject) => {
      stop = reject;
      packed.on("error", reject);
      unpacked.on("error", reject);
      metered.on("error", reject);
      parser.on("error", reject);
      parser.on("end", () => resolve());
      parser.on("eof", () => {
        // What follows the end is counted and dropped; the parser would gather it in memory.
        metered.unpipe();
        metered.on("end", () => parser.end());
        metered.resume();
      });
      packed
        .pipe(unpacked)
        .pipe(metered)
        .pipe(parser as unknown as NodeJS.WritableStream);
    });
  } catch (error) {
    fail(error);
  }
  packed.destroy();
  unpacked.destroy();
  metered.destroy();
  await Promise.all(work);
  if (failure instanceof CommandFailure) throw failure;
  if (failure !== undefined) {
    throw new CommandFailure(
      "archive_unreadable",
      `not a readable .tgz archive: ${file}: ${messageOf(failure)}`,
      {
        cause: failure,
      },
    );
  }
  if (names.top === undefined) throw archiveRefused("it is empty");
}

/**
 * Looks at every header of a `.tgz` without writing anything: names, kinds, sizes, counts.
 * @throws CommandFailure `archive_refused` with the first reason, `archive_unreadable` when it is no archive
 */
export async function checkArchive(file: string, limits: ArchiveLimits = ARCHIVE_LIMITS): Promise<void> {
  await readArchive(file, limits, () => undefined);
}

async function writeEntry(entry: ReadEntry, path: string, executable: boolean): Promise<void> {
  // Exclusive: a file that is already there would mean that a check was passed by.
  try {
    const handle = await open(path, "wx", 0o600);
    try {
      for await (const chunk of entry) await handle.writeFile(chunk as Buffer);
    } finally {
      await handle.close();
    }
    await chmod(path, executable ? 0o755 : 0o644);
  } catch (error) {
    throw new CommandFailure("unpack_failed", `cannot write ${path}: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Unpacks a checked archive into `target` without its top-level folder. Every header is judged again,
 * owners and times are not restored, modes become 644 or 755, and configuration for npm is left out:
 * it would act on the dependency install of this very plugin.
 */
export async function unpackArchive(
  file: string,
  target: string,
  limits: ArchiveLimits = ARCHIVE_LIMITS,
): Promise<void> {
  await mkdir(target, { recursive: true });
  const folders = new Map<string, Promise<unknown>>();
  const ensure = (path: string): Promise<unknown> => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const made = mkdir(join(target, path), { recursive: true });
    folders.set(path, made);
    return made;
  };
  await readArchive(file, limits, (entry, { path, folder, executable }) => {
    if (folder) {
      entry.resume();
      return path === "" ? undefined : ensure(path).then(() => {});
    }
    if (/(^|\/)\.npmrc$/i.test(path)) return undefined;
    const parent = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
    return ensure(parent).then(() => writeEntry(entry, join(target, path), executable));
  });
}

/** Hashes of a file in the forms registries print. */
export async function fileHashes(file: string): Promise<{ integrity: string; shasum: string }> {
  const sha512 = createHash("sha512");
  const sha1 = createHash("sha1");
  for await (const chunk of createReadStream(file)) {
    sha512.update(chunk as Buffer);
    sha1.update(chunk as Buffer);
  }
  return { integrity: `sha512-${sha512.digest("base64")}`, shasum: sha1.digest("hex") };
}
