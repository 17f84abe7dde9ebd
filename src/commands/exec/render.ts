import type { CellOutput, CellResult, TruncationMarker } from "../../runtime/types.js";
import { findPlace, renderCodeFrame } from "../../ui/code-frame.js";
import { escapeUntrusted } from "../../ui/escape.js";
import type { Reporter } from "../../ui/reporter.js";
import { type CellSource, labelOf } from "./sources.js";

function isMarker(entry: unknown): entry is TruncationMarker {
  return typeof entry === "object" && entry !== null && (entry as TruncationMarker).truncated === true;
}

function textOf(entry: CellOutput): string {
  if (isMarker(entry)) return entry.prefix;
  return entry.type === "text" ? entry.text : JSON.stringify(entry.value, null, 2);
}

/**
 * Prints emitted output while a cell runs. Past `maxBytes` it stops: the rest is summarised when the cell
 * has ended.
 */
export function createLivePrinter(reporter: Reporter, maxBytes: number): (entry: CellOutput) => void {
  let left = maxBytes;
  return (entry) => {
    if (left <= 0) return;
    const text = textOf(entry);
    left -= Buffer.byteLength(text);
    if (left > 0) reporter.print(escapeUntrusted(text));
  };
}

function frameFor(error: string, source: CellSource): string | undefined {
  const label = labelOf(source);
  const place = findPlace(error, label);
  return place === undefined ? undefined : renderCodeFrame({ source: source.code, label, ...place });
}

/** The end of a cell for a person: value on stdout; failure, truncation and loss notes on stderr. */
export function renderResult(result: CellResult, source: CellSource, reporter: Reporter): void {
  for (const entry of result.output) {
    if (isMarker(entry)) {
      reporter.warn(
        `output truncated, ${entry.omittedBytes} bytes left out; raise --limit maxOutputBytes or emit less`,
      );
    }
  }
  if (result.status === "completed") {
    const { value } = result;
    if (typeof value === "string") reporter.print(escapeUntrusted(value));
    else if (value !== null && value !== undefined)
      reporter.print(escapeUntrusted(JSON.stringify(value, null, 2)));
    if (isMarker(value)) {
      const saved = (value as { reference?: { id: string } }).reference;
      reporter.warn(
        saved === undefined
          ? `the value was truncated, ${value.omittedBytes} bytes left out; raise --limit maxOutputBytes or return less`
          : `the value is over the output budget; saved result ${saved.id} ends with this process: raise --limit maxOutputBytes to print it whole`,
      );
    }
    for (const { path, was, became } of result.warnings ?? []) {
      reporter.warn(path === "" ? `${was} ${became}` : `${path}: ${was} became ${became}`);
    }
    return;
  }
  if (result.status === "waiting") {
    const calls = result.pendingToolCalls.map(({ method, id }) => `${method} (${id})`).join(", ");
    reporter.note(
      `waiting (${result.reason})${calls === "" ? "" : `: ${calls}`}; without --no-wait the run is resumed`,
    );
    return;
  }
  const [headline, ...rest] = result.error.trimEnd().split("\n");
  reporter.problem(result.code, headline ?? "");
  if (rest.length > 0) reporter.note(rest.join("\n"));
  const frame = frameFor(result.error, source);
  if (frame !== undefined) reporter.note(frame);
}
