import { readDiscriminator } from "../../schema/discriminator.js";
import { declareNative } from "../rendering.js";
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
  const discriminator = entry.source === "openclaw" ? readDiscriminator(entry.tool.outputSchema) : undefined;
  if (discriminator?.kind === "malformed") {
    throw new ContractError(`${entry.callableName} cannot be declared: ${discriminator.message}`);
  }
  return `${HEADER}\n${declareNative({
    callableName: entry.callableName,
    source: entry.source,
    parameters: entry.tool.parameters,
    outputSchema: entry.tool.outputSchema,
  })}`;
}
