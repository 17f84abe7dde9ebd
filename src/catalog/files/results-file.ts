/** `results.d.ts`: how cells keep large values for later cells of the same run. */
export const RESULTS_FILE = {
  path: "results.d.ts",
  description: "Keeping a large value for later cells of this run.",
  content: `/**
 * Names a saved value without holding it. The value itself stays complete; only what is shown of it
 * here is cut to fit 768 bytes of JSON.
 */
type CodeModeResultReference = {
  /** Pass it to results.load or results.delete. */
  id: string;
  /** UTF-8 bytes of the saved JSON. */
  bytes: number;
  /** Items of an array, keys of an object, 1 for anything else. */
  count: number;
  /**
   * Shapes found by sampling: at most 128 nodes over 5 levels, 16 keys of an object. Of the eight longest
   * arrays the first, middle and last item are looked at. Values the sample missed may look different.
   */
  shape: string;
  /** The whole JSON when it is short, else sampled values, two levels deep with at most six fields each. */
  preview: string;
  /** Whether the preview leaves something out. */
  previewTruncated: boolean;
};

/**
 * Values saved here outlive the cell but not the run: up to 64 of them, sharing one allowance of bytes
 * (the smaller of the memory and snapshot limits). A full shelf refuses new values and keeps the old ones.
 * An id from an earlier run is unknown.
 */
declare const results: {
  /** Saves a JSON-compatible value. A bigint, a cycle or a throwing toJSON throws at the call. */
  save(value: unknown): Promise<CodeModeResultReference>;
  /** Resolves to a fresh copy of the saved value, to filter or reshape without fetching it again. */
  load(id: string): Promise<unknown>;
  /** Frees the entry. */
  delete(id: string): Promise<boolean>;
};`,
} as const;
