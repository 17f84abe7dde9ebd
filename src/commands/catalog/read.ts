import type { Command } from "commander";
import { type Catalog, CatalogInputError } from "../../catalog/types.js";
import { CommandFailure } from "../../errors.js";
import { nearest } from "../../text/nearest.js";
import { escapeUntrusted } from "../../ui/escape.js";
import { renderTable } from "../../ui/table.js";
import { type CommandContext, examples } from "../command.js";
import { toolOptions } from "../tool-flags.js";
import { type CatalogFlags, withCatalog } from "./load.js";

export function configure(command: Command, context: CommandContext): void {
  const { reporter } = context;
  toolOptions(command.argument("[path]", "a file or folder of the virtual API; all files without it"))
    .option("--json", "print one JSON document")
    .action(async (path: string | undefined, flags: CatalogFlags) => {
      await withCatalog(flags, context, ({ catalog }) => {
        const files = listing(catalog, path);
        if (files !== undefined) {
          reporter.document({ files });
          reporter.print(
            renderTable(
              ["Path", "Bytes", "About"],
              files.map((file) => [file.path, String(file.bytes ?? "").padStart(5), file.description ?? ""]),
            ),
          );
          return;
        }
        const file = readFile(catalog, path!);
        reporter.document(file);
        reporter.print(escapeUntrusted(file.content));
      });
    });
  examples(command, [
    "openclaw catalog read",
    "openclaw catalog read tools/shipping_list.d.ts --plugin .",
    "openclaw catalog read mcp/github.d.ts --mcp servers.json",
  ]);
}

/** The files of a folder, or of everything; undefined when `path` is not a folder. */
function listing(catalog: Catalog, path: string | undefined): ReturnType<Catalog["listFiles"]> | undefined {
  if (path === undefined) return catalog.listFiles();
  try {
    const files = catalog.listFiles(path);
    return files.length === 0 || files.some((file) => file.path === path.trim().replace(/^\/+/, ""))
      ? undefined
      : files;
  } catch (error) {
    throw asFailure(error, catalog, path);
  }
}

function readFile(catalog: Catalog, path: string): ReturnType<Catalog["readFile"]> {
  try {
    return catalog.readFile(path);
  } catch (error) {
    throw asFailure(error, catalog, path);
  }
}

function asFailure(error: unknown, catalog: Catalog, path: string): unknown {
  if (!(error instanceof Error)) return error;
  if (!(error instanceof CatalogInputError)) {
    return new CommandFailure("declaration_failed", `${path}: ${error.message}`, { cause: error });
  }
  const [close] = nearest(
    path,
    catalog.listFiles().map((file) => file.path),
  );
  return new CommandFailure("api_file_not_found", error.message, {
    hint: close === undefined ? "`openclaw catalog read` lists all files." : `Did you mean \`${close}\`?`,
  });
}
