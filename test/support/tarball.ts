import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { Header, type HeaderData } from "tar";

/** One entry, written as it stands: nothing about it is made safe. */
export interface TarEntry extends Omit<HeaderData, "size"> {
  path: string;
  content?: string | Buffer;
  /** Size in the header when it is not that of the content. */
  size?: number;
  /** Records of a pax header before the entry. */
  pax?: Record<string, string>;
}

function block(content: Buffer): Buffer {
  const padded = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  content.copy(padded);
  return padded;
}

function header(data: HeaderData): Buffer {
  const buffer = Buffer.alloc(512);
  new Header({ mode: 0o644, mtime: new Date(0), uid: 0, gid: 0, ...data }).encode(buffer, 0);
  return buffer;
}

function paxRecords(records: Record<string, string>): Buffer {
  const lines = Object.entries(records).map(([key, value]) => {
    const body = ` ${key}=${value}\n`;
    let length = Buffer.byteLength(body);
    while (length !== Buffer.byteLength(`${length}${body}`)) length = Buffer.byteLength(`${length}${body}`);
    return `${length}${body}`;
  });
  return Buffer.from(lines.join(""));
}

/** An uncompressed tar of exactly these entries. */
export function tarBytes(entries: readonly TarEntry[]): Buffer {
  const parts: Buffer[] = [];
  for (const { content = "", size, pax, ...data } of entries) {
    const body = Buffer.from(content);
    if (pax !== undefined) {
      const records = paxRecords(pax);
      parts.push(
        header({ path: "PaxHeader/x", type: "ExtendedHeader", size: records.length }),
        block(records),
      );
    }
    parts.push(header({ type: "File", ...data, size: size ?? body.length }));
    if (body.length > 0) parts.push(block(body));
  }
  parts.push(Buffer.alloc(1024));
  return Buffer.concat(parts);
}

export function writeTarball(file: string, entries: readonly TarEntry[]): string {
  writeFileSync(file, gzipSync(tarBytes(entries)));
  return file;
}
