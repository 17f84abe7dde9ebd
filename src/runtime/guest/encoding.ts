import { host } from "./host.js";
import {
  apply,
  Bytes,
  codeUnit,
  construct,
  dataViewBuffer,
  dataViewBytes,
  dataViewOffset,
  fix,
  isView,
  newWeakMap,
  RangeErrorType,
  TypeErrorType,
  toText,
  typedArrayBuffer,
  typedArrayBytes,
  typedArrayOffset,
  typedArrayTag,
  weakMapGet,
  weakMapSet,
} from "./primordials.js";

interface DecoderState {
  fatal: boolean;
  ignoreBom: boolean;
  /** Bytes of an unfinished character. */
  rest: Uint8Array;
  /** The beginning of the text has been seen. */
  started: boolean;
}

const decoders = newWeakMap<object, DecoderState>();
const none = new Bytes(0);
const copyBytes = Bytes.prototype.set;

function bytesOf(input: unknown): Uint8Array {
  if (input === undefined) return none;
  if (isView(input)) {
    return typedArrayTag(input) === undefined
      ? new Bytes(dataViewBuffer(input), dataViewOffset(input), dataViewBytes(input))
      : new Bytes(typedArrayBuffer(input), typedArrayOffset(input), typedArrayBytes(input));
  }
  const kind = typeof input === "object" && input !== null ? host.kindOf(input) : "";
  if (kind === "ArrayBuffer" || kind === "SharedArrayBuffer") {
    return construct(Bytes, [input]) as Uint8Array;
  }
  throw new TypeErrorType("decode needs an ArrayBuffer, a typed array or a DataView");
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (typedArrayBytes(first) === 0) return second;
  const whole = new Bytes(typedArrayBytes(first) + typedArrayBytes(second));
  apply(copyBytes, whole, [first]);
  apply(copyBytes, whole, [second, typedArrayBytes(first)]);
  return whole;
}

/** Length of the unfinished character at the end of UTF-8 bytes: 0 to 3. */
function unfinished(bytes: Uint8Array): number {
  const length = typedArrayBytes(bytes);
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const needs = byte >= 0xf0 && byte < 0xf5 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1;
    return byte < 0xf5 && needs > back ? back : 0;
  }
  return 0;
}

export class TextEncoder {
  get encoding(): string {
    return "utf-8";
  }

  encode(input?: unknown): Uint8Array {
    return host.encode(input === undefined ? "" : toText(input));
  }

  encodeInto(source: unknown, destination: unknown): { read: number; written: number } {
    if (typedArrayTagOf(destination) !== "Uint8Array") {
      throw new TypeErrorType("encodeInto needs a Uint8Array");
    }
    const text = toText(source);
    const target = destination as Uint8Array;
    const room = typedArrayBytes(target);
    let read = 0;
    let written = 0;
    while (read < text.length) {
      const unit = codeUnit(text, read);
      const pair =
        unit >= 0xd800 && unit <= 0xdbff && read + 1 < text.length && isTrail(codeUnit(text, read + 1));
      const needs = pair ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
      if (written + needs > room) break;
      if (pair) {
        const point = 0x10000 + ((unit - 0xd800) << 10) + (codeUnit(text, read + 1) - 0xdc00);
        target[written++] = 0xf0 | (point >> 18);
        target[written++] = 0x80 | ((point >> 12) & 0x3f);
        target[written++] = 0x80 | ((point >> 6) & 0x3f);
        target[written++] = 0x80 | (point & 0x3f);
        read += 2;
        continue;
      }
      const code = unit >= 0xd800 && unit <= 0xdfff ? 0xfffd : unit;
      if (needs === 1) target[written++] = code;
      else if (needs === 2) {
        target[written++] = 0xc0 | (code >> 6);
        target[written++] = 0x80 | (code & 0x3f);
      } else {
        target[written++] = 0xe0 | (code >> 12);
        target[written++] = 0x80 | ((code >> 6) & 0x3f);
        target[written++] = 0x80 | (code & 0x3f);
      }
      read++;
    }
    return { read, written };
  }
}

function isTrail(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function typedArrayTagOf(value: unknown): string | undefined {
  return isView(value) ? typedArrayTag(value) : undefined;
}

const UTF8_LABELS = {
  __proto__: null,
  "utf-8": 1,
  utf8: 1,
  "unicode-1-1-utf-8": 1,
  unicode11utf8: 1,
  unicode20utf8: 1,
  "x-unicode20utf8": 1,
} as unknown as Record<string, number>;

export class TextDecoder {
  constructor(label?: unknown, options?: { fatal?: unknown; ignoreBOM?: unknown }) {
    const name = label === undefined ? "utf-8" : lowerTrimmed(toText(label));
    if (UTF8_LABELS[name] === undefined) {
      throw new RangeErrorType("The encoding label provided is not supported.");
    }
    weakMapSet(decoders, this, {
      __proto__: null,
      fatal: truthy(options?.fatal),
      ignoreBom: truthy(options?.ignoreBOM),
      rest: none,
      started: false,
    } as unknown as DecoderState);
  }

  get encoding(): string {
    return "utf-8";
  }

  get fatal(): boolean {
    return stateOf(this).fatal;
  }

  get ignoreBOM(): boolean {
    return stateOf(this).ignoreBom;
  }

  decode(input?: unknown, options?: { stream?: unknown }): string {
    const state = stateOf(this);
    const stream = truthy(options?.stream);
    const bytes = joined(state.rest, bytesOf(input));
    const length = typedArrayBytes(bytes);
    const keep = stream ? unfinished(bytes) : 0;
    const buffer = typedArrayBuffer(bytes);
    const offset = typedArrayOffset(bytes);
    const ready = new Bytes(buffer, offset, length - keep);
    // A copy: the cell may change its buffer before the rest is needed.
    state.rest = keep === 0 ? none : new Bytes(new Bytes(buffer, offset + length - keep, keep));
    const text = host.decode(ready, state.fatal, state.ignoreBom || state.started);
    state.started = stream && (state.started || length - keep > 0);
    if (text === undefined) {
      state.rest = none;
      state.started = false;
      throw new TypeErrorType("The encoded data was not valid utf-8");
    }
    return text;
  }
}

function truthy(value: unknown): boolean {
  return !!value;
}

function stateOf(decoder: object): DecoderState {
  const state = weakMapGet(decoders, decoder);
  if (state === undefined) throw new TypeErrorType("not a TextDecoder");
  return state;
}

function lowerTrimmed(label: string): string {
  let text = "";
  for (let index = 0; index < label.length; index++) {
    const unit = codeUnit(label, index);
    if (unit <= 0x20) continue;
    text += unit >= 65 && unit <= 90 ? LOWER[unit - 65] : label[index];
  }
  return text;
}
const LOWER = "abcdefghijklmnopqrstuvwxyz";

fix(TextEncoder.prototype, Symbol.toStringTag, "TextEncoder", false, true);
fix(TextDecoder.prototype, Symbol.toStringTag, "TextDecoder", false, true);
