import type { ResultReference } from "../bridge/types.js";
import type { CellOutput, TruncationMarker } from "../types.js";
import { fitErrorText } from "./error-text.js";
import { jsonStringBytes, utf8Bytes } from "./json-text.js";
import { GUIDANCE, truncationMarker } from "./marker.js";
import { fitReference } from "./reference.js";

/** Keeps an oversized final object or array whole for later cells. */
export interface ValueSaver {
  /** Throws when there is no room. */
  save(json: string): ResultReference;
  release(id: string): void;
}

/** A final value that was kept instead of returned. */
export interface SavedValue {
  truncated: true;
  reference: ResultReference;
  guidance: string;
}

/**
 * The output of one cell over all its legs, under one budget of `maxBytes`: UTF-8 bytes of compact
 * JSON, output array, value and error together. Each leg is closed by exactly one of `waiting`,
 * `completed` and `failed`, which return what that leg delivers.
 *
 * While everything fits, a leg delivers its new entries. Once the whole does not fit, a leg delivers
 * one marker that stands for all output of the cell so far and replaces what earlier legs delivered;
 * an unchanged marker is not delivered again. Keeps at most `maxBytes` of text, however much is emitted.
 */
export interface OutputLedger {
  /** Adds emitted entries in order, each the compact JSON text of one `CellOutput`. */
  append(entries: readonly string[]): void;
  /** Counts entries whose text was not kept, once the budget is passed: so many, of so many bytes together. */
  skip(entries: number, bytes: number): void;
  /** Size of everything appended so far as one compact JSON array; 0 when nothing was. */
  readonly totalBytes: number;
  waiting(): { output: CellOutput[] };
  /**
   * `valueJson`: compact JSON text of the final value. With a `saver`, an object or array that does not
   * fit is saved and a reference returned; otherwise, and for strings, a marker.
   */
  completed(valueJson: string, saver?: ValueSaver): { output: CellOutput[]; value: unknown };
  failed(error: string): { output: CellOutput[]; error: string };
}

export function createOutputLedger(options: { maxBytes: number }): OutputLedger {
  const { maxBytes } = options;
  /** Beginning of the array text: enough for any prefix, and all of it while the total fits. */
  let head = "[";
  let totalBytes = 0;
  let undelivered: string[] = [];
  let lastSummary: string | undefined;

  function append(entries: readonly string[]): void {
    for (const entry of entries) {
      if (head.length < maxBytes) head += (totalBytes === 0 ? "" : ",") + entry.slice(0, maxBytes);
      totalBytes += totalBytes === 0 ? utf8Bytes(entry) + 2 : utf8Bytes(entry) + 1;
      if (totalBytes <= maxBytes) undelivered.push(entry);
      else undelivered = []; // from here on only a summary can be delivered
    }
  }

  /** What this leg delivers within `allowance`, and what all output of the cell now costs. */
  function deliver(allowance: number): { output: CellOutput[]; cost: number } {
    if (totalBytes <= allowance) {
      const output = undelivered.map((entry) => JSON.parse(entry) as CellOutput);
      undelivered = [];
      return { output, cost: totalBytes };
    }
    undelivered = [];
    const marker = truncationMarker({ head: `${head}]`, totalBytes }, allowance - 2, GUIDANCE.output);
    const summary = JSON.stringify(marker);
    const output = summary === lastSummary ? [] : [marker];
    lastSummary = summary;
    return { output, cost: utf8Bytes(summary) + 2 };
  }

  return {
    append,
    skip(entries, bytes) {
      if (entries === 0) return;
      totalBytes += bytes + entries;
      undelivered = [];
    },
    get totalBytes() {
      return totalBytes;
    },
    waiting: () => ({ output: deliver(maxBytes).output }),
    completed(valueJson, saver) {
      const valueBytes = utf8Bytes(valueJson);
      const { output, cost } = deliver(maxBytes - Math.min(valueBytes, Math.floor(maxBytes / 2)));
      const room = maxBytes - cost;
      if (valueBytes <= room) return { output, value: JSON.parse(valueJson) };
      return { output, value: projectValue(valueJson, valueBytes, room, saver) };
    },
    failed(error) {
      const fitted = fitErrorText(error, maxBytes - Math.min(totalBytes, Math.floor(maxBytes / 2)));
      const { output } = deliver(maxBytes - jsonStringBytes(fitted));
      return { output, error: fitted };
    },
  };
}

function projectValue(
  json: string,
  totalBytes: number,
  room: number,
  saver: ValueSaver | undefined,
): TruncationMarker | SavedValue {
  const source = { head: json, totalBytes };
  if (saver === undefined || !/^[[{]/.test(json)) return truncationMarker(source, room, GUIDANCE.value);
  const saved = saveWithin(json, room, saver);
  return saved ?? truncationMarker(source, room, GUIDANCE.unsaved);
}

function saveWithin(json: string, room: number, saver: ValueSaver): SavedValue | undefined {
  let reference: ResultReference;
  try {
    reference = saver.save(json);
  } catch {
    return undefined;
  }
  const envelope = (within: ResultReference | Record<string, never>) => ({
    truncated: true as const,
    reference: within,
    guidance: GUIDANCE.saved,
  });
  const fitted = fitReference(reference, room - utf8Bytes(JSON.stringify(envelope({}))) + 2);
  if (fitted !== undefined) return envelope(fitted) as SavedValue;
  saver.release(reference.id);
  return undefined;
}
