// The part of the WebAssembly API this project uses; Node's types for version 20 leave it out.
declare namespace WebAssembly {
  type ModuleImports = Record<string, unknown>;
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Record<string, ModuleImports>);
    readonly exports: Record<string, unknown>;
  }
  class Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Global {
    value: unknown;
  }
  class RuntimeError extends Error {}
}
