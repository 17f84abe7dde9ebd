import { Worker } from "node:worker_threads";
import { OutputCounters } from "../worker/output-counters.js";
import type { FromWorker, ToWorker, WorkerSetup } from "../worker/protocol.js";
import { type WorkerFiles, workerFiles } from "./worker-files.js";

/** Native stack of the thread: with the engine's own stack limit, deep recursion stays a guest error. */
const STACK_MB = 32;

export type WorkerMessage = FromWorker | { type: "exit"; message: string };

/**
 * A thread with one engine. It runs one leg at a time; whoever holds it listens to its messages. Once it
 * has sent `fault` or `exit` it is of no more use.
 */
export class CellWorker {
  readonly #thread: Worker;
  readonly #counters = new OutputCounters();
  #listener: ((message: WorkerMessage) => void) | undefined;
  #booted = false;
  #gone: string | undefined;
  #ended: Promise<void> | undefined;

  /** @param files the thread's script and what it loads */
  constructor({ worker, engine, image }: WorkerFiles = workerFiles()) {
    this.#thread = new Worker(worker, {
      workerData: {
        enginePath: engine,
        imagePath: image,
        counters: this.#counters.memory,
      } satisfies WorkerSetup,
      // Flags of this process (a loader of a development tool, an inspector) are not for the guest's thread.
      execArgv: [],
      env: {},
      resourceLimits: { stackSizeMb: STACK_MB },
      trackUnmanagedFds: false,
    });
    this.#thread.on("message", (message: FromWorker) => {
      if (message.type === "ready") this.#booted = true;
      if (message.type === "fault") this.#gone = message.message;
      this.#listener?.(message);
      if (message.type === "output") this.#counters.markRead();
    });
    this.#thread.on("error", (error: Error) => this.#lost(`${error.name}: ${error.message}`));
    this.#thread.on("exit", (code) => this.#lost(`the worker ended with code ${code}`));
  }

  /** Identity of the tool names this worker's engine was last prepared with. */
  namesKey: string | undefined;

  /** Whether the engine is up. */
  get booted(): boolean {
    return this.#booted;
  }

  /** Output of the current leg that was counted but not sent. */
  get skippedOutput(): { entries: number; bytes: number } {
    return this.#counters.skipped;
  }

  /** Why this worker cannot be used any more. */
  get gone(): string | undefined {
    return this.#gone;
  }

  /** Replaces the listener. One that comes after the end hears of it at once. */
  listen(listener: ((message: WorkerMessage) => void) | undefined): void {
    this.#listener = listener;
    const { gone } = this;
    if (listener !== undefined && gone !== undefined) {
      queueMicrotask(() => this.#listener === listener && listener({ type: "exit", message: gone }));
    }
  }

  send(message: ToWorker, transfer: ArrayBuffer[] = []): void {
    this.#thread.postMessage(message, transfer);
  }

  /** Whether this worker keeps the process alive. */
  hold(keep: boolean): void {
    if (keep) this.#thread.ref();
    else this.#thread.unref();
  }

  /** Ends the thread, whatever it is doing. */
  terminate(): Promise<void> {
    this.#gone ??= "the worker was ended";
    this.#ended ??= this.#thread.terminate().then(() => {});
    return this.#ended;
  }

  #lost(message: string): void {
    this.#gone ??= message;
    this.#listener?.({ type: "exit", message: this.#gone });
  }
}
