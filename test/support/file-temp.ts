import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/**
 * A maker of temporary folders for a file whose tests run side by side: all are removed when the file
 * ends, since a concurrent test cannot tell which of its siblings has finished.
 */
export function fileTempDirs(name = "openclaw-test-"): () => string {
  const base = realpathSync(mkdtempSync(join(tmpdir(), name)));
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  return () => mkdtempSync(join(base, "t-"));
}
