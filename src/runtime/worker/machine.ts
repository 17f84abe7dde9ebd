import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import type { Box } from "../engine/exports.js";
import { GuestException } from "../engine/failures.js";
import type { VmImage } from "../engine/image.js";
import { type HostFunction, Vm, type VmHooks } from "../engine/vm.js";
import { alignClock } from "../engine/wasi.js";
import { boot } from "./boot.js";
import { readBooted } from "./booted-image.js";
import type { WorkerSetup } from "./protocol.js";

/**
 * The optimising compiler would otherwise spend tens of milliseconds on the interpreter's one huge
 * function during the first cell, delaying its result and the end of the process. It has to be set in
 * this thread, before the module is compiled.
 */
const TIERING_FLAG = "--wasm-tiering-budget=300000000";

/** An idle worker keeps no more memory than this in its VM. */
const MAX_IDLE_BYTES = 4 * 1024 * 1024;

export interface MachineHooks {
  interrupt: () => boolean;
  rejection: VmHooks["rejection"];
  emit: (entry: string) => void;
}

/**
 * The engine of one worker: a compiled module, the image of a booted VM, and one live VM that is put
 * into that image or into a suspended cell's before each leg.
 */
export class Machine {
  readonly #module: WebAssembly.Module;
  readonly #hooks: VmHooks;
  readonly #booted: VmImage;
  /** The controller's box: at the same address in every image. */
  readonly #control: Box;
  /** The tools of the last cell: their description, or, from the second cell on, an image that has them. */
  #named: { key: string; names: string; image: VmImage | undefined } | undefined;
  #vm: Vm | undefined;
  /** The VM is as booted. */
  #fresh = true;

  constructor({ enginePath, imagePath }: WorkerSetup, hooks: MachineHooks) {
    setFlagsFromString(TIERING_FLAG);
    const engine = readFileSync(enginePath);
    this.#module = new WebAssembly.Module(engine);
    this.#hooks = {
      interrupt: hooks.interrupt,
      rejection: hooks.rejection,
      functions: hostFunctions(hooks.emit),
    };
    const ready = readBooted(imagePath, engine);
    if (ready === undefined) {
      const { vm, image, control } = boot(this.#module, this.#hooks);
      this.#vm = vm;
      this.#booted = image;
      this.#control = control;
    } else {
      this.#vm = new Vm(this.#module, this.#hooks, ready.image);
      this.#booted = ready.image;
      this.#control = ready.control;
    }
  }

  /** The VM of the current leg. */
  get vm(): Vm {
    if (this.#vm === undefined) throw new Error("no VM is loaded");
    return this.#vm;
  }

  /** A VM as booted, with the tools of `names` installed; `key` identifies them. */
  prepare(names: string, key: string, seed: bigint): void {
    if (this.#named?.key === key && this.#named.image !== undefined) {
      this.restore(this.#named.image);
    } else {
      if (!this.#fresh) this.restore(this.#booted);
      const known = this.#named?.key === key ? this.#named.names : names;
      this.vm.free(this.control("install", this.vm.newString(known)));
      // The first cell is not kept waiting for a copy that only a second one needs.
      this.#named =
        this.#named?.key === key
          ? { key, names: "", image: this.vm.image() }
          : { key, names: known, image: undefined };
    }
    this.#fresh = false;
    alignClock();
    this.vm.reseed(seed);
    const origin = this.vm.restartClock();
    this.vm.free(this.control("clock", this.vm.newNumber(origin)));
  }

  /** Continues a suspended VM. */
  resume(image: VmImage, seed: bigint): void {
    this.#fresh = false;
    this.restore(image);
    alignClock();
    this.vm.reseed(seed);
  }

  /** Calls the controller; argument boxes are freed. Throws `GuestException` for what the cell throws. */
  control(operation: string, ...args: Box[]): Box {
    const { vm } = this;
    const name = vm.newString(operation);
    try {
      return vm.call(this.#control, name, ...args);
    } finally {
      vm.free(name);
      for (const box of args) vm.free(box);
    }
  }

  /** As `control`, for operations that answer with text or nothing. */
  controlText(operation: string, ...args: Box[]): string | undefined {
    const result = this.control(operation, ...args);
    try {
      return this.vm.text(result);
    } finally {
      this.vm.free(result);
    }
  }

  /** Gives up the VM, as after a failure that may have left it inconsistent. */
  discard(): void {
    this.#vm = undefined;
    this.#fresh = false;
  }

  /** Gives up a VM whose memory has grown, so that an idle worker stays small. */
  shrink(): void {
    if (this.#vm !== undefined && this.#vm.memoryBytes > MAX_IDLE_BYTES) this.discard();
  }

  /** A VM's memory never shrinks, so one that has grown is replaced instead of rewound. */
  private restore(image: VmImage): void {
    if (this.#vm === undefined || this.#vm.memoryBytes > image.memory.byteLength) {
      this.#vm = new Vm(this.#module, this.#hooks, image);
    } else {
      this.#vm.load(image);
    }
  }
}

function hostFunctions(emit: (entry: string) => void): Record<string, HostFunction> {
  return {
    emit(vm, [entry]) {
      emit(vm.text(entry!) ?? "");
      return vm.newUndefined();
    },
    kindOf: (vm, [value]) => vm.kindOf(value!),
    encode: (vm, [text]) => vm.newBytes(Buffer.from(vm.text(text!) ?? "", "utf8")),
    decode(vm, [bytes, fatal, ignoreBom]) {
      const decoder = new TextDecoder("utf-8", {
        fatal: vm.isTrue(fatal!),
        ignoreBOM: vm.isTrue(ignoreBom!),
      });
      try {
        return vm.newString(decoder.decode(vm.bytes(bytes!)));
      } catch (error) {
        if (error instanceof GuestException) throw error;
        return vm.newUndefined();
      }
    },
  };
}
