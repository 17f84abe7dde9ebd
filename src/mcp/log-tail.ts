import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

const LINES = 20;
const LINE = 2_000;

/** The last lines a server wrote beside the protocol, for the messages that say why it failed. */
export class LogTail {
  readonly #lines: string[] = [];

  constructor(private readonly onLine: (line: string) => void) {}

  add(line: string): void {
    const text = line.trimEnd();
    if (text.trim() === "") return;
    const clipped = text.length > LINE ? `${text.slice(0, LINE)}…` : text;
    this.#lines.push(clipped);
    if (this.#lines.length > LINES) this.#lines.shift();
    this.onLine(clipped);
  }

  /** Reads a stream line by line until it ends. */
  follow(stream: Readable): void {
    const decoder = new StringDecoder("utf8");
    let rest = "";
    stream.on("data", (chunk: Buffer) => {
      const lines = (rest + decoder.write(chunk)).split(/\r\n|\n|\r/);
      rest = (lines.pop() ?? "").slice(0, LINE);
      for (const line of lines) this.add(line);
    });
    stream.on("end", () => this.add(rest + decoder.end()));
    stream.on("error", () => {});
  }

  /** The last lines as one, for a one-line message; empty when there are none. */
  summary(): string {
    const kept: string[] = [];
    for (const line of this.#lines.slice(-3)) kept.push(line.trim());
    return kept.join(" | ").slice(-400);
  }
}
