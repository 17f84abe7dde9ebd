import type { ToolMetadata, ToolPluginMetadata } from "../../sdk/types/tool-definition.js";
import type { Finding } from "./finding.js";

/** What is wrong with the schemas of a plugin, as authors can mend it. */
export function schemaFindings(_metadata: ToolPluginMetadata, _tools: readonly ToolMetadata[]): Finding[] {
  return [];
}
