import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { recoverState } from "../../../src/plugin/install/publish.js";
import { discoverPlugins } from "../../../src/plugin/load/discover.js";
import { discoverGiven } from "../../../src/plugin/load/given.js";
import { readRecords } from "../../../src/plugin/load/records.js";
import { unsafeIdReason } from "../../../src/plugin/plugin-id.js";
import { writePlugin } from "../../support/plugin-project.js";
import { stateAt } from "../../support/state.js";
import { tempDir } from "../../support/temp.js";

const record = (more: object = {}): object => ({
  source: "archive",
  spec: "x",
  installPath: "/",
  installedAt: "2026-01-01T00:00:00.000Z",
  toolchain: "0",
  transaction: "t",
  ...more,
});

describe("a state folder somebody wrote into", () => {
  const outside = ["../../victim", "..", "a/b", "C:x", ".", ""];

  test("records whose id leads out of the extensions folder are not seen", async () => {
    const root = tempDir({ "victim/openclaw.plugin.json": "{}" });
    const state = stateAt(join(root, "state"));
    mkdirSync(state.paths.toolchainDir, { recursive: true });
    const installs = Object.fromEntries([...outside, "fine"].map((id) => [id, record()]));
    writeFileSync(state.paths.recordsFile, JSON.stringify({ version: 1, installs }));
    expect(Object.keys((await readRecords(state.paths)).installs)).toEqual(["fine"]);
    expect((await discoverPlugins(state)).map(({ id }) => id)).toEqual(["fine"]);
  });

  test.each([
    ...outside.map((id) => ({ id })),
    ...outside.filter((name) => name !== "").map((folder) => ({ id: "fine", folder })),
  ])("a journal that names %j moves nothing", async (names) => {
    const root = tempDir({ "victim/file.txt": "kept" });
    const state = stateAt(join(root, "state"));
    const stage = join(state.paths.stageDir, "1-0-aaaaaaaaaaaa");
    mkdirSync(join(stage, "previous"), { recursive: true });
    mkdirSync(state.paths.extensionsDir, { recursive: true });
    const journal = { transaction: "1-0-aaaaaaaaaaaa", kind: "install", hadPrevious: true, placed: true };
    writeFileSync(join(stage, "journal.json"), JSON.stringify({ ...journal, ...names }));
    await recoverState(state.paths);
    expect(existsSync(join(root, "victim/file.txt"))).toBe(true);
    expect(existsSync(state.paths.extensionsDir)).toBe(true);
  });
});

test("the built twin of an absent entry may not be a link that leads out either", async () => {
  const root = tempDir({ "secret.js": "export default {};" });
  const dir = writePlugin(join(root, "plugin"), {
    id: "twin",
    packageJson: { openclaw: { extensions: ["./src/other.ts"] } },
  });
  symlinkSync(join(root, "secret.js"), join(dir, "dist/other.js"));
  const plugin = await discoverGiven(dir);
  expect(plugin.entries).toEqual([]);
  expect(plugin.error).toContain("not found");
});

test.each([
  ["a right-to-left override", "ev\u202eil"],
  ["a zero-width space", "evil\u200b"],
  ["a soft hyphen", "ev\u00adil"],
  ["a console of Windows", "CONIN$"],
  ["its output", "conout$.txt"],
])("an id with %s is refused", (_what, id) => {
  expect(unsafeIdReason(id)).toEqual(expect.any(String));
});
