import { declareNative } from "../../schema/declare-native.js";
import { escapeUntrusted } from "../../ui/escape.js";
import type { CatalogEntry } from "../types.js";

const HEADER = [
  "// Made from the contract this run enforces; a shape that TypeScript cannot state is `unknown`.",
  "// Constraints are checked against the JSON Schema at the call: describe() of the handle returns it.",
  "// A call resolves to the complete value or rejects; nothing is shortened on the way.",
].join("\n");

/** The text of `tools/<callableName>.d.ts`. Throws `MalformedDiscriminator`. */
export function nativeFile(entry: CatalogEntry): string {
  const declaration = declareNative({
    callableName: entry.callableName,
    source: entry.source,
    parameters: entry.tool.parameters,
    outputSchema: entry.tool.outputSchema,
  });
  // Only string literals can hold such characters, and there an escape means the same.
  return `${HEADER}\n${escapeUntrusted(declaration)}`;
}
