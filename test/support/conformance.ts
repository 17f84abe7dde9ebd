import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const bundled = fileURLToPath(new URL("../fixtures/conformance", import.meta.url));

/** The whole data set when OPENCLAW_CONFORMANCE_DIR names it, else the copy in the repository. */
export function conformanceFile(path: string): string {
  const whole = process.env.OPENCLAW_CONFORMANCE_DIR;
  if (whole !== undefined && existsSync(join(whole, path))) return join(whole, path);
  return join(bundled, path);
}

export function readJsonl<T = any>(path: string): T[] {
  return readFileSync(conformanceFile(path), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
}

/** Ids allowed to differ, each with the reason why ours is better. */
export function exceptions(): Record<string, string> {
  return JSON.parse(
    readFileSync(fileURLToPath(new URL("../conformance/exceptions.json", import.meta.url)), "utf8"),
  );
}
