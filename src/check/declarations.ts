import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { legacyCallables } from "../catalog/legacy.js";
import type { Catalog, CatalogEntry } from "../catalog/types.js";
import { distFile, packageRoot } from "../package-root.js";

/** Virtual path of everything that is declared for a cell; the cell itself stands beside it. */
export const DECLARED = "/declared/";

/**
 * The declaration files of exactly what a cell can see, by virtual path below `DECLARED`. A tool that
 * `source` never mentions is declared by name only, so that a catalog of thousands costs little.
 */
export function cellDeclarations(catalog: Catalog, source: string): Map<string, string> {
  const files = new Map<string, string>();
  files.set(`${DECLARED}guest-globals.d.ts`, guestGlobals());
  const tools = ["declare const tools: CellTools;"];
  const mentioned = (entry: CatalogEntry): boolean =>
    source.includes(entry.callableName) || source.includes(entry.toolName);
  for (const entry of catalog.entries) {
    const loose = `declare function ${entry.callableName}(input?: any): Promise<any>;`;
    const content = mentioned(entry) ? read(catalog, entry.apiPath) : undefined;
    if (content === undefined) tools.push(loose);
    else {
      files.set(DECLARED + entry.apiPath, content);
      tools.push(handleOf(entry.callableName));
    }
  }
  const older = legacyCallables(catalog).map(
    ({ toolName, callableName }) => `  readonly ${JSON.stringify(toolName)}: typeof ${callableName};`,
  );
  if (older.length > 0) tools.push("interface CellTools {", ...older, "}");
  const hasMcp = catalog.namespaces.length > 0;
  tools.push(
    `declare const namespaces: { ${hasMcp ? "readonly MCP: typeof MCP; " : ""}readonly [name: string]: any };`,
  );
  files.set(`${DECLARED}run.d.ts`, tools.join("\n"));
  for (const { path } of catalog.listFiles()) {
    if (path.startsWith("tools/") || (path.startsWith("mcp/") && !/\bMCP\b/.test(source))) continue;
    const content = read(catalog, path);
    if (content !== undefined) files.set(DECLARED + path, content);
  }
  // Servers are only reachable below a namespace that exists.
  if (hasMcp && !/\bMCP\b/.test(source))
    files.set(`${DECLARED}mcp.d.ts`, "declare namespace MCP { const $api: any; }");
  return files;
}

/** What a tool is beside a function, as far as a cell can tell. */
function handleOf(name: string): string {
  return `declare namespace ${name} {
  const callableName: string;
  const toolName: string;
  const label: string | undefined;
  const description: string;
  const source: CellToolSource;
  const input: string;
  const output: string | undefined;
  function describe(): Promise<CellToolDescription>;
  function toJSON(): any;
}`;
}

function read(catalog: Catalog, path: string): string | undefined {
  try {
    return catalog.readFile(path).content;
  } catch {
    // A malformed contract is the tool's fault; the catalog's diagnostics tell of it.
    return undefined;
  }
}

let globals: string | undefined;

function guestGlobals(): string {
  const inSources = join(packageRoot(), "src/check/guest-globals.d.ts");
  globals ??= readFileSync(
    existsSync(inSources) ? inSources : distFile("check", "guest-globals.d.ts"),
    "utf8",
  );
  return globals;
}
