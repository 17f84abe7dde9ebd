import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "tar";
import { onTestFinished } from "vitest";
import { npmCommand } from "../../src/plugin/install/npm.js";

/** Packs `dir` with the real npm into `destination` (a temporary folder by default); answers the archive's path. */
export function npmPack(dir: string, destination?: string): string {
  const into = destination ?? mkdtempSync(join(tmpdir(), "openclaw-pack-"));
  if (destination === undefined) onTestFinished(() => rmSync(into, { recursive: true, force: true }));
  const before = new Set(readdirSync(into));
  const npm = npmCommand();
  execFileSync(npm.file, [...npm.args, "pack", "--pack-destination", into, "--loglevel=error"], {
    cwd: dir,
    stdio: "pipe",
  });
  const made = readdirSync(into).filter((name) => name.endsWith(".tgz") && !before.has(name));
  if (made.length !== 1) throw new Error(`npm pack made ${made.length} archives in ${into}`);
  return join(into, made[0]!);
}

/** An archive of everything in `dir`, laid out as npm does it but made without npm: faster, and no script can run. */
export function packTree(dir: string, file: string): string {
  create({ file, cwd: dir, prefix: "package", gzip: true, sync: true, portable: true }, readdirSync(dir));
  return file;
}
