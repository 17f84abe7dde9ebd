import { readFileSync } from "node:fs";
import type { Box } from "../engine/exports.js";
import type { VmImage } from "../engine/image.js";

/** A VM in which the controller has been evaluated, and where its entry function is. */
export interface BootedImage {
  image: VmImage;
  control: Box;
}

const PAGE = 4096;
const MAGIC = 0x4f43_4731;
const HEADER_WORDS = 9;
const HEADER_BYTES = HEADER_WORDS * 4;

/**
 * The image as a file: nine numbers, two of which identify the engine's module, the numbers of all pages
 * that are not empty, then those pages. An image fits exactly one module, since it holds addresses of its code.
 */
export function serializeBooted({ image, control }: BootedImage, engine: Uint8Array): Uint8Array {
  const memory = Buffer.from(image.memory.buffer, image.memory.byteOffset, image.memory.byteLength);
  const empty = Buffer.alloc(PAGE);
  const pages = Array.from({ length: memory.length / PAGE }, (_, page) => page).filter(
    (page) => memory.compare(empty, 0, PAGE, page * PAGE, (page + 1) * PAGE) !== 0,
  );
  const header = new Uint32Array([
    MAGIC,
    engine.length,
    sampleOf(engine),
    image.stackPointer,
    image.runtime,
    image.context,
    control,
    memory.length,
    pages.length,
  ]);
  return Buffer.concat([
    Buffer.from(header.buffer),
    Buffer.from(Uint32Array.from(pages).buffer),
    ...pages.map((page) => memory.subarray(page * PAGE, (page + 1) * PAGE)),
  ]);
}

/** Reads such a file; undefined when it is missing, cut short or made for another module. */
export function readBooted(path: string, engine: Uint8Array): BootedImage | undefined {
  let file: Buffer;
  try {
    file = readFileSync(path);
  } catch {
    return undefined;
  }
  if (file.length < HEADER_BYTES) return undefined;
  const word = (index: number): number => file.readUInt32LE(index * 4);
  const [magic, engineBytes, sample, stackPointer, runtime, context, control, size, count] = Array.from(
    { length: HEADER_WORDS },
    (_, index) => word(index),
  ) as [number, number, number, number, number, number, number, number, number];
  if (magic !== MAGIC || engineBytes !== engine.length || sample !== sampleOf(engine)) return undefined;
  const pagesAt = HEADER_BYTES + count * 4;
  if (file.length !== pagesAt + count * PAGE) return undefined;
  const memory = new Uint8Array(size);
  for (let index = 0; index < count; index++) {
    const page = word(HEADER_WORDS + index);
    const from = pagesAt + index * PAGE;
    memory.set(file.subarray(from, from + PAGE), page * PAGE);
  }
  return { image: { memory, stackPointer, runtime, context }, control };
}

/** Tells one build of the module from another: a checksum over bytes taken all along it. */
function sampleOf(engine: Uint8Array): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < engine.length; at += 61) sum = Math.imul(sum ^ engine[at]!, 0x01000193);
  return sum >>> 0;
}
