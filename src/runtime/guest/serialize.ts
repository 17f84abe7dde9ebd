import { host } from "./host.js";
import { handleMetadata } from "./metadata.js";
import {
  append,
  apply,
  booleanOf,
  functionText,
  getPrototypeOf,
  isArray,
  isError,
  isView,
  keysOf,
  type List,
  newList,
  newWeakSet,
  ObjectPrototype,
  repeat,
  symbolsOf,
  symbolText,
  TypeErrorType,
  toNumber,
  toText,
  typedArrayLength,
  typedArrayTag,
  weakSetAdd,
  weakSetDelete,
  weakSetHas,
} from "./primordials.js";
import { numberText, quote, UNAWAITED } from "./text.js";
import { type Place, pathText } from "./value-path.js";

/**
 * `final`: the value a cell returns; never calls `toJSON`. `emit`: `text` and `json`; calls `toJSON` of
 * anything but errors, as JSON does. Both keep what they can and put a short text where they cannot.
 * `strict`: what the engine's own JSON does, failures included, for when a cell has broken that.
 */
type Mode = "final" | "emit" | "strict";

interface Warning {
  path: string;
  was: string;
  became: string;
}

const MAX_WARNINGS = 20;
/** Emitted data nested deeper than this is cut; a final value may go as deep as the engine's stack. */
const MAX_EMIT_DEPTH = 400;
/** Looking for extra fields of arrays beyond this length would cost more than the fields are worth. */
const MAX_EXTRA_CHECK = 1000;

class Serializer {
  readonly mode: Mode;
  readonly warnings: List<Warning> = newList();
  moreWarnings = 0;
  readonly open = newWeakSet();
  depth = 0;

  constructor(mode: Mode) {
    this.mode = mode;
  }

  /** JSON text, or undefined for what JSON leaves out. */
  write(input: unknown, parent: Place | undefined, key: string | number): string | undefined {
    let value = input;
    if (this.mode !== "final" && this.#mayHaveHook(value)) {
      const hook = (value as { toJSON?: unknown }).toJSON;
      if (typeof hook === "function") value = apply(hook as () => unknown, value, [`${key}`]);
    }
    switch (typeof value) {
      case "string":
        return quote(value);
      case "number":
        return this.#number(value, parent, key);
      case "boolean":
        return value ? "true" : "false";
      case "bigint":
        if (this.mode === "strict") throw new TypeErrorType("BigInt are forbidden in JSON.stringify");
        this.warn(parent, key, "bigint", quote(toText(value)));
        return quote(toText(value));
      case "undefined":
        return undefined;
      case "symbol":
        this.warn(parent, key, "symbol", "nothing");
        return undefined;
      case "function": {
        const metadata = handleMetadata(value);
        if (metadata === undefined) this.warn(parent, key, "function", "nothing");
        return metadata;
      }
      default:
        return value === null ? "null" : this.#object(value as object, parent, key);
    }
  }

  #mayHaveHook(value: unknown): boolean {
    if (value === null || (typeof value !== "object" && typeof value !== "function")) return false;
    return this.mode === "strict" || !isError(value);
  }

  #number(value: number, parent: Place | undefined, key: string | number): string {
    const text = numberText(value);
    if (text === "null") this.warn(parent, key, `${value}`, "null");
    return text;
  }

  #object(value: object, parent: Place | undefined, key: string | number): string {
    if (weakSetHas(this.open, value)) {
      if (this.mode === "strict") throw new TypeErrorType("circular reference");
      this.warn(parent, key, "cycle", '"[Circular]"');
      return '"[Circular]"';
    }
    if (this.mode === "emit" && this.depth >= MAX_EMIT_DEPTH) return '"[Too deep]"';
    const place: Place = { __proto__: null, parent, key } as unknown as Place;
    weakSetAdd(this.open, value);
    this.depth++;
    const text = isArray(value) ? this.#array(value, place) : this.#fields(value, place);
    this.depth--;
    weakSetDelete(this.open, value);
    return text;
  }

  #array(value: readonly unknown[], place: Place): string {
    const length = value.length;
    let text = "[";
    let nulls = 0; // Runs of holes are written at once, so that a huge sparse array stays small.
    for (let index = 0; index < length; index++) {
      const item = this.item(value[index], place, index);
      if (item === undefined) {
        nulls++;
        continue;
      }
      if (nulls > 0) text += `${text.length > 1 ? "," : ""}null${repeat(",null", nulls - 1)}`;
      nulls = 0;
      text += text.length > 1 ? `,${item}` : item;
    }
    if (nulls > 0) text += `${text.length > 1 ? "," : ""}null${repeat(",null", nulls - 1)}`;
    if (length <= MAX_EXTRA_CHECK && this.mode === "final") this.#extraFields(value, place, length);
    return `${text}]`;
  }

  #extraFields(value: readonly unknown[], place: Place, length: number): void {
    const keys = keysOf(value);
    for (let index = keys.length - 1; index >= 0; index--) {
      const key = keys[index]!;
      const position = +key;
      if (position >= 0 && position < length) return;
      this.warn(place, key, "field of an array", "nothing");
    }
  }

  /** A member of an array or object, with its failures turned into text when emitting. */
  item(value: unknown, place: Place, key: string | number): string | undefined {
    if (this.mode !== "emit") return this.write(value, place, key);
    try {
      return this.write(value, place, key);
    } catch (error) {
      return quote(thrownText(error));
    }
  }

  #fields(value: object, place: Place): string {
    const prototype = getPrototypeOf(value);
    if (this.mode !== "strict" && isError(value)) return this.#error(value as Error, place);
    const keys = keysOf(value);
    const plain = prototype === null || prototype === ObjectPrototype;
    if (!plain || keys.length === 0) {
      const kind = host.kindOf(value);
      if (kind === "Promise" && this.mode !== "strict") {
        this.warn(place.parent, place.key, "Promise", quote(UNAWAITED));
        return quote(UNAWAITED);
      }
      if (isView(value) && typedArrayTag(value) !== undefined) return this.#typedArray(value, place);
      if (this.mode !== "final") {
        if (kind === "Number") return numberText(toNumber(value));
        if (kind === "String") return quote(toText(value));
        if (kind === "Boolean") return booleanOf(value) ? "true" : "false";
      }
      if (kind !== "Object" && kind !== "Proxy") {
        this.warn(place.parent, place.key, kind, keys.length === 0 ? "{}" : "its own fields");
      }
    }
    this.#symbolFields(value, place);
    return `{${this.#members(value, keys, place, false)}}`;
  }

  #symbolFields(value: object, place: Place): void {
    if (this.mode !== "final") return;
    const symbols = symbolsOf(value);
    for (let index = 0; index < symbols.length; index++) {
      this.warn(place, symbolText(symbols[index]!), "field with a symbol key", "nothing");
    }
  }

  #members(value: object, keys: readonly string[], place: Place, ofError: boolean): string {
    let text = "";
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index]!;
      if (ofError && (key === "toJSON" || key === "name" || key === "message")) continue;
      const member = this.member(value, key, place);
      if (member !== undefined) text += `${text === "" ? "" : ","}${quote(key)}:${member}`;
    }
    return text;
  }

  member(value: object, key: string, place: Place): string | undefined {
    if (this.mode !== "emit") return this.write((value as Record<string, unknown>)[key], place, key);
    try {
      return this.write((value as Record<string, unknown>)[key], place, key);
    } catch (error) {
      return quote(thrownText(error));
    }
  }

  #error(value: Error, place: Place): string {
    const name = this.member(value, "name", place) ?? quote("Error");
    const message = this.member(value, "message", place) ?? quote("");
    const rest = this.#members(value, keysOf(value), place, true);
    return `{"name":${name},"message":${message}${rest === "" ? "" : `,${rest}`}}`;
  }

  #typedArray(value: object, place: Place): string {
    const length = typedArrayLength(value);
    let text = "{";
    for (let index = 0; index < length; index++) {
      const item = this.write((value as Record<number, unknown>)[index], place, index);
      text += `${index === 0 ? "" : ","}"${index}":${item}`;
    }
    if (length <= MAX_EXTRA_CHECK) {
      const keys = keysOf(value);
      for (let index = length; index < keys.length; index++) {
        const member = this.member(value, keys[index]!, place);
        if (member !== undefined) text += `${text === "{" ? "" : ","}${quote(keys[index]!)}:${member}`;
      }
    }
    return `${text}}`;
  }

  warn(parent: Place | undefined, key: string | number, was: string, became: string): void {
    if (this.mode !== "final") return;
    if (this.warnings.length >= MAX_WARNINGS) {
      this.moreWarnings++;
      return;
    }
    append(this.warnings, {
      __proto__: null,
      path: pathText(parent, key),
      was,
      became,
    } as unknown as Warning);
  }
}

/** What stands in place of a member whose getter or `toJSON` threw. */
function thrownText(error: unknown): string {
  try {
    if (isError(error))
      return `[Threw ${toText((error as Error).name)}: ${toText((error as Error).message)}]`;
    return `[Threw ${typeof error === "symbol" ? symbolText(error) : toText(error)}]`;
  } catch {
    return "[Threw]";
  }
}

/** A line of warnings, then the value, both JSON text. Throws what a getter or a proxy of the cell throws. */
export function finalJson(value: unknown): string {
  const serializer = new Serializer("final");
  const json = serializer.write(value, undefined, "") ?? "null";
  let warnings = "";
  for (let index = 0; index < serializer.warnings.length; index++) {
    const { path, was, became } = serializer.warnings[index]!;
    warnings += `${index === 0 ? "" : ","}{"path":${quote(path)},"was":${quote(was)},"became":${quote(became)}}`;
  }
  if (serializer.moreWarnings > 0) {
    warnings += `,{"path":"$","was":"${serializer.moreWarnings} more places","became":"not listed"}`;
  }
  return `[${warnings}]\n${json}`;
}

/** JSON text of an emitted value; never throws for data, whatever it holds. */
export function emitJson(value: unknown): string {
  if (typeof value === "function") {
    const metadata = handleMetadata(value);
    return metadata ?? quote(functionText(value));
  }
  if (typeof value === "symbol") return quote(symbolText(value));
  const serializer = new Serializer("emit");
  try {
    return serializer.write(value, undefined, "") ?? "null";
  } catch (error) {
    return quote(thrownText(error));
  }
}

/** JSON text of data that must cross whole; undefined where JSON has no text. Throws as JSON does. */
export function strictJson(value: unknown): string | undefined {
  const serializer = new Serializer("strict");
  return serializer.write(value, undefined, "");
}
