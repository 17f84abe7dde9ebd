import { type Box, CONTEXT_RANDOM_STATE, CONTEXT_TIME_ORIGIN, type EngineExports } from "./exports.js";
import { GuestException, OutOfMemory } from "./failures.js";
import type { VmImage } from "./image.js";
import { decodeText, encodeText } from "./text.js";
import { steadyNow, wasiImports } from "./wasi.js";

/** Native stack the engine may use: the most its own stack has room for. */
const MAX_STACK_BYTES = 524_288;

/** A function of the host that the guest can call: reads argument boxes, returns an owned box. */
export type HostFunction = (vm: Vm, args: readonly Box[]) => Box;

export interface VmHooks {
  /** Asked every few hundred microseconds of guest work; true ends the work uncatchably. */
  interrupt: () => boolean;
  /** A promise was rejected without a handler, or got one later (`handled`). */
  rejection: (promise: Box, reason: Box, handled: boolean) => void;
  functions: Readonly<Record<string, HostFunction>>;
}

/**
 * One QuickJS instance. All methods are synchronous. Guest failures throw `GuestException` and never
 * read a property of the thrown value, since that could run guest code; anything else that is thrown
 * (a trap, an overflow of the host's stack) means the instance is broken and must not be used again.
 */
export class Vm {
  readonly #exports: EngineExports;
  #undefined: Box = 0;

  /** @param image the state to begin in; without one a new runtime is made */
  constructor(module: WebAssembly.Module, hooks: VmHooks, image?: VmImage) {
    const instance = new WebAssembly.Instance(module, {
      env: {
        host_call: (name: number, nameLength: number, _self: Box, argc: number, argv: number) =>
          this.#hostCall(hooks, name, nameLength, argc, argv),
        host_interrupt: () => (hooks.interrupt() ? 1 : 0),
        host_promise_rejection: (promise: Box, reason: Box, handled: number) => {
          try {
            hooks.rejection(promise, reason, handled !== 0);
          } finally {
            this.free(promise);
            this.free(reason);
          }
        },
        host_module_normalize: (_base: number, name: number) => this.#duplicateCString(name),
        host_module_load: () => 0,
        host_get_timezone_offset: () => 0,
      },
      wasi_snapshot_preview1: wasiImports(() => this.#exports.memory),
    });
    this.#exports = instance.exports as unknown as EngineExports;
    if (image === undefined) {
      this.#exports._initialize();
      if (this.#exports.qjs_init() !== 0) throw new Error("the engine did not initialise");
      this.#bind();
    } else {
      this.load(image);
    }
  }

  /** What belongs to this instance rather than to an image. */
  #bind(): void {
    this.#exports.qjs_set_max_stack_size(MAX_STACK_BYTES);
    this.#exports.qjs_set_interrupt_handler(1);
    this.#exports.qjs_set_promise_rejection_handler(1);
    this.#undefined = this.#exports.qjs_get_undefined();
  }

  /** Bytes of linear memory; it never shrinks. */
  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /** Copy of the whole state. Only meaningful while no guest code is on the stack. */
  image(): VmImage {
    return {
      memory: new Uint8Array(this.#exports.memory.buffer).slice(),
      stackPointer: this.#exports.__stack_pointer.value as number,
      runtime: this.#exports.qjs_get_runtime_ptr(),
      context: this.#exports.qjs_get_context_ptr(),
    };
  }

  /** Puts this instance into the state of `image`; memory beyond the image is zeroed. */
  load(image: VmImage): void {
    const missing = image.memory.byteLength - this.memoryBytes;
    if (missing > 0) this.#exports.memory.grow(Math.ceil(missing / 65_536));
    const memory = new Uint8Array(this.#exports.memory.buffer);
    memory.set(image.memory);
    memory.fill(0, image.memory.byteLength);
    this.#exports.qjs_set_runtime_and_context(image.runtime, image.context);
    this.#exports.__stack_pointer.value = image.stackPointer;
    this.#bind();
  }

  /**
   * New randomness: an image holds the state of the old one and would repeat it.
   * @param seed any 64 random bits
   */
  reseed(seed: bigint): void {
    const context = this.#exports.qjs_get_context_ptr();
    const view = new DataView(this.#exports.memory.buffer);
    view.setBigUint64(context + CONTEXT_RANDOM_STATE, seed | 1n, true);
  }

  /** Starts `performance.now()` at zero; returns the time origin, ms since the epoch. */
  restartClock(): number {
    const context = this.#exports.qjs_get_context_ptr();
    const view = new DataView(this.#exports.memory.buffer);
    const origin = steadyNow();
    view.setFloat64(context + CONTEXT_TIME_ORIGIN, origin, true);
    return origin;
  }

  setMemoryLimit(bytes: number): void {
    this.#exports.qjs_set_memory_limit(bytes);
  }

  /** Frees what is unreachable; worth it before an image is taken. */
  collectGarbage(): void {
    this.#exports.qjs_run_gc();
  }

  /** Evaluates a script and returns its completion value. */
  evaluate(code: string, fileName: string): Box {
    const source = this.#write(encodeText(code));
    const name = this.#write(encodeText(fileName));
    const result = this.#exports.qjs_eval(source.address, source.length, name.address, 0);
    this.#exports.wasm_free(source.address);
    this.#exports.wasm_free(name.address);
    return this.#checked(result);
  }

  /** Calls a guest function with `undefined` as `this`. Argument boxes stay the caller's. */
  call(fn: Box, ...args: Box[]): Box {
    const argv = args.length === 0 ? 0 : this.#allocate(args.length * 4);
    const view = new DataView(this.#exports.memory.buffer);
    for (const [index, box] of args.entries()) view.setUint32(argv + index * 4, box, true);
    const result = this.#exports.qjs_call(fn, this.#undefined, args.length, argv);
    if (argv !== 0) this.#exports.wasm_free(argv);
    return this.#checked(result);
  }

  /** Runs queued jobs until none is left. */
  runJobs(): void {
    while (this.#exports.qjs_is_job_pending() !== 0) {
      if (this.#exports.qjs_execute_pending_job() < 0) throw new GuestException();
    }
  }

  /**
   * The pending exception, as an owned box. `fatal` means the guest could not have caught it: it was
   * interrupted or ran out of memory.
   */
  takeException(): { reason: Box; fatal: boolean } {
    const reason = this.#exports.qjs_get_exception();
    return { reason, fatal: this.#exports.qjs_is_uncatchable_error(reason) !== 0 };
  }

  promiseState(promise: Box): "pending" | "fulfilled" | "rejected" {
    return (
      (["pending", "fulfilled", "rejected"] as const)[this.#exports.qjs_promise_state(promise)] ?? "pending"
    );
  }

  promiseResult(promise: Box): Box {
    return this.#exports.qjs_promise_result(promise);
  }

  newString(text: string): Box {
    const { address, length } = this.#write(encodeText(text));
    const box = this.#exports.qjs_new_string(address, length);
    this.#exports.wasm_free(address);
    return this.#checked(box);
  }

  newNumber(value: number): Box {
    return this.#exports.qjs_new_number(value);
  }

  newBoolean(value: boolean): Box {
    return value ? this.#exports.qjs_get_true() : this.#exports.qjs_get_false();
  }

  newUndefined(): Box {
    return this.#exports.qjs_get_undefined();
  }

  newBytes(bytes: Uint8Array): Box {
    const { address, length } = this.#write(bytes);
    const box = this.#exports.qjs_new_uint8_array(address, length);
    this.#exports.wasm_free(address);
    return this.#checked(box);
  }

  newHostFunction(name: string): Box {
    const { address, length } = this.#write(encodeText(name));
    const box = this.#exports.qjs_new_host_function(address, length, 0);
    this.#exports.wasm_free(address);
    return this.#checked(box);
  }

  /** Text of a string value; anything but a string gives `undefined`, without running guest code. */
  text(value: Box): string | undefined {
    if (this.#exports.qjs_is_string(value) === 0) return undefined;
    const lengthOut = this.#allocate(4);
    try {
      const address = this.#exports.qjs_get_string_len(value, lengthOut);
      if (address === 0) {
        this.free(this.#exports.qjs_get_exception());
        throw new OutOfMemory();
      }
      const length = new DataView(this.#exports.memory.buffer).getUint32(lengthOut, true);
      const text = decodeText(Buffer.from(this.#exports.memory.buffer, address, length));
      this.#exports.qjs_free_cstring(address);
      return text;
    } finally {
      this.#exports.wasm_free(lengthOut);
    }
  }

  number(value: Box): number {
    return this.#exports.qjs_get_float64(value);
  }

  /** Copy of a typed array's bytes. */
  bytes(value: Box): Uint8Array {
    const out = this.#allocate(16);
    const buffer = this.#exports.qjs_get_typed_array_buffer(value, out, out + 4, out + 8);
    try {
      if (this.#exports.qjs_is_exception(buffer) !== 0) throw new GuestException();
      const address = this.#exports.qjs_get_array_buffer(buffer, out + 12);
      const view = new DataView(this.#exports.memory.buffer);
      const start = address + view.getUint32(out, true);
      return new Uint8Array(this.#exports.memory.buffer, start, view.getUint32(out + 4, true)).slice();
    } finally {
      this.free(buffer);
      this.#exports.wasm_free(out);
    }
  }

  isTrue(value: Box): boolean {
    return this.#exports.qjs_get_bool(value) === 1;
  }

  /** The engine's class of an object, as an owned string box: runs no guest code, cannot be forged. */
  kindOf(value: Box): Box {
    if (this.#exports.qjs_is_proxy(value) !== 0) return this.newString("Proxy");
    return this.#checked(this.#exports.qjs_get_class_name(value));
  }

  /** A second owned box for the same value. */
  duplicate(value: Box): Box {
    return this.#exports.qjs_dup_value(value);
  }

  free(value: Box): void {
    this.#exports.qjs_free_value(value);
  }

  #checked(result: Box): Box {
    if (this.#exports.qjs_is_exception(result) === 0) return result;
    this.free(result);
    throw new GuestException();
  }

  #allocate(size: number): number {
    const address = this.#exports.wasm_malloc(size);
    if (address === 0) throw new OutOfMemory();
    return address;
  }

  #write(bytes: Uint8Array): { address: number; length: number } {
    const address = this.#allocate(bytes.length + 1);
    const memory = new Uint8Array(this.#exports.memory.buffer);
    memory.set(bytes, address);
    memory[address + bytes.length] = 0;
    return { address, length: bytes.length };
  }

  /** The engine frees what this returns; a dynamic `import()` then fails, since nothing is loadable. */
  #duplicateCString(address: number): number {
    const memory = new Uint8Array(this.#exports.memory.buffer);
    return this.#write(memory.slice(address, memory.indexOf(0, address))).address;
  }

  #hostCall(hooks: VmHooks, name: number, nameLength: number, argc: number, argv: number): Box {
    const view = new DataView(this.#exports.memory.buffer);
    const text = Buffer.from(this.#exports.memory.buffer, name, nameLength).toString("latin1");
    const args = Array.from({ length: argc }, (_, index) => view.getUint32(argv + index * 4, true));
    const fn = hooks.functions[text];
    try {
      return fn === undefined ? this.newUndefined() : fn(this, args);
    } catch (error) {
      // The exception is pending in the engine already; 0 makes it surface in the guest.
      if (error instanceof GuestException) return 0;
      throw error;
    }
  }
}
