const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/**
 * Commands that mean a shell even when they stand alone. Others are recognised by what follows them,
 * so a command missing here is still caught with an argument.
 */
export const SHELL_COMMANDS = words(`
  alias apt awk bash bg brew builtin bun cargo cat cd chmod chown cmd command cp curl cut date declare
  df docker dotnet du echo env exec exit export fg file find getopts git go gradle
  grep hash head help history hostname id java javac jobs jq kill less ln local perl logout ls make mkdir more
  mv mvn node npm npx open pip pip3 pnpm popd powershell printf ps pushd pwd pwsh pytest python python3
  read readonly rg rm rmdir ruby rustc rustup sed set sh shift sleep sort source stat sudo swift
  systemctl tail tar tee test time touch tr trap type typeset ulimit umask uname uniq unset unzip wc
  wget which whoami xargs yarn zip zsh
`);

/** Words that start JavaScript; none of them is an unknown command. */
export const JAVASCRIPT_WORDS = words(`
  abstract arguments as async await break case catch class const continue debugger default delete do else
  enum export extends false finally for function get if implements import in instanceof interface let new
  null of package private protected public return satisfies static super switch this throw true try
  typeof undefined using var void while with yield
  AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DOMException
  DataView Date Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function
  Infinity Int16Array Int32Array Int8Array InternalError Intl Iterator JSON Map Math NaN Number Object
  Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol SyntaxError
  TextDecoder TextEncoder TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap
  WeakRef WeakSet WebAssembly atob btoa clearTimeout console decodeURI decodeURIComponent encodeURI
  encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt performance queueMicrotask
  setTimeout structuredClone unescape
  ALL_TOOLS API MCP agents catalog json load log namespaces nodes phase results skills store text tools
  yield_control require module process
`);

/** Words that open a declaration in TypeScript. */
export const TYPESCRIPT_WORDS = words("abstract declare enum interface module namespace type");
