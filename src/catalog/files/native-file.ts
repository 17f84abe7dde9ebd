import { declareNative, MalformedDiscriminator } from "../../schema/declare-native.js";
import { escapeUntrusted } from "../../ui/escape.js";
import { type CatalogEntry, ContractError } from "../types.js";

const HEADER = [
  "// Made from the contract this run enforces; a shape that TypeScript cannot state is `unknown`.",
  "// Constraints are checked against the JSON Schema at the call: describe() of the handle returns it.",
  "// A call resolves to the complete value or rejects; nothing is shortened on the way.",
].join("\n");

/**
 * The text of `tools/<callableName>.d.ts`.
 * @throws ContractError when the output schema carries a malformed input discriminator: such a tool never
 * runs, so there is nothing true to declare
 */
export function nativeFile(entry: CatalogEntry): string {
  // Only string literals can hold characters that are escaped, and there an escape means the same.
  return `${HEADER}\n${escapeUntrusted(declaration(entry))}`;
}

function declaration({ callableName, source, tool }: CatalogEntry): string {
  const { parameters, outputSchema } = tool;
  try {
    return declareNative({ callableName, source, parameters, outputSchema });
  } catch (error) {
    if (!(error instanceof MalformedDiscriminator)) throw error;
    throw new ContractError(`${callableName} cannot be declared: ${error.message}`);
  }
}
