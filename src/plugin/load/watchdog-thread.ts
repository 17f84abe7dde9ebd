// Runs in a thread of its own, where neither a synchronous loop nor a stuck promise of the main thread can
// hold it up. Bundled as CommonJS: that starts a worker fastest.
import { writeSync } from "node:fs";
import { Session } from "node:inspector";
import { receiveMessageOnPort, workerData } from "node:worker_threads";
import { ARMED, IDLE, type WatchdogOrder, type WatchdogSetup } from "./watchdog-protocol.js";

const { state, port } = workerData as WatchdogSetup;

/** Pipes may be full for a moment; the message is worth a few tries. */
function write(fd: number, text: string): void {
  let rest = Buffer.from(text);
  for (let tries = 0; rest.length > 0 && tries < 200; tries += 1) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      Atomics.wait(state, 1, 0, 5);
    }
  }
}

function end(order: WatchdogOrder): void {
  write(1, order.stdout);
  write(2, order.stderr);
  // The inspector interrupts even a loop; a thread cannot set its process's exit code in any other way.
  // stderr is closed first because Node would tell the user that a debugger is attached.
  const session = new Session();
  session.connectToMainThread();
  session.post("Runtime.evaluate", {
    expression: `process.getBuiltinModule("node:fs").closeSync(2); process.reallyExit(${order.exitCode})`,
  });
  // Blocked inside the operating system: no code of ours can run there any more.
  setTimeout(() => process.kill(process.pid, "SIGKILL"), 400);
}

/** Orders that were done before this thread got to them still lie in the port. */
function latestOrder(): WatchdogOrder | undefined {
  let latest: WatchdogOrder | undefined;
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
    latest = next.message as WatchdogOrder;
  }
  return latest;
}

function watch(): void {
  for (;;) {
    Atomics.wait(state, 0, IDLE);
    const order = latestOrder();
    if (order === undefined) {
      Atomics.wait(state, 1, 0, 1);
      continue;
    }
    if (Atomics.wait(state, 0, ARMED, Math.max(0, order.deadline - Date.now())) === "timed-out") {
      end(order);
      return;
    }
  }
}

watch();
