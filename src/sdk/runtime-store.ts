export interface PluginRuntimeStore<Runtime> {
  setRuntime(runtime: Runtime): void;
  clearRuntime(): void;
  tryGetRuntime(): Runtime | null;
  /** @throws Error with the store's message when nothing was set */
  getRuntime(): Runtime;
}

/** A place for what `register` is given and tools need later. */
export function createPluginRuntimeStore<Runtime = unknown>(
  options: string | { pluginId?: string; errorMessage?: string },
): PluginRuntimeStore<Runtime> {
  const message =
    typeof options === "string"
      ? options
      : (options.errorMessage ?? `plugin ${options.pluginId ?? ""} has no runtime yet`);
  let stored: Runtime | null = null;
  return {
    setRuntime: (runtime) => {
      stored = runtime;
    },
    clearRuntime: () => {
      stored = null;
    },
    tryGetRuntime: () => stored,
    getRuntime: () => {
      if (stored === null) throw new Error(message);
      return stored;
    },
  };
}
