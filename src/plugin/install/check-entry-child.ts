// Imports a staged plugin's entries in a process of its own: whatever the entry does to its process, the
// install can still be taken back.
import { CommandFailure, messageOf } from "../../errors.js";
import { definitionOf, registerOf } from "../load/definition.js";
import { importEntry } from "../load/entry.js";
import { isRecord } from "../load/manifest.js";

export interface CheckEntryRequest {
  rootDir: string;
  files: string[];
}

export type CheckEntryAnswer =
  | {
      ok: true /** Ids the definitions carry. */;
      ids: string[] /** Files without anything to register. */;
      empty: string[];
    }
  | { ok: false; code: string; message: string; hint?: string };

/** The parent decides when it has waited enough. */
const PATIENCE_MS = 600_000;

async function check({ rootDir, files }: CheckEntryRequest): Promise<CheckEntryAnswer> {
  const ids: string[] = [];
  const empty: string[] = [];
  for (const file of files) {
    const { namespace } = await importEntry({ file, rootDir, timeoutMs: PATIENCE_MS });
    const definition = definitionOf(namespace);
    if (registerOf(definition) === undefined) empty.push(file);
    if (isRecord(definition) && typeof definition.id === "string") ids.push(definition.id);
  }
  return { ok: true, ids, empty };
}

process.once("message", async (request: CheckEntryRequest) => {
  const answer = await check(request).catch((error: unknown): CheckEntryAnswer => {
    const hint = error instanceof CommandFailure ? error.hint : undefined;
    const code = error instanceof CommandFailure ? error.code : "entry_import_failed";
    return { ok: false, code, message: messageOf(error), ...(hint === undefined ? {} : { hint }) };
  });
  process.send?.(answer);
});

// The parent ends this process once it has its answer; should the parent die, nobody else would.
process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
