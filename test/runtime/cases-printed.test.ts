import { expect, it } from "vitest";
import { type CliRun, runCli } from "../support/cli.js";
import { tempDir } from "../support/temp.js";

function execFile(name: string, code: string): Promise<CliRun> {
  const dir = tempDir({ [name]: code });
  return runCli(["exec", name, "--json"], { cwd: dir, env: { OPENCLAW_STATE_DIR: dir } });
}

it("cell-01 ends the command with 1 and names the author's file and line", async () => {
  const run = await execFile("rows.js", "const rows = null;\nreturn rows.length;\n");
  expect(run.code).toBe(1);
  expect(run.json()).toMatchObject({ status: "failed", error: expect.stringMatching(/rows\.js:2:\d+/) });
});

it("cell-09 prints the key __proto__", async () => {
  const run = await execFile("values.js", `return JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}');`);
  expect(run.code).toBe(0);
  expect(Object.keys(run.json().value)).toEqual(["__proto__", "constructor"]);
});
