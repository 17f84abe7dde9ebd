import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { StringDecoder } from "node:string_decoder";
import { escapeUntrusted } from "../../ui/escape.js";
import "../../ui/own-stdout.js"; // captures the real stdout before it is replaced below

// biome-ignore lint/suspicious/noExplicitAny: overloads of Node's own functions are passed through as they come
type AnyFunction = (...args: any[]) => any;

let sink: (text: string) => void = (text) => void process.stderr.write(text);
let installed = false;

/** Where text that plugin code prints on stdout goes, escaped; stderr unless someone asks for it. */
export function setPluginOutput(next: (text: string) => void): () => void {
  const previous = sink;
  sink = next;
  return () => {
    sink = previous;
  };
}

/**
 * From now on nothing but this toolchain itself writes to stdout: what plugin code prints there, by the
 * stream, by file descriptor 1 or by a child process that inherits it, goes to stderr. Idempotent, and
 * never undone: code of a plugin may print at any later time.
 */
export function guardOutput(): void {
  if (installed) return;
  installed = true;
  guardStream();
  guardDescriptor();
  guardChildren();
  syncBuiltinESMExports();
}

function guardStream(): void {
  const decoder = new StringDecoder("utf8");
  process.stdout.write = ((chunk: string | Uint8Array, encoding?: unknown, done?: unknown): boolean => {
    sink(escapeUntrusted(typeof chunk === "string" ? chunk : decoder.write(Buffer.from(chunk))));
    const callback = typeof encoding === "function" ? encoding : done;
    if (typeof callback === "function") process.nextTick(callback as () => void);
    return true;
  }) as typeof process.stdout.write;
}

function guardDescriptor(): void {
  for (const name of ["write", "writeSync", "writev", "writevSync"] as const) {
    const original = fs[name] as AnyFunction;
    const guarded = (fd: unknown, ...rest: unknown[]): unknown => original(fd === 1 ? 2 : fd, ...rest);
    // util.promisify reads hidden properties of the original.
    (fs as unknown as Record<string, unknown>)[name] = Object.defineProperties(
      guarded,
      Object.getOwnPropertyDescriptors(original),
    );
  }
}

function stderrForStdout(stdio: unknown): unknown {
  if (stdio === "inherit") return ["inherit", 2, "inherit"];
  if (!Array.isArray(stdio)) return stdio;
  return stdio.map((item, index) =>
    item === 1 || item === process.stdout || (item === "inherit" && index === 1) ? 2 : item,
  );
}

function guardChildren(): void {
  for (const name of ["spawn", "spawnSync", "execSync", "execFileSync", "fork"] as const) {
    const original = childProcess[name] as AnyFunction;
    const guarded = (...args: unknown[]): unknown => {
      const at = args.findIndex((arg) => typeof arg === "object" && arg !== null && !Array.isArray(arg));
      const options = at < 0 ? undefined : (args[at] as { stdio?: unknown; silent?: boolean });
      if (options?.stdio !== undefined) {
        args[at] = { ...options, stdio: stderrForStdout(options.stdio) };
      } else if (name === "fork" && options?.silent !== true) {
        const stdio = ["inherit", 2, "inherit", "ipc"];
        if (at >= 0) args[at] = { ...options, stdio };
        else args.push({ stdio });
      }
      return original(...args);
    };
    (childProcess as unknown as Record<string, unknown>)[name] = Object.defineProperties(
      guarded,
      Object.getOwnPropertyDescriptors(original),
    );
  }
}
