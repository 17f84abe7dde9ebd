// Everything of a catalog that has an order, as one JSON document; run under different locales.
import { catalogOf, mcpTool, nativeTool } from "./support.js";

const NAMES = ["ch", "h", "ci", "aa", "z", "_z", "b"];
const fields = NAMES.filter((name) => name !== "_z");
const parameters = {
  type: "object",
  properties: Object.fromEntries(fields.map((name) => [name, { type: "string" }])),
  required: fields,
  additionalProperties: false,
};
const catalog = catalogOf(
  ...NAMES.map((name) =>
    nativeTool(name, { description: "Same words.", parameters, outputSchema: parameters }),
  ),
  ...["ch-x", "h-x", "ci-x", "chX"].flatMap((server) => NAMES.map((name) => mcpTool(server, name))),
);
const document = {
  names: catalog.entries.map(({ callableName }) => callableName),
  hint: catalog.entries[0]!.input,
  index: catalog.quickIndex(),
  remote: catalog.mcpEntries.map(({ id, callableName }) => [id, callableName]),
  files: catalog.listFiles().map(({ path }) => [path, catalog.readFile(path).content]),
  found: catalog.search("same words", { limit: 50 }).map(({ id }) => id),
  servers: catalog.mcpApi(),
};
process.stdout.write(JSON.stringify(document));
