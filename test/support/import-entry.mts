import { importEntry } from "../../src/plugin/load/entry.js";
import { getToolPluginMetadata } from "../../src/sdk/tool-plugin.js";

const [, , rootDir = "", file = "", timeoutMs] = process.argv;
const exit = process.exit.bind(process);

async function run(): Promise<object> {
  try {
    const { namespace, loader } = await importEntry({ file, rootDir, timeoutMs: Number(timeoutMs) });
    const found = namespace.default as { default?: unknown } | undefined;
    const metadata = getToolPluginMetadata(found) ?? getToolPluginMetadata(found?.default);
    return { loader, metadata: metadata && { id: metadata.id } };
  } catch (error) {
    const { code, message, hint } = error as { code?: string; message: string; hint?: string };
    return { error: { code, message, hint } };
  }
}

process.send?.(await run(), () => exit(0));
