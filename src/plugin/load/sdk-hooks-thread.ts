// Module hooks for Node versions without in-thread hooks; runs in Node's hooks thread.
import { isSdkSpecifier, readSdkIndex, type SdkIndex, serveSdk } from "./sdk-modules.js";

type Resolved = { url: string; format?: string; shortCircuit?: boolean };

let index: SdkIndex;

export function initialize(data: { dir: string }): void {
  index = readSdkIndex(data.dir);
}

export async function resolve(
  specifier: string,
  context: { parentURL?: string },
  next: (specifier: string, context?: unknown) => Promise<Resolved>,
): Promise<Resolved> {
  if (!isSdkSpecifier(specifier)) return next(specifier, context);
  return { url: serveSdk(index, specifier, context.parentURL), format: "module", shortCircuit: true };
}
