import guestSource from "guest:source";
import { Vm, type VmHooks } from "../engine/vm.js";
import { GUEST_FILE } from "../labels.js";
import type { BootedImage } from "./booted-image.js";

/** Functions of the host the controller is given, in this order. */
export const HOST_FUNCTIONS = ["emit", "kindOf", "encode", "decode"] as const;

/** Creates a VM and evaluates the controller in it. */
export function boot(module: WebAssembly.Module, hooks: VmHooks): { vm: Vm } & BootedImage {
  const vm = new Vm(module, hooks);
  const start = vm.evaluate(guestSource, GUEST_FILE);
  const control = vm.call(start, ...HOST_FUNCTIONS.map((name) => vm.newHostFunction(name)));
  vm.free(start);
  vm.collectGarbage();
  return { vm, control, image: vm.image() };
}
