import { declareNative } from "../rendering.js";
import type { CatalogEntry } from "../types.js";

const HEADER = [
  "// Made from the contract this run enforces; a shape that TypeScript cannot state is `unknown`.",
  "// Constraints are checked against the JSON Schema at the call: describe() of the handle returns it.",
  "// A call resolves to the complete value or rejects; nothing is shortened on the way.",
].join("\n");

/** The text of `tools/<callableName>.d.ts`. */
export function nativeFile(entry: CatalogEntry): string {
  return `${HEADER}\n${declareNative({
    callableName: entry.callableName,
    source: entry.source,
    parameters: entry.tool.parameters,
    outputSchema: entry.tool.outputSchema,
  })}`;
}
