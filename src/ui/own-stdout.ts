import { Writable } from "node:stream";

const stream = process.stdout;
const original = stream.write.bind(stream) as (
  chunk: unknown,
  done?: (error?: Error | null) => void,
) => boolean;

/**
 * Writes to the real stdout. Plugin code is made to write to stderr by replacing `process.stdout.write`;
 * what this toolchain itself says goes through here, and so stays where it belongs.
 * @returns false when the stream wants its writer to wait
 */
export function writeStdout(chunk: string | Uint8Array, done?: (error?: Error | null) => void): boolean {
  return done === undefined ? original(chunk) : original(chunk, done);
}

/** The real stdout as a stream, for protocols that own it (an MCP server on stdio). */
export function ownStdout(): Writable {
  return new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => void writeStdout(chunk, done),
  });
}
