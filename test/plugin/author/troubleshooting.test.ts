import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pluginProject, toolSource } from "../../support/author-project.js";
import { projectRoot } from "../../support/cli.js";
import { full } from "../../support/full.js";

// Each title is a message authors look up. Each test follows the advice that comes with it.
describe("the five troubleshooting messages", () => {
  for (const command of full ? ["build", "validate"] : ["validate"]) {
    it(`plugin entry not found: ./dist/index.js (${command})`, async () => {
      const plugin = pluginProject();
      await plugin.build();
      renameSync(join(plugin.dir, "dist"), join(plugin.dir, "away"));
      const run = await plugin.cli(command, "--entry", "./dist/index.js");
      expect(run.code).toBe(1);
      expect(run.stdout).toBe("");
      expect(run.stderr).toContain("plugin entry not found: ./dist/index.js");
      expect(run.stderr).toContain("npm run build");
      renameSync(join(plugin.dir, "away"), join(plugin.dir, "dist"));
      expect((await plugin.cli(command, "--entry", "./dist/index.js")).code).toBe(0);
    });

    it(`plugin entry does not expose defineToolPlugin metadata (${command})`, async () => {
      const plugin = pluginProject();
      await plugin.build();
      const right = plugin.read("dist/index.js");
      plugin.write({ "dist/index.js": right.replace("export default", "export const plugin =") });
      const run = await plugin.cli(command);
      expect(run.code).toBe(1);
      expect(run.stderr).toContain("plugin entry does not expose defineToolPlugin metadata: ./dist/index.js");
      expect(run.stderr).toContain("export `plugin`");
      plugin.write({ "dist/index.js": right });
      expect((await plugin.cli(command)).code).toBe(0);
    });

    it(`Cannot find package 'typebox' (${command})`, async () => {
      const plugin = pluginProject({ fields: "configSchema: Type.Object({})," });
      await plugin.build();
      const link = join(plugin.dir, "node_modules/typebox");
      rmSync(link);
      const run = await plugin.cli(command);
      expect(run.code).toBe(1);
      expect(run.stderr).toContain("Cannot find package 'typebox'");
      expect(run.stderr).toMatch(/dependencies.*npm install/);
      symlinkSync(join(projectRoot, "node_modules/typebox"), link);
      expect((await plugin.cli(command)).code).toBe(0);
    });
  }

  it("openclaw.plugin.json generated metadata is stale", async () => {
    const plugin = pluginProject();
    await plugin.build();
    plugin.write({
      "dist/index.js": plugin
        .read("dist/index.js")
        .replace("Fixture plugin.", "Another plugin.")
        .replace("tools: (tool) => [", `tools: (tool) => [${toolSource("weather_tomorrow")}`),
    });
    const run = await plugin.cli("validate");
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(
      'openclaw.plugin.json generated metadata is stale: description: "Fixture plugin." -> "Another plugin."',
    );
    expect(run.stderr).toContain(
      "openclaw.plugin.json generated metadata is stale: contracts.tools is missing: weather_tomorrow",
    );
    expect(run.stderr).toContain("openclaw plugins build --entry ./dist/index.js");
    await plugin.build("--entry", "./dist/index.js");
    expect((await plugin.cli("validate")).stdout).toBe("Plugin weather is valid.\n");
  });

  it("package.json openclaw.extensions must include ./dist/index.js", async () => {
    const plugin = pluginProject({ files: { "src/other.js": "export {}" } });
    await plugin.build();
    for (const extensions of [["./src/other.js"], undefined]) {
      const packageJson = plugin.json("package.json");
      plugin.write({ "package.json": JSON.stringify({ ...packageJson, openclaw: { extensions } }) });
      const run = await plugin.cli("validate", "--entry", "./dist/index.js");
      expect(run.code).toBe(1);
      expect(run.stderr).toContain("package.json openclaw.extensions must include ./dist/index.js");
      await plugin.build("--entry", "./dist/index.js");
      expect(plugin.json("package.json").openclaw.extensions).toContain("./dist/index.js");
    }
  });
});
