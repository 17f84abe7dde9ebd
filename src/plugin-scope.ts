import { AsyncLocalStorage } from "node:async_hooks";

/**
 * One piece of plugin code being run: an import, a registration, a tool call. Whatever that code starts
 * (timers, promises, callbacks) stays inside the scope, so a fault that surfaces outside the code's own
 * promise can still be charged to it.
 */
export interface PluginScope {
  /** Whose code it is, for messages. */
  readonly plugin: string;
  /** Hears of faults that surface after the code has settled. */
  onLateFault(fault: unknown): void;
}

/** Plugin code tried to end this process; thrown into that code, and reported in place of obeying it. */
export class PluginExitError extends Error {
  constructor(
    readonly plugin: string,
    readonly exitCode: number | string | undefined,
  ) {
    super(`plugin code of ${plugin} called process.exit(${exitCode ?? ""})`);
    this.name = "PluginExitError";
  }
}

interface Running {
  scope: PluginScope;
  /** Set while the code has not settled. */
  fail: ((fault: unknown) => void) | undefined;
}

const scopes = new AsyncLocalStorage<Running>();
const pending = new Set<Running>();

/** The scope whose code is running, settled or not; undefined in code that is not a plugin's. */
export function currentPluginScope(): PluginScope | undefined {
  return scopes.getStore()?.scope;
}

/**
 * Runs plugin code so that only it suffers from its faults: what it throws later, rejections nobody
 * handles and attempts to end the process reject the returned promise while it is pending, and go to
 * `onLateFault` afterwards. An endless synchronous loop cannot be ended from here. The guards this needs
 * stay for the rest of the process, since a plugin's timers do too.
 * @throws PluginExitError when the code called `process.exit`, also when it caught the refusal
 */
export function runInPluginScope<T>(scope: PluginScope, code: () => T | PromiseLike<T>): Promise<T> {
  installGuards();
  const running: Running = { scope, fail: undefined };
  pending.add(running);
  return new Promise<T>((resolve, reject) => {
    running.fail = reject;
    scopes.run(running, async () => code()).then(resolve, reject);
  }).finally(() => {
    running.fail = undefined;
    pending.delete(running);
  });
}

/** Whom a fault belongs to: the scope it arose in or, where that is lost, the only code running. */
function owner(): Running | undefined {
  const known = scopes.getStore();
  if (known !== undefined || pending.size !== 1) return known;
  const [only] = pending;
  return only;
}

function charge(running: Running, fault: unknown): void {
  if (running.fail !== undefined) running.fail(fault);
  else running.scope.onLateFault(fault);
}

let installed = false;

function installGuards(): void {
  if (installed) return;
  installed = true;
  process.on("uncaughtException", onException);
  process.on("unhandledRejection", onRejection);
  const exit = process.exit;
  process.exit = ((code?: number | string | null) => {
    const running = owner();
    if (running === undefined) return exit(code);
    const fault = new PluginExitError(running.scope.plugin, code ?? undefined);
    running.fail?.(fault); // at once, because the code may catch it and go on
    throw fault;
  }) as typeof process.exit;
  // What a microtask throws has lost its scope by the time the process hears of it (Node before 24).
  const enqueue = globalThis.queueMicrotask;
  globalThis.queueMicrotask = (task) => {
    const running = scopes.getStore();
    if (running === undefined || typeof task !== "function") return enqueue(task);
    enqueue(() => {
      try {
        task();
      } catch (fault) {
        charge(running, fault);
      }
    });
  };
}

function onException(fault: unknown): void {
  const running = owner();
  if (running !== undefined) charge(running, fault);
  else if (process.listenerCount("uncaughtException") === 1) endAsWithoutGuards(fault);
}

function onRejection(fault: unknown): void {
  const running = scopes.getStore(); // never lost for promises
  if (running !== undefined) charge(running, fault);
  else if (process.listenerCount("unhandledRejection") === 1) endAsWithoutGuards(fault);
}

/** Not plugin code: what Node would have done had nobody listened. */
function endAsWithoutGuards(fault: unknown): void {
  process.off("uncaughtException", onException);
  setImmediate(() => {
    throw fault;
  });
}
