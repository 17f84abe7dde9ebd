/** Guest code ended with an exception; its box waits in `Vm.takeException`. */
export class GuestException extends Error {
  constructor() {
    super("guest exception");
    this.name = "GuestException";
  }
}

/** No memory was left even to move a text across the border. */
export class OutOfMemory extends Error {
  constructor() {
    super("out of memory");
    this.name = "OutOfMemory";
  }
}
