import { host } from "./host.js";
import {
  append,
  descriptorOf,
  getPrototypeOf,
  isArray,
  isError,
  keysOf,
  type List,
  newList,
  newWeakSet,
  symbolText,
  toText,
  weakSetAdd,
  weakSetDelete,
  weakSetHas,
} from "./primordials.js";
import { clip, quote, UNAWAITED } from "./text.js";

const MAX_VISITS = 100;
const MAX_PROPERTIES = 50;
const MAX_DEPTH = 4;
const MAX_TEXT = 512;
const MAX_MESSAGE = 4096;
const CUT = "…[truncated]";
const OMITTED = quote("[truncated]");

/** Bounded text of any values for a person to read: runs no getter and no `toJSON`. */
class Inspector {
  readonly open = newWeakSet();
  visits = 0;
  exhausted = false;

  /** One argument of a console call: strings as they are, the rest as JSON-like text. */
  argument(value: unknown): string {
    if (typeof value === "string") return this.#visit() ? cut(value) : "";
    try {
      return this.#write(value, 0);
    } catch {
      return "[Unserializable]";
    }
  }

  #visit(): boolean {
    if (this.visits >= MAX_VISITS) {
      this.exhausted = true;
      return false;
    }
    this.visits++;
    return true;
  }

  #write(value: unknown, depth: number): string {
    if (!this.#visit()) return OMITTED;
    switch (typeof value) {
      case "string":
        return quote(cut(value));
      case "number":
        return `${value}`;
      case "bigint":
        return depth === 0 ? `${toText(value)}n` : quote(`${toText(value)}n`);
      case "undefined":
        return depth === 0 ? "undefined" : '"undefined"';
      case "symbol":
        return depth === 0 ? symbolText(value) : quote(symbolText(value));
      case "function":
        return depth === 0 ? "[Function]" : '"[Function]"';
      case "boolean":
        return value ? "true" : "false";
      default:
        return value === null ? "null" : this.#object(value as object, depth);
    }
  }

  #object(value: object, depth: number): string {
    const bare = (text: string): string => (depth === 0 ? text : quote(text));
    if (weakSetHas(this.open, value)) return bare("[Circular]");
    if (host.kindOf(value) === "Promise") return bare(UNAWAITED);
    if (depth >= MAX_DEPTH) return bare("[truncated]");
    weakSetAdd(this.open, value);
    const text = isArray(value) ? this.#array(value, depth) : this.#fields(value, depth);
    weakSetDelete(this.open, value);
    return text;
  }

  #array(value: readonly unknown[], depth: number): string {
    const parts = newList<string>();
    const length = value.length;
    for (let index = 0; index < length; ) {
      if (parts.length >= MAX_PROPERTIES || this.visits >= MAX_VISITS) {
        append(parts, OMITTED);
        break;
      }
      const descriptor = descriptorOf(value, index);
      if (descriptor !== undefined) {
        append(parts, this.#property(descriptor, depth));
        index++;
        continue;
      }
      const end = holeEnd(value, index, length);
      append(parts, quote(`[${end - index} empty]`));
      index = end;
    }
    return `[${join(parts)}]`;
  }

  #fields(value: object, depth: number): string {
    const parts = newList<string>();
    let skip: string | undefined;
    if (isError(value)) {
      append(parts, `"name":${this.#errorName(value as Error)}`);
      const message = descriptorOf(value, "message");
      if (message !== undefined) append(parts, `"message":${this.#property(message, depth)}`);
      skip = "message";
    }
    const keys = keysOf(value);
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index]!;
      if (key === skip) continue;
      if (parts.length >= MAX_PROPERTIES || this.visits >= MAX_VISITS) {
        append(parts, `"…":${OMITTED}`);
        break;
      }
      const descriptor = descriptorOf(value, key);
      if (descriptor === undefined) continue;
      append(parts, `${quote(cut(key))}:${this.#property(descriptor, depth)}`);
    }
    return `{${join(parts)}}`;
  }

  #errorName(error: Error): string {
    let at: object | null = error;
    for (let depth = 0; at !== null && depth < 10; depth++) {
      const descriptor = descriptorOf(at, "name");
      if (descriptor !== undefined) {
        return typeof descriptor.value === "string" ? quote(cut(descriptor.value)) : '"Error"';
      }
      at = getPrototypeOf(at);
    }
    return '"Error"';
  }

  #property(descriptor: PropertyDescriptor, depth: number): string {
    if (descriptor.get !== undefined || descriptor.set !== undefined) {
      return this.#visit() ? '"[Accessor]"' : OMITTED;
    }
    return this.#write(descriptor.value, depth + 1);
  }
}

function holeEnd(value: readonly unknown[], from: number, length: number): number {
  let at = from;
  while (at < length && at - from < 10_000 && descriptorOf(value, at) === undefined) at++;
  return at - from >= 10_000 ? length : at;
}

function join(parts: List<string>): string {
  let text = "";
  for (let index = 0; index < parts.length; index++) text += index === 0 ? parts[index]! : `,${parts[index]}`;
  return text;
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : clip(text, MAX_TEXT) + CUT;
}

/** The text of one console call. */
export function consoleText(values: readonly unknown[], prefix: string): string {
  const inspector = new Inspector();
  let text = prefix;
  for (let index = 0; index < values.length; index++) {
    if (inspector.visits >= MAX_VISITS) {
      text += " [truncated]";
      break;
    }
    text += (index === 0 ? "" : " ") + inspector.argument(values[index]);
    if (text.length > MAX_MESSAGE) break;
  }
  return text.length <= MAX_MESSAGE ? text : clip(text, MAX_MESSAGE) + CUT;
}

/** Bounded text of one value. */
export function inspectText(value: unknown): string {
  const inspector = new Inspector();
  return inspector.argument(value);
}
