import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const script = fileURLToPath(new URL("locale-child.mts", import.meta.url));

async function under(locale: string): Promise<string> {
  const env = { ...process.env, LC_ALL: locale, LANG: locale, LANGUAGE: locale };
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", script], { env });
  return stdout;
}

test("the same tools give the same bytes whatever the machine's locale", async () => {
  const [czech, danish] = await Promise.all(["cs_CZ.UTF-8", "da_DK.UTF-8"].map(under));
  expect(danish).toBe(czech);
  // Czech would put "ch" behind "h", Danish "aa" behind "z": neither does here.
  const { names, hint } = JSON.parse(czech!);
  expect(names).toEqual(["_z", "aa", "b", "ch", "ci", "h", "z"]);
  expect(hint).toBe("{ aa: string; b: string; ch: string; ci: string; h: string; z: string }");
});
