// `openclaw/plugin-sdk` itself, and the same under its older name `openclaw/plugin-sdk/core`.
export { DEFAULT_ACCOUNT_ID, normalizeAccountId } from "./account-id.js";
export { buildChannelConfigSchema, defineChannelPluginEntry } from "./channel-core.js";
export {
  buildJsonPluginConfigSchema,
  definePluginEntry,
  emptyPluginConfigSchema,
} from "./plugin-entry.js";
export { createPluginRuntimeStore } from "./runtime-store.js";
export * from "./tool-plugin.js";
export { jsonResult, textResult } from "./tool-results.js";
