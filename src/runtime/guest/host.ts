/** What the worker hands to the controller at boot; each call crosses the border with plain data only. */
export interface HostFunctions {
  /** Streams one output entry, given as JSON text. */
  emit: (entry: string) => void;
  /** Engine class of an object (`Promise`, `Map`, `Proxy`, …): runs no cell code and cannot be forged. */
  kindOf: (value: object) => string;
  /** UTF-8 bytes of a text. */
  encode: (text: string) => Uint8Array;
  /** Text of UTF-8 bytes; undefined when `fatal` and malformed. */
  decode: (bytes: Uint8Array, fatal: boolean, ignoreBom: boolean) => string | undefined;
}

export let host: HostFunctions;

export function connect(functions: HostFunctions): void {
  host = functions;
}
