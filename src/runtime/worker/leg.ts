import type { Box } from "../engine/exports.js";
import { GuestException, OutOfMemory } from "../engine/failures.js";
import { USER_FILE } from "../prepare/types.js";
import type { ValueWarning } from "../types.js";
import { Machine } from "./machine.js";
import { OutputCounters } from "./output-counters.js";
import { OutputStream } from "./output-stream.js";
import type {
  FromWorker,
  GuestReply,
  LegLimits,
  LegOutcome,
  ReasonPart,
  ToWorker,
  WorkerSetup,
} from "./protocol.js";

const UNPRINTABLE: ReasonPart[] = [{ label: "", header: "Error: unprintable value", stack: "" }];
const OUT_OF_MEMORY: ReasonPart[] = [{ label: "", header: "InternalError: out of memory", stack: "" }];

interface ConvertedValue {
  json: string;
  warnings: ValueWarning[];
}

/** Ends a leg from inside a guest call. */
class LegEnded extends Error {
  constructor(readonly outcome: LegOutcome) {
    super(outcome.kind);
  }
}

/** Runs one leg after another on one machine and reports what happens through `post`. */
export class LegRunner {
  readonly #machine: Machine;
  readonly #post: (message: FromWorker, transfer?: ArrayBuffer[]) => void;
  readonly #output: OutputStream;
  #main: Box | undefined;
  #value: ConvertedValue | undefined;
  #startedAt = 0;
  #deadline = Number.POSITIVE_INFINITY;
  /** The last interrupt that was answered with yes. */
  #interrupted = false;
  #compiling = false;
  /** Calls that are still out no longer keep the leg from ending with its value. */
  #concluding = false;
  #brokenInCallback: LegOutcome | undefined;

  constructor(setup: WorkerSetup, post: (message: FromWorker, transfer?: ArrayBuffer[]) => void) {
    this.#post = post;
    const output = new OutputStream(new OutputCounters(setup.counters), (entry) =>
      post({ type: "output", entries: [entry] }),
    );
    this.#output = output;
    this.#machine = new Machine(setup, {
      interrupt: () => {
        if (performance.now() < this.#deadline) return false;
        this.#interrupted = true;
        return true;
      },
      rejection: (promise, reason, handled) => this.#rejection(promise, reason, handled),
      emit: (entry) => output.send(entry, this.#deadline),
    });
  }

  handle(message: ToWorker): void {
    switch (message.type) {
      case "start":
        this.#machine.prepare(message.names, message.namesKey, message.seed);
        this.#begin(message.limits);
        this.#leg(() => this.#evaluate(message.code));
        break;
      case "resume":
        this.#machine.resume(message.image, message.seed);
        this.#begin(message.limits);
        this.#concluding = message.conclude;
        this.#leg(() => {
          this.#main = this.#machine.control("mainPromise");
          this.#settle(message.replies);
        });
        break;
      case "replies":
        this.#leg(() => this.#settle(message.replies));
        break;
      case "suspend":
        this.#suspend();
        break;
      case "conclude":
        this.#concluding = true;
        this.#leg(() => {});
        break;
      case "drop":
        this.#end();
        break;
    }
  }

  #begin(limits: LegLimits): void {
    this.#main = undefined;
    this.#value = undefined;
    this.#interrupted = false;
    this.#compiling = false;
    this.#concluding = false;
    this.#brokenInCallback = undefined;
    this.#machine.vm.setMemoryLimit(limits.memoryLimitBytes);
    this.#output.begin(limits.emittedBytes, limits.maxOutputBytes);
    this.#post({ type: "begin" });
    this.#startedAt = performance.now();
    this.#deadline = this.#startedAt + limits.timeoutMs;
  }

  #evaluate(code: string): void {
    const { vm } = this.#machine;
    this.#compiling = true;
    const cell = vm.evaluate(`(async () => {\n${code}\n})`, USER_FILE);
    this.#compiling = false;
    const promise = vm.call(cell);
    vm.free(cell);
    this.#machine.control("main", vm.duplicate(promise));
    this.#main = promise;
    vm.runJobs();
  }

  #settle(replies: readonly GuestReply[]): void {
    const { vm } = this.#machine;
    for (const { id, ok, json } of replies) {
      vm.free(this.#machine.control("settle", vm.newString(id), vm.newBoolean(ok), vm.newString(json)));
      vm.runJobs();
      this.#checkCallbacks();
    }
  }

  /** Runs guest work and whatever it leaves to do, then reports an outcome or that the guest is idle. */
  #leg(work: () => void): void {
    try {
      this.#guarded(work);
      this.#guarded(() => this.#afterJobs());
    } catch (error) {
      if (!(error instanceof LegEnded)) throw error;
      this.#finish(error.outcome);
    }
  }

  /** Turns what escapes from the guest into the end of the leg; a fault of the engine passes through. */
  #guarded(work: () => void): void {
    try {
      work();
      this.#checkCallbacks();
    } catch (error) {
      if (error instanceof OutOfMemory) {
        this.#machine.discard();
        throw new LegEnded({ kind: "memory", reason: OUT_OF_MEMORY });
      }
      if (error instanceof GuestException) throw new LegEnded(this.#outcomeOfException());
      throw error;
    }
  }

  #checkCallbacks(): void {
    if (this.#brokenInCallback !== undefined) throw new LegEnded(this.#brokenInCallback);
  }

  #outcomeOfException(): LegOutcome {
    const { reason, fatal } = this.#machine.vm.takeException();
    if (!fatal) {
      return { kind: this.#compiling ? "refused" : "thrown", reason: this.#describe(reason) };
    }
    if (this.#interrupted) return { kind: "timeout" };
    return { kind: "memory", reason: this.#describe(reason) };
  }

  #describe(reason: Box): ReasonPart[] {
    try {
      const text = this.#machine.controlText("describe", reason);
      return text === undefined ? UNPRINTABLE : (JSON.parse(text) as ReasonPart[]);
    } catch (error) {
      if (error instanceof OutOfMemory) return OUT_OF_MEMORY;
      if (!(error instanceof GuestException)) throw error;
      const inner = this.#machine.vm.takeException();
      this.#machine.vm.free(inner.reason);
      if (this.#interrupted) throw new LegEnded({ kind: "timeout" });
      return inner.fatal ? OUT_OF_MEMORY : UNPRINTABLE;
    }
  }

  #afterJobs(): void {
    const machine = this.#machine;
    const { vm } = machine;
    const main = this.#main!;
    if (vm.promiseState(main) === "rejected") {
      if (machine.controlText("overflowed") !== undefined) throw new LegEnded({ kind: "overflow" });
      throw new LegEnded({ kind: "thrown", reason: this.#describe(vm.promiseResult(main)) });
    }
    if (vm.promiseState(main) === "fulfilled" && this.#value === undefined) {
      this.#value = convertedValue(machine.controlText("convert", vm.promiseResult(main)));
      vm.runJobs();
    }
    const { overflow, running, requests, cancelled } = JSON.parse(machine.controlText("flush")!);
    if (overflow) throw new LegEnded({ kind: "overflow" });
    const settled = this.#value !== undefined;
    if (running > 0 && !(settled && this.#concluding)) {
      this.#post({ type: "idle", requests, cancelled, running, settled });
      return;
    }
    if (this.#value === undefined) throw new LegEnded({ kind: "stuck" });
    const unhandled = machine.controlText("unhandled");
    throw new LegEnded(
      unhandled === undefined
        ? { kind: "value", ...this.#value }
        : { kind: "thrown", reason: JSON.parse(unhandled) as ReasonPart[] },
    );
  }

  #rejection(promise: Box, reason: Box, handled: boolean): void {
    const { vm } = this.#machine;
    try {
      vm.free(
        this.#machine.control(
          "rejected",
          vm.duplicate(promise),
          vm.duplicate(reason),
          vm.newBoolean(handled),
        ),
      );
    } catch (error) {
      if (!(error instanceof GuestException) && !(error instanceof OutOfMemory)) throw error;
      // The cell's own frames are still on the stack: the leg ends once they are gone.
      this.#brokenInCallback =
        error instanceof OutOfMemory ? { kind: "memory", reason: OUT_OF_MEMORY } : this.#outcomeOfException();
    }
  }

  #suspend(): void {
    const { vm } = this.#machine;
    vm.collectGarbage();
    const image = vm.image();
    const evaluationMs = performance.now() - this.#startedAt;
    this.#end();
    this.#post({ type: "suspended", image, evaluationMs }, [image.memory.buffer as ArrayBuffer]);
  }

  #finish(outcome: LegOutcome): void {
    const evaluationMs = performance.now() - this.#startedAt;
    this.#end();
    this.#post({ type: "done", outcome, evaluationMs });
  }

  #end(): void {
    this.#machine.shrink();
    this.#deadline = Number.POSITIVE_INFINITY;
    this.#main = undefined;
    this.#value = undefined;
  }
}

/** Splits what the controller's `convert` returns: a line of warnings, then the value's JSON text. */
function convertedValue(text: string | undefined): ConvertedValue {
  if (text === undefined) return { json: "null", warnings: [] };
  const end = text.indexOf("\n");
  return { json: text.slice(end + 1), warnings: JSON.parse(text.slice(0, end)) as ValueWarning[] };
}
