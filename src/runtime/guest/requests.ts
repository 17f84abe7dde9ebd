import { callSite, type FailurePayload, localError, newPromise, requestError } from "./errors.js";
import { append, apply, type List, newList, parseJson } from "./primordials.js";
import { quote } from "./text.js";

/** Requests waiting for a slot, beyond those in flight. */
const MAX_QUEUED = 128;
/** A yield asks the session to pause; it needs no slot, or a full house could never be paused. */
const YIELD = "yield";

interface Request {
  id: string;
  method: string;
  args: string;
  /** Raw frames of the call. */
  site: string;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

const counters = { __proto__: null } as unknown as Record<string, number>;
const inFlight = { __proto__: null } as unknown as Record<string, Request>;
let queue: List<Request> = newList();
let cancelled: List<string> = newList();
let slots = 16;
let used = 0;
let running = 0;
/** Ordinary requests in the queue; yields do not count. */
let queued = 0;
let overflow = false;
let closed = false;

export function configureSlots(count: number): void {
  slots = count;
}

/** No request is accepted any more: the cell has its result. */
export function closeRequests(): void {
  closed = true;
}

/**
 * Queues a request. `args` is the JSON text of its argument array. Returns the promise the cell gets;
 * `convert` turns the reply's data into what the cell sees.
 */
export function request(
  method: string,
  args: string,
  convert?: (data: unknown) => unknown,
): Promise<unknown> {
  const site = callSite();
  claimPlace(method, site); // Throws from the call itself, before there is a promise.
  return newPromise<unknown>((resolve, reject) => {
    enqueue(
      method,
      args,
      site,
      convert === undefined ? resolve : (data) => settleWith(convert, data, resolve, reject),
      reject,
    );
  });
}

function settleWith(
  convert: (data: unknown) => unknown,
  data: unknown,
  resolve: (value: unknown) => void,
  reject: (reason: unknown) => void,
): void {
  try {
    resolve(convert(data));
  } catch (error) {
    reject(error);
  }
}

/** Throws when nothing more may be asked; too many pending requests also fail the cell. */
export function claimPlace(method: string, site: string): void {
  if (closed) throw localError("the cell has already ended", "invalid_input", site);
  if (method !== YIELD && queued >= MAX_QUEUED + slots - used) {
    overflow = true;
    throw localError(
      `too many pending calls: ${slots} may run at once and ${MAX_QUEUED} more may wait; await some of them first`,
      "invalid_input",
      site,
    );
  }
}

/** Queues a request that has a place and returns its id. */
export function enqueue(
  method: string,
  args: string,
  site: string,
  resolve: (value: unknown) => void,
  reject: (reason: unknown) => void,
): string {
  const count = (counters[method] ?? 0) + 1;
  counters[method] = count;
  const id = `bridge:${method}:${count}`;
  append(queue, { __proto__: null, id, method, args, site, resolve, reject } as unknown as Request);
  if (method !== YIELD) queued++;
  return id;
}

/** Whether more was asked than may be pending; catching the error does not change it. */
export function overflowed(): boolean {
  return overflow;
}

/** Withdraws a request, wherever it is; its promise never settles. */
export function cancel(id: string): void {
  if (inFlight[id] !== undefined) {
    finish(inFlight[id]!);
    append(cancelled, id);
    return;
  }
  const kept = newList<Request>();
  for (let index = 0; index < queue.length; index++) {
    const item = queue[index]!;
    if (item.id === id) queued--;
    else append(kept, item);
  }
  queue = kept;
}

function finish(item: Request): void {
  delete inFlight[item.id];
  running--;
  if (item.method !== YIELD) used--;
}

/**
 * Moves queued requests into free slots in the order they were made and reports them:
 * `{overflow, running, cancelled, requests}`. After an overflow nothing moves: the frontier of the stretch
 * that overflowed is refused as a whole.
 */
export function flush(): string {
  let requests = "";
  if (!overflow) {
    const kept = newList<Request>();
    for (let index = 0; index < queue.length; index++) {
      const item = queue[index]!;
      const free = item.method === YIELD;
      if (!free && used >= slots) {
        append(kept, item);
        continue;
      }
      inFlight[item.id] = item;
      running++;
      if (!free) {
        used++;
        queued--;
      }
      requests += `${requests === "" ? "" : ","}{"id":${quote(item.id)},"method":${quote(item.method)},"args":${quote(item.args)},"site":${quote(item.site)}}`;
    }
    queue = kept;
  }
  let dropped = "";
  for (let index = 0; index < cancelled.length; index++) {
    dropped += `${index === 0 ? "" : ","}${quote(cancelled[index]!)}`;
  }
  cancelled = newList();
  return `{"overflow":${overflow},"running":${running},"cancelled":[${dropped}],"requests":[${requests}]}`;
}

/** Settles a request with the JSON text of its reply or failure. Unknown and settled ids are ignored. */
export function settle(id: string, ok: boolean, json: string): void {
  const item = inFlight[id];
  if (item === undefined) return;
  finish(item);
  if (ok) {
    apply(item.resolve, undefined, [parseJson(json)]);
  } else {
    apply(item.reject, undefined, [requestError(parseJson(json) as FailurePayload, item.site)]);
  }
}
