/**
 * The intrinsics the guest controller uses, taken before any cell code runs. Cell code may replace every
 * global and every prototype member; nothing in this folder may look one up later. So: no method call on
 * a shared prototype, no iteration protocol (`for…of`, spread), no assignment to an array index, and a
 * null prototype on every record and descriptor.
 */
export const apply = Reflect.apply;
export const construct = Reflect.construct;
export const getPrototypeOf = Reflect.getPrototypeOf;
export const descriptorOf = Reflect.getOwnPropertyDescriptor;
export const ownKeys = Reflect.ownKeys;
export const keysOf = Object.keys;
export const symbolsOf = Object.getOwnPropertySymbols;
export const defineProperty = Object.defineProperty;
export const freeze = Object.freeze;
export const isArray = Array.isArray;
export const isView = ArrayBuffer.isView;
export const isError = (Error as unknown as { isError: (value: unknown) => boolean }).isError;
export const parseJson = JSON.parse;
export const stringifyJson = JSON.stringify;
export const toText = String;
export const toNumber = Number;
export const floor = Math.floor;
export const min = Math.min;
export const isFiniteNumber = Number.isFinite;
export const theGlobal = globalThis;

/**
 * The engine would call this hook of the cell for every error, ours included, and hand it the functions on
 * the stack: the controller's own. Without the accessor an assignment to it means nothing.
 */
delete (Error as { prepareStackTrace?: unknown }).prepareStackTrace;

export const ErrorType = Error;
export const TypeErrorType = TypeError;
export const RangeErrorType = RangeError;
export const PromiseType = Promise;
export const ProxyType = Proxy;
export const Bytes = Uint8Array;
export const ObjectPrototype = Object.prototype;

/** `fn.call` as a free function. */
export function uncurry<S, A extends unknown[], R>(
  fn: (this: S, ...args: A) => R,
): (self: S, ...args: A) => R {
  return (self: S, ...args: A): R => apply(fn, self, args);
}

const stringPrototype = String.prototype;
export const slice = uncurry(stringPrototype.slice) as (text: string, from: number, to?: number) => string;
export const indexOf = uncurry(stringPrototype.indexOf) as (
  text: string,
  part: string,
  from?: number,
) => number;
export const codeUnit = uncurry(stringPrototype.charCodeAt) as (text: string, at: number) => number;
export const repeat = uncurry(stringPrototype.repeat) as (text: string, count: number) => string;
export const symbolText = uncurry(Symbol.prototype.toString) as (symbol: symbol) => string;
export const functionText = uncurry(Function.prototype.toString) as (value: unknown) => string;

export const booleanOf = uncurry(Boolean.prototype.valueOf) as (value: unknown) => boolean;

const MapType = Map;
const WeakMapType = WeakMap;
const WeakSetType = WeakSet;
export const newMap = <K, V>(): Map<K, V> => new MapType<K, V>();
export const newWeakMap = <K extends WeakKey, V>(): WeakMap<K, V> => new WeakMapType<K, V>();
export const newWeakSet = (): WeakSet<object> => new WeakSetType<object>();
export const mapSet = uncurry(Map.prototype.set) as <K, V>(map: Map<K, V>, key: K, value: V) => void;
export const mapDelete = uncurry(Map.prototype.delete) as <K>(map: Map<K, unknown>, key: K) => boolean;
export const weakMapGet = uncurry(WeakMap.prototype.get) as <K extends WeakKey, V>(
  map: WeakMap<K, V>,
  key: K,
) => V | undefined;
export const weakMapSet = uncurry(WeakMap.prototype.set) as <K extends WeakKey, V>(
  map: WeakMap<K, V>,
  key: K,
  value: V,
) => void;
export const weakSetAdd = uncurry(WeakSet.prototype.add) as (set: WeakSet<object>, value: object) => void;
export const weakSetHas = uncurry(WeakSet.prototype.has) as (set: WeakSet<object>, value: object) => boolean;
export const weakSetDelete = uncurry(WeakSet.prototype.delete) as (
  set: WeakSet<object>,
  value: object,
) => void;

const mapValues = uncurry(Map.prototype.values) as <V>(map: Map<unknown, V>) => object;
const mapIteratorNext = uncurry(new Map().values().next as () => IteratorResult<unknown>) as (
  iterator: object,
) => IteratorResult<unknown>;
/** The value of the first entry in insertion order, or undefined. */
export function firstValue<V>(map: Map<unknown, V>): V | undefined {
  const step = mapIteratorNext(mapValues(map));
  return step.done === true ? undefined : (step.value as V);
}

const promiseReject = Promise.reject as (this: PromiseConstructor, reason: unknown) => Promise<never>;
export const rejectedPromise = (reason: unknown): Promise<never> =>
  apply(promiseReject, PromiseType, [reason]);

const typedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
const getter = (holder: object, name: string | symbol): ((self: unknown) => unknown) =>
  uncurry(Object.getOwnPropertyDescriptor(holder, name)!.get as (this: unknown) => unknown);
export const typedArrayTag = getter(typedArrayPrototype, Symbol.toStringTag) as (
  self: unknown,
) => string | undefined;
export const typedArrayBuffer = getter(typedArrayPrototype, "buffer") as (self: unknown) => ArrayBuffer;
export const typedArrayOffset = getter(typedArrayPrototype, "byteOffset") as (self: unknown) => number;
export const typedArrayBytes = getter(typedArrayPrototype, "byteLength") as (self: unknown) => number;
export const typedArrayLength = getter(typedArrayPrototype, "length") as (self: unknown) => number;
export const dataViewBuffer = getter(DataView.prototype, "buffer") as (self: unknown) => ArrayBuffer;
export const dataViewOffset = getter(DataView.prototype, "byteOffset") as (self: unknown) => number;
export const dataViewBytes = getter(DataView.prototype, "byteLength") as (self: unknown) => number;

/** A list without a prototype: assigning to its indexes cannot reach a setter of the cell. */
export interface List<T> {
  length: number;
  [index: number]: T;
}

export function newList<T>(): List<T> {
  return { __proto__: null, length: 0 } as unknown as List<T>;
}

export function append<T>(list: List<T>, item: T): void {
  list[list.length] = item;
  list.length += 1;
}

/** Defines a fixed data property. */
export function fix(
  target: object,
  key: PropertyKey,
  value: unknown,
  enumerable = true,
  configurable = false,
): void {
  defineProperty(target, key, {
    __proto__: null,
    value,
    writable: false,
    enumerable,
    configurable,
  } as PropertyDescriptor);
}

/** A fresh ordinary array holding the list's items. */
export function arrayOf<T>(list: List<T>): T[] {
  const array: T[] = [];
  for (let index = 0; index < list.length; index++) {
    defineProperty(array, index, {
      __proto__: null,
      value: list[index],
      writable: true,
      enumerable: true,
      configurable: true,
    } as PropertyDescriptor);
  }
  return array;
}
