import { parentPort, workerData } from "node:worker_threads";
import { LegRunner } from "./worker/leg.js";
import type { FromWorker, ToWorker, WorkerSetup } from "./worker/protocol.js";

const port = parentPort!;
const post = (message: FromWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

/** A broken engine must not run another cell: say so and let the parent end this thread. */
function fault(error: unknown): void {
  post({
    type: "fault",
    message: error instanceof Error ? `${error.name}: ${error.message}` : "unknown fault",
  });
  port.close();
}

try {
  const runner = new LegRunner(workerData as WorkerSetup, post);
  post({ type: "ready" });
  port.on("message", (message: ToWorker) => {
    try {
      runner.handle(message);
    } catch (error) {
      fault(error);
    }
  });
} catch (error) {
  fault(error);
}
