import module, { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { distFile } from "../../package-root.js";
import { missingMessage, missingValue } from "./sdk-missing.js";
import {
  isSdkSpecifier,
  pluginAround,
  readSdkIndex,
  type SdkIndex,
  serveSdk,
  subpathOf,
} from "./sdk-modules.js";

type Resolved = { url: string; format?: string; shortCircuit?: boolean };
type ResolveHook = (
  specifier: string,
  context: { parentURL?: string; conditions: readonly string[] },
  next: (specifier: string, context?: unknown) => Resolved,
) => Resolved;

/** Node 22.15 and newer; not in the type definitions of the oldest Node we support. */
const registerHooks = (module as { registerHooks?: (hooks: { resolve: ResolveHook }) => unknown })
  .registerHooks;

let index: SdkIndex | undefined;

/** The SDK modules of this package; read once. */
export function sdkIndex(): SdkIndex {
  index ??= readSdkIndex(distFile("sdk"));
  return index;
}

let redirected = false;

/**
 * From now on every `openclaw/*` import, of a plugin and of its dependencies alike, gets this package's SDK.
 * In the thread itself where Node can do that, else with a hooks thread, which costs about 40 ms.
 */
export function redirectImports(): void {
  if (redirected) return;
  redirected = true;
  const sdk = sdkIndex();
  if (registerHooks === undefined) {
    module.register(pathToFileURL(distFile("sdk-hooks.js")), { data: { dir: sdk.dir } });
    return;
  }
  registerHooks({
    resolve(specifier, context, next) {
      // Requires are answered by `redirectRequires`, which can hand out objects and not only modules.
      if (!isSdkSpecifier(specifier) || context.conditions.includes("require"))
        return next(specifier, context);
      return { url: serveSdk(sdk, specifier, context.parentURL), format: "module", shortCircuit: true };
    },
  });
}

/** Whether redirecting costs nothing worth avoiding. */
export const redirectIsCheap = registerHooks !== undefined;

type Load = (request: string, parent?: { filename?: string }, isMain?: boolean) => unknown;
type ResolveFilename = (request: string, ...rest: unknown[]) => string;

let requiresRedirected = false;

/** The same for `require("openclaw/...")`. */
export function redirectRequires(): void {
  if (requiresRedirected) return;
  requiresRedirected = true;
  const internals = module as unknown as { _load: Load; _resolveFilename: ResolveFilename };
  const { _load, _resolveFilename } = internals;
  internals._load = function (this: unknown, request, parent, isMain) {
    if (!isSdkSpecifier(request)) return _load.call(this, request, parent, isMain);
    return requiredSdk(request, parent?.filename);
  };
  internals._resolveFilename = function (this: unknown, request, ...rest) {
    const known = isSdkSpecifier(request) ? sdkIndex().modules[subpathOf(request)] : undefined;
    if (known !== undefined) return join(sdkIndex().dir, known.file);
    return _resolveFilename.call(this, request, ...rest);
  };
}

/** Our SDK module as an object in which names we do not have are values that fail when used. */
export function requiredSdk(specifier: string, parentFile: string | undefined): object {
  const subpath = subpathOf(specifier);
  const known = sdkIndex().modules[subpath];
  const namespace = known === undefined ? {} : requireQuietly(join(sdkIndex().dir, known.file));
  const plugin = parentFile === undefined ? "a plugin" : pluginAround(parentFile);
  const missing = new Map<string, unknown>();
  return new Proxy({ ...namespace } as Record<string, unknown>, {
    get(target, key) {
      if (typeof key !== "string" || key in target || key === "then" || key === "__esModule") {
        return key === "__esModule" ? true : Reflect.get(target, key);
      }
      if (key === "default" && known !== undefined) return target;
      if (!missing.has(key)) {
        missing.set(key, missingValue(missingMessage(plugin, `openclaw/${subpath}`, key)));
      }
      return missing.get(key);
    },
  });
}

/** Node warns that requiring an ES module is experimental; that is our choice, not the author's. */
function requireQuietly(file: string): object {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return createRequire(import.meta.url)(file) as object;
  } finally {
    process.emitWarning = emitWarning;
  }
}
