import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { ensureFolder } from "../ensure-folder.js";
import type { ResolvedServer } from "./expand.js";
import type { ServerListing } from "./types.js";

const FORMAT = 1;
/** An entry nobody confirmed for this long is asked for again: 24 hours. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
/** Larger lists are not kept. */
const MAX_BYTES = 16 * 1024 * 1024;

interface CacheEntry {
  format: number;
  savedAt: number;
  /** Size and time of the files the command line names: a server under development changes these. */
  files: string;
  listing: ServerListing;
}

/** Tool lists of servers between runs, one file a server, so that a run starts only what it calls. */
export class ListCache {
  constructor(
    private readonly dir: string,
    private readonly now: () => number = Date.now,
  ) {}

  /** The kept list of a server, or undefined when there is none that can be trusted. */
  async read(server: ResolvedServer): Promise<ServerListing | undefined> {
    try {
      const entry = JSON.parse(await readFile(this.#file(server), "utf8")) as CacheEntry;
      const age = this.now() - entry.savedAt;
      if (entry.format !== FORMAT || !(age >= 0 && age < MAX_AGE_MS)) return undefined;
      if (!Array.isArray(entry.listing.tools) || typeof entry.listing.server.name !== "string")
        return undefined;
      return entry.files === (await fileStamp(server)) ? entry.listing : undefined;
    } catch {
      return undefined;
    }
  }

  /** Keeps a list; a cache that cannot be written is no reason for anything to fail. */
  async write(server: ResolvedServer, listing: ServerListing): Promise<void> {
    try {
      const entry: CacheEntry = {
        format: FORMAT,
        savedAt: this.now(),
        files: await fileStamp(server),
        listing,
      };
      const text = JSON.stringify(entry);
      if (text.length > MAX_BYTES) return;
      await ensureFolder(this.dir);
      const { default: writeFileAtomic } = await import("write-file-atomic");
      await writeFileAtomic(this.#file(server), text, { mode: 0o600, fsync: false });
    } catch {
      // The next run asks the server again.
    }
  }

  #file(server: ResolvedServer): string {
    const key =
      server.kind === "stdio"
        ? [server.command, server.args, server.cwd, server.envNames]
        : [server.url, Object.keys(server.headers).sort()];
    return join(this.dir, `${createHash("sha256").update(JSON.stringify(key)).digest("hex")}.json`);
  }
}

async function fileStamp(server: ResolvedServer): Promise<string> {
  if (server.kind === "http") return "";
  const search = (server.env.PATH ?? "").split(delimiter);
  const bare = !/[\\/]/.test(server.command);
  const candidates = [
    ...(bare ? search.map((folder) => join(folder, server.command)) : [resolve(server.cwd, server.command)]),
    ...server.args
      .filter((argument) => isAbsolute(argument) || /[\\/.]/.test(argument))
      .map((argument) => resolve(server.cwd, argument)),
  ];
  const stamps = await Promise.all(
    candidates.map((file) =>
      stat(file).then(
        (info) => (info.isFile() ? `${file}:${info.size}:${Math.trunc(info.mtimeMs)}` : undefined),
        () => undefined,
      ),
    ),
  );
  return stamps.filter((stamp) => stamp !== undefined).join("\n");
}
