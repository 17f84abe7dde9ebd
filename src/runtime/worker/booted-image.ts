import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Box } from "../engine/exports.js";
import type { VmImage } from "../engine/vm.js";

/** A VM in which the controller has been evaluated, and where its entry function is. */
export interface BootedImage {
  image: VmImage;
  control: Box;
}

const PAGE = 4096;
const MAGIC = 0x4f43_4731;
const HASH_BYTES = 32;
const HEADER_WORDS = 7;
const HEADER_BYTES = HASH_BYTES + HEADER_WORDS * 4;

/**
 * The image as a file: a hash of the engine's module, seven numbers, the numbers of all pages that are
 * not empty, then those pages. An image fits exactly one module, since it holds addresses of its code.
 */
export function serializeBooted({ image, control }: BootedImage, engine: Uint8Array): Uint8Array {
  const memory = Buffer.from(image.memory.buffer, image.memory.byteOffset, image.memory.byteLength);
  const empty = Buffer.alloc(PAGE);
  const pages = Array.from({ length: memory.length / PAGE }, (_, page) => page).filter(
    (page) => memory.compare(empty, 0, PAGE, page * PAGE, (page + 1) * PAGE) !== 0,
  );
  const header = new Uint32Array([
    MAGIC,
    image.stackPointer,
    image.runtime,
    image.context,
    control,
    memory.length,
    pages.length,
  ]);
  return Buffer.concat([
    hashOf(engine),
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
  if (file.length < HEADER_BYTES || file.compare(hashOf(engine), 0, HASH_BYTES, 0, HASH_BYTES) !== 0) {
    return undefined;
  }
  const word = (index: number): number => file.readUInt32LE(HASH_BYTES + index * 4);
  const [magic, stackPointer, runtime, context, control, size, count] = Array.from(
    { length: HEADER_WORDS },
    (_, index) => word(index),
  ) as [number, number, number, number, number, number, number];
  const pagesAt = HEADER_BYTES + count * 4;
  if (magic !== MAGIC || file.length !== pagesAt + count * PAGE) return undefined;
  const memory = new Uint8Array(size);
  for (let index = 0; index < count; index++) {
    const page = word(HEADER_WORDS + index);
    const from = pagesAt + index * PAGE;
    memory.set(file.subarray(from, from + PAGE), page * PAGE);
  }
  return { image: { memory, stackPointer, runtime, context }, control };
}

function hashOf(engine: Uint8Array): Buffer {
  return createHash("sha256").update(engine).digest();
}
