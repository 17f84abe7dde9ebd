// Runs in a process of its own: calls impolite tools one after another and prints what became of each.
import { desk, tool } from "./harness.js";

const later = (ms: number, run: () => void) => setTimeout(run, ms);
const sleep = (ms: number) => new Promise<void>((resolve) => later(ms, resolve));
const throws = (message: string) => () => {
  throw new Error(message);
};

const impolite: Record<string, () => unknown> = {
  throws_while_pending: () => new Promise(() => later(5, throws("timer threw"))),
  throws_in_tick: () => new Promise(() => process.nextTick(throws("tick threw"))),
  throws_in_microtask: () => new Promise(() => queueMicrotask(throws("microtask threw"))),
  rejects_unheard: () => {
    void Promise.reject(new Error("nobody listened"));
    return new Promise(() => {});
  },
  exits: () => process.exit(3),
  exits_later: () => new Promise(() => later(5, () => process.exit(4))),
  exits_and_goes_on: () => {
    try {
      process.exit(5);
    } catch {
      // went on
    }
    return "went on";
  },
  throws_after_settling: () => {
    later(5, throws("too late"));
    return "settled";
  },
  exits_after_settling: () => {
    later(5, () => process.exit(6));
    return "settled";
  },
};

let told: AbortSignal | undefined;
const faults: string[] = [];
const { ask, call } = desk(
  [
    ...Object.entries(impolite).map(([name, run]) =>
      tool(name, (_input, { signal }) => {
        told = signal;
        return run();
      }),
    ),
    tool("listens", async (_input, { signal }) => {
      signal.addEventListener("abort", () => {});
      await sleep(5);
    }),
    tool("polite", async () => {
      await sleep(1);
      return "fine";
    }),
  ],
  { onEvent: (event) => void (event.type === "fault" && faults.push(`${event.tool}: ${event.message}`)) },
);

// A warning of Node about too many listeners would show on stderr.
await Promise.all(Array.from({ length: 40 }, () => call("listens")));

const outcomes: Record<string, unknown> = {};
for (const name of Object.keys(impolite)) {
  const [reply, beside] = await Promise.all([ask("callValue", name, {}), call("polite")]);
  await sleep(20);
  outcomes[name] = [reply.ok ? reply.json : reply.message, told?.aborted, beside, await call("polite")];
}
console.log(JSON.stringify({ outcomes, faults }));
if (process.argv[2] === "then-crash") setTimeout(throws("not a plugin's"), 1);
