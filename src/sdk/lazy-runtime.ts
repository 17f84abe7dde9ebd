/** Imports a module when it is first asked for; a failed import is tried again next time. */
export function createLazyRuntimeModule<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** One export of such a module. */
export function createLazyRuntimeNamedExport<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): () => Promise<Module[Name]> {
  const module = createLazyRuntimeModule(load);
  return async () => (await module())[name];
}

/** What `pick` takes from such a module. */
export function createLazyRuntimeSurface<Module, Surface>(
  load: () => Promise<Module>,
  pick: (module: Module) => Surface,
): () => Promise<Surface> {
  return createLazyRuntimeModule(async () => pick(await load()));
}

/** A method of such a module that can be called before the module is there. */
export function createLazyRuntimeMethod<Module, Args extends unknown[], Result>(
  load: () => Promise<Module>,
  pick: (module: Module) => (...args: Args) => Result,
): (...args: Args) => Promise<Awaited<Result>> {
  const module = createLazyRuntimeModule(load);
  return (...args) => module().then((loaded) => pick(loaded)(...args)) as Promise<Awaited<Result>>;
}
