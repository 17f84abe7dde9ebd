import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { statePaths, userHome } from "../../src/config/paths.js";
import { runCli } from "../support/cli.js";
import { tempDir } from "../support/temp.js";

test("an empty HOME does not make the working directory the home folder", async () => {
  const cwd = tempDir();
  const env = { HOME: "", USERPROFILE: "", OPENCLAW_STATE_DIR: undefined };
  const shown = (await runCli(["config", "path"], { cwd, env })).stdout;
  expect(shown).toBe(`${join(userInfo().homedir, ".openclaw/openclaw.json")}\n`);
});

test("a home folder that is named is taken as it is", () => {
  expect(userHome({ HOME: " /home/me " })).toBe("/home/me");
  expect(userHome({ HOME: "", USERPROFILE: "/users/me" })).toBe("/users/me");
  expect(statePaths({ HOME: "/home/me", OPENCLAW_STATE_DIR: "~/s" }).stateDir).toBe("/home/me/s");
});
