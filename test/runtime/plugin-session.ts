import { join } from "node:path";
import { onTestFinished } from "vitest";
import { buildCatalog } from "../../src/catalog/build.js";
import type { EffectiveTool } from "../../src/catalog/tool.js";
import { resolveLimits } from "../../src/config/limits.js";
import { discoverGiven } from "../../src/plugin/load/given.js";
import { loadPlugin } from "../../src/plugin/load/load-plugin.js";
import { createCellSession } from "../../src/runtime/session.js";
import type { CellSession } from "../../src/runtime/types.js";
import { writePlugin } from "../support/plugin-project.js";
import { tempDir } from "../support/temp.js";

/** Tools of a real plugin on disk whose `tools` list has this source; `Type` is TypeBox's. */
export async function pluginTools(source: string): Promise<EffectiveTool[]> {
  return toolsOfEntry(`import { Type } from "typebox";
import { defineToolPlugin } from "openclaw/plugin-sdk/tool-plugin";
export default defineToolPlugin({
  id: "shop", name: "Shop", description: "Shop tools.",
  tools: (tool) => [${source}],
});
`);
}

/** Tools of a real plugin on disk with this entry. */
export async function toolsOfEntry(entry: string): Promise<EffectiveTool[]> {
  const dir = writePlugin(join(tempDir(), "plugin"), { id: "shop", entry, typebox: true });
  const loaded = await loadPlugin(await discoverGiven(dir), { config: {} });
  if (loaded.status !== "loaded") throw new Error(loaded.error);
  return loaded.tools;
}

/** A session over a plugin's tools, closed when the test ends. */
export async function pluginSession(
  source: string,
  limits: Parameters<typeof resolveLimits>[0] = {},
): Promise<CellSession> {
  const resolved = resolveLimits(limits);
  const tools = source === "" ? [] : await pluginTools(source);
  const session = createCellSession({ catalog: buildCatalog(tools, resolved), limits: resolved });
  onTestFinished(() => session.close());
  return session;
}
