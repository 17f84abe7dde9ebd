/** The whole state of a VM: its memory and the three addresses that are not in it. */
export interface VmImage {
  memory: Uint8Array;
  stackPointer: number;
  runtime: number;
  context: number;
}
