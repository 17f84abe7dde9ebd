// `openclaw/plugin-sdk` itself, and the same under its older name `openclaw/plugin-sdk/core`.
export {
  buildJsonPluginConfigSchema,
  definePluginEntry,
  emptyPluginConfigSchema,
} from "./plugin-entry.js";
export * from "./tool-plugin.js";
export { jsonResult, textResult } from "./tool-results.js";
