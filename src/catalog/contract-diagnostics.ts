import { boundInputSchema, MOST_INPUT_LEVELS } from "../schema/bound.js";
import { type SchemaCompiler, schemaCompiler } from "../schema/compile.js";
import { snapshot } from "../schema/snapshot.js";
import type { Catalog, CatalogDiagnostic, CatalogEntry } from "./types.js";

/**
 * What is wrong with the contracts of a catalog's tools: schemas that cannot be used, levels beyond the
 * bound of an input schema, and parts that are lost on the way to JSON. Each names its tool, and none
 * changes the catalog. Compiling costs time, so only commands that show the answer ask for it.
 */
export async function contractDiagnostics(catalog: Catalog): Promise<CatalogDiagnostic[]> {
  const compiler = await schemaCompiler();
  return [...catalog.entries, ...catalog.mcpEntries].flatMap((entry) => [
    ...inputDiagnostics(entry, compiler),
    ...outputDiagnostics(entry, compiler),
  ]);
}

function inputDiagnostics(entry: CatalogEntry, compiler: SchemaCompiler): CatalogDiagnostic[] {
  const { parameters } = entry.tool;
  if (parameters === undefined || entry.source === "client") return [];
  const compiled = compiler.compile(parameters, { purpose: "input" });
  if (!compiled.ok) {
    // The calls of an MCP tool are checked by its server, whatever the schema is worth.
    return entry.source === "mcp"
      ? [diagnostic(entry, "warning", `its input schema says nothing usable (${compiled.problem})`)]
      : [diagnostic(entry, "error", `its calls are refused: input schema ${compiled.problem}`)];
  }
  const { cut, cutPaths } = boundInputSchema(parameters);
  const deep =
    cut === 0
      ? []
      : [
          diagnostic(
            entry,
            "warning",
            `its input schema is deeper than ${MOST_INPUT_LEVELS} levels; anything is accepted below ${cutPaths[0]}${
              cut === 1 ? "" : ` and ${cut - 1} more places`
            }`,
          ),
        ];
  return [...deep, ...lostParts(entry, parameters, "input schema")];
}

function outputDiagnostics(entry: CatalogEntry, compiler: SchemaCompiler): CatalogDiagnostic[] {
  const { outputSchema } = entry.tool;
  if (outputSchema === undefined || outputSchema === false || entry.source !== "openclaw") return [];
  const compiled = compiler.compile(outputSchema, { purpose: "output" });
  return compiled.ok
    ? lostParts(entry, outputSchema, "output schema")
    : [diagnostic(entry, "error", `its calls are refused: output schema ${compiled.problem}`)];
}

function lostParts(entry: CatalogEntry, schema: unknown, which: string): CatalogDiagnostic[] {
  return snapshot(schema)
    .parts.filter(({ fatal }) => !fatal)
    .map(({ path, what, instead }) =>
      diagnostic(entry, "warning", `its ${which} holds ${what} at ${path}; use ${instead}`),
    );
}

function diagnostic(
  { callableName, tool }: CatalogEntry,
  level: CatalogDiagnostic["level"],
  problem: string,
): CatalogDiagnostic {
  return { level, owner: tool.owner, tool: tool.name, message: `tool "${callableName}": ${problem}` };
}
