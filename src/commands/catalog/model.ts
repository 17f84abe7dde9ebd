import { visibleTools } from "../../catalog/model-view.js";
import { QUICK_INDEX_BUDGET } from "../../catalog/quick-index.js";
import { explainActivation, resolveActivation } from "../../config/activation.js";
import type { ModelRef } from "../../config/models.js";
import { observeRun } from "../../debug/observe.js";
import type { CommandContext } from "../command.js";
import type { LoadedCatalog } from "./load.js";

/** `--model`: whether Code Mode engages, why, and which tools the model itself would be shown. */
export async function reportModel(
  { config, catalog, settings, limits, servers, tools, diagnostics }: LoadedCatalog,
  model: ModelRef,
  agentId: string | undefined,
  { reporter, env, cwd }: CommandContext,
): Promise<void> {
  const activation = resolveActivation({ config, agentId, model, toolCount: tools.length });
  const observer = await observeRun({ env, config: [config, servers], cwd });
  const { engaged, reason, tier, enabled } = activation;
  observer.log("activation", { engaged, reason, tier, setting: enabled });
  observer.onCatalog(catalog, limits);
  const shown = visibleTools({ tools, catalog, engaged, languages: settings.languages, limits });
  observer.onModelTools(() => shown.map(({ definition }) => definition));
  const visible = shown.map(({ definition }) => definition.name);
  const explanation = explainActivation(activation, model);
  reporter.document({
    ...activation,
    model: `${model.provider}/${model.model}`,
    ...(agentId === undefined ? {} : { agent: agentId }),
    explanation,
    visibleTools: visible,
    catalogSize: catalog.entries.length + catalog.mcpEntries.length,
    diagnostics,
  });
  for (const line of explanation) reporter.print(line);
  reporter.print(`The model is shown ${visible.length === 0 ? "no tools" : visible.join(", ")}.`);
  if (activation.engaged) {
    reporter.print(
      `Cells see ${catalog.entries.length} tools by name and ${catalog.mcpEntries.length} through MCP; ` +
        `the quick index takes ${catalog.quickIndex().length} of ${QUICK_INDEX_BUDGET} characters.`,
    );
  }
}
