const words = (text: string): string[] => text.trim().split(/\s+/);

/** Words that can never be a plain identifier in the source of a cell. */
const KEYWORDS = words(`
  break case catch class const continue debugger default delete do else enum export extends false finally
  for function if import in instanceof new null return super switch this throw true try typeof var void
  while with
`);

/** Further words that an async function body or strict code refuses as a name. */
const CONTEXTUAL_KEYWORDS = words("await implements interface package private protected public static yield");

/** Names the guest itself provides. */
const GUEST_GLOBALS = words(`
  ALL_TOOLS API MCP agents catalog clearTimeout console globalThis json load log namespaces nodes phase
  results setTimeout skills store text tools yield_control TextDecoder TextEncoder
`);

/** Standard library names that must keep their meaning in a cell. */
const STANDARD_GLOBALS = words(`
  AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Error
  EvalError FinalizationRegistry Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array
  Intl JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set
  SharedArrayBuffer String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array
  Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly decodeURI decodeURIComponent encodeURI
  encodeURIComponent escape eval isFinite isNaN parseFloat parseInt undefined unescape
`);

const RESERVED_CALLABLES: ReadonlySet<string> = new Set([
  ...KEYWORDS,
  ...CONTEXTUAL_KEYWORDS,
  ...GUEST_GLOBALS,
  ...STANDARD_GLOBALS,
]);

/** Whether a tool may not become a bare global of this name. */
export function isReservedCallable(name: string): boolean {
  return RESERVED_CALLABLES.has(name);
}

/**
 * Names no MCP server or tool may have as a member: the keywords, the globals that older cells read through
 * `namespaces`, what an object inherits, and `then`, which would make a namespace look like a promise.
 */
const RESERVED_MEMBERS = [
  ...KEYWORDS,
  ...words(`
    ALL_TOOLS agents API Array Boolean catalog clearTimeout Date Error globalThis log json JSON Map Math MCP
    namespaces nodes Number Object Promise phase Set setTimeout skills String text tools yield_control
    __proto__ constructor prototype then
  `),
];

/** Names taken from the start among the servers of `MCP`. */
export const RESERVED_SERVER_MEMBERS: ReadonlySet<string> = new Set(RESERVED_MEMBERS);

/** Names taken from the start among the tools of one server. */
export const RESERVED_TOOL_MEMBERS: ReadonlySet<string> = new Set([
  ...RESERVED_MEMBERS,
  "$api",
  "$serverName",
  "resources",
  "prompts",
]);
