import { createRequire } from "node:module";
import type { JitiOptions } from "jiti";
import { requiredSdk } from "./sdk-hooks.js";
import { isSdkSpecifier } from "./sdk-modules.js";

const TYPESCRIPT = /\.[cm]?tsx?$/;

/** Whether Node cannot be trusted with the file itself: TypeScript, on any Node version. */
export function needsTranspiler(file: string): boolean {
  return TYPESCRIPT.test(file);
}

/** Errors that say the file is written for a more forgiving loader than Node's. */
const FORGIVABLE = [
  /^(?:require|module|exports|__filename|__dirname) is not defined/,
  /Dynamic require of .* is not supported/,
  /Cannot use import statement outside a module/,
  /Cannot use 'import\.meta' outside a module/,
  /^Unexpected token 'export'/,
  /^Unknown file extension/,
  /Stripping types is currently unsupported/,
  /TypeScript .* is not supported in strip-only mode/,
  /^Directory import .* is not supported/,
  /needs an import attribute of "?type: json/,
];
const FORGIVABLE_CODES = new Set([
  "ERR_UNKNOWN_FILE_EXTENSION",
  "ERR_UNSUPPORTED_DIR_IMPORT",
  "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING",
  "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX",
  "ERR_INVALID_TYPESCRIPT_SYNTAX",
  "ERR_IMPORT_ATTRIBUTE_MISSING",
  "ERR_AMBIGUOUS_MODULE_SYNTAX",
]);

/** Whether a transpiling loader may succeed where native import gave this error. */
export function mayNeedTranspiler(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (
    (code !== undefined && FORGIVABLE_CODES.has(code)) ||
    FORGIVABLE.some((pattern) => pattern.test(error.message))
  );
}

function jitiOptions(file: string): JitiOptions {
  const virtualModules = new Proxy<Record<string, unknown>>(
    {},
    {
      has: (_target, key) => typeof key === "string" && isSdkSpecifier(key),
      get: (_target, key) => requiredSdk(String(key), file),
    },
  );
  return { interopDefault: false, moduleCache: false, tryNative: false, virtualModules };
}

/** Imports a file by transpiling it and what it imports, with this package's SDK. Loads jiti. */
export async function importTranspiled(file: string): Promise<Record<string, unknown>> {
  const { createJiti } = await import("jiti");
  return createJiti(file, jitiOptions(file)).import<Record<string, unknown>>(file);
}

/**
 * Lets the SDK load a plugin's ES modules without waiting. A module hook of another thread does not see what
 * a required ES module imports, so where that is the only kind of hook, they are transpiled.
 */
export function offerSyncLoader(): void {
  const host = globalThis as { [key: symbol]: unknown };
  host[Symbol.for("openclaw.host.sync-loader")] = (file: string): unknown => {
    const { createJiti } = createRequire(import.meta.url)("jiti") as typeof import("jiti");
    return createJiti(file, jitiOptions(file))(file);
  };
}
