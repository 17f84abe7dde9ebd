import { AsyncLocalStorage } from "node:async_hooks";
import type { Ticket } from "./call-order.js";

/**
 * One call of plugin code. Whatever that code starts (timers, promises, callbacks) stays inside the
 * scope, so a fault that surfaces outside the call's own promise can still be charged to it.
 */
export interface PluginScope {
  /** Place of the call in its catalog's order, for tools that use the catalog themselves. */
  ticket: Ticket | undefined;
  /** Hears of faults that surface after the call has settled. */
  onLateFault: (fault: unknown) => void;
}

interface Running {
  scope: PluginScope;
  fail: ((fault: unknown) => void) | undefined;
}

const scopes = new AsyncLocalStorage<Running>();

/** The call whose plugin code is running, if any. */
export function currentScope(): PluginScope | undefined {
  return scopes.getStore()?.scope;
}

/**
 * Runs plugin code so that only this call suffers from it: what it throws later, rejections nobody
 * handles and attempts to end the process reject the returned promise while it is pending, and are
 * reported to `onLateFault` afterwards. An endless synchronous loop cannot be ended from here.
 */
export function runPluginCode<T>(scope: PluginScope, code: () => T | PromiseLike<T>): Promise<T> {
  installProcessGuards();
  const entry: Running = { scope, fail: undefined };
  return new Promise<T>((resolve, reject) => {
    entry.fail = reject;
    scopes.run(entry, async () => code()).then(resolve, reject);
  }).finally(() => {
    entry.fail = undefined;
  });
}

function charge(entry: Running, fault: unknown): void {
  if (entry.fail !== undefined) entry.fail(fault);
  else entry.scope.onLateFault(fault);
}

let installed = false;

/** Stays installed: plugin code may misbehave long after its last call. */
function installProcessGuards(): void {
  if (installed) return;
  installed = true;
  process.on("uncaughtException", onException);
  process.on("unhandledRejection", onRejection);
  const exit = process.exit;
  process.exit = ((code?: number) => {
    const entry = scopes.getStore();
    if (entry === undefined) return exit(code);
    const fault = new Error(`it tried to end the process (process.exit(${code ?? ""}))`);
    entry.fail?.(fault); // at once, because the code may catch it and go on
    throw fault;
  }) as typeof process.exit;
  // What a microtask throws has lost its scope by the time the process hears of it (Node before 24).
  const enqueue = globalThis.queueMicrotask;
  globalThis.queueMicrotask = (task) => {
    const entry = scopes.getStore();
    if (entry === undefined || typeof task !== "function") return enqueue(task);
    enqueue(() => {
      try {
        task();
      } catch (fault) {
        charge(entry, fault);
      }
    });
  };
}

function onException(fault: unknown): void {
  const owner = scopes.getStore();
  if (owner !== undefined) charge(owner, fault);
  else if (process.listenerCount("uncaughtException") === 1) endAsWithoutGuards(fault);
}

function onRejection(fault: unknown): void {
  const owner = scopes.getStore();
  if (owner !== undefined) charge(owner, fault);
  else if (process.listenerCount("unhandledRejection") === 1) endAsWithoutGuards(fault);
}

/** Not plugin code: what Node would have done had nobody listened. */
function endAsWithoutGuards(fault: unknown): void {
  process.off("uncaughtException", onException);
  setImmediate(() => {
    throw fault;
  });
}
