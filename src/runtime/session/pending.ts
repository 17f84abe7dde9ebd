import type { GuestReply, GuestRequest } from "../worker/protocol.js";

/** A request of the guest between its dispatch and the delivery of its reply. */
export interface PendingRequest {
  request: GuestRequest;
  startedAt: number;
  /** When its tool began. */
  begunAt?: number;
  reply?: GuestReply;
  /** The reply is on its way into the guest. */
  sent: boolean;
  /** Forgets the work behind the request. */
  cancel: () => void;
}

/** The requests of one run, in the order they were dispatched. Replies leave in the order they settled. */
export class PendingRequests {
  readonly #all = new Map<string, PendingRequest>();
  #settled: PendingRequest[] = [];

  add(request: GuestRequest, cancel: () => void): PendingRequest {
    const pending: PendingRequest = { request, startedAt: performance.now(), sent: false, cancel };
    this.#all.set(request.id, pending);
    return pending;
  }

  /** Keeps a reply until it is delivered; false for a request that is unknown or has one already. */
  settle(reply: GuestReply): boolean {
    const pending = this.#all.get(reply.id);
    if (pending === undefined || pending.reply !== undefined) return false;
    pending.reply = reply;
    this.#settled.push(pending);
    return true;
  }

  get(id: string): PendingRequest | undefined {
    return this.#all.get(id);
  }

  /** The cell has withdrawn a request. */
  withdraw(id: string): void {
    const pending = this.#all.get(id);
    if (pending === undefined) return;
    this.#all.delete(id);
    this.#settled = this.#settled.filter((other) => other !== pending);
    pending.cancel();
  }

  get hasReplies(): boolean {
    return this.#settled.some(({ sent }) => !sent);
  }

  get settledCount(): number {
    return this.#settled.length;
  }

  /** All replies to deliver now. */
  take(): GuestReply[] {
    const taken = this.#settled.filter(({ sent }) => !sent);
    for (const pending of taken) pending.sent = true;
    return taken.map(({ reply }) => reply!);
  }

  /** What `take` gave out has arrived; returns its ids. */
  delivered(): string[] {
    const arrived = this.#settled.filter(({ sent }) => sent).map(({ request }) => request.id);
    for (const id of arrived) this.#all.delete(id);
    this.#settled = this.#settled.filter(({ sent }) => !sent);
    return arrived;
  }

  /** Requests of one method that have no reply yet. */
  unsettled(method: string): PendingRequest[] {
    return [...this.#all.values()].filter(
      ({ request, reply }) => request.method === method && reply === undefined,
    );
  }

  /** Requests without a reply, in dispatch order. */
  unsettledRequests(): GuestRequest[] {
    return [...this.#all.values()].filter(({ reply }) => reply === undefined).map(({ request }) => request);
  }

  /** What the guest still waits for, in dispatch order. */
  list(): { id: string; method: string }[] {
    return [...this.#all.values()].map(({ request }) => ({ id: request.id, method: request.method }));
  }

  /** Forgets everything and the work behind it. */
  clear(): void {
    for (const { cancel } of this.#all.values()) cancel();
    this.#all.clear();
    this.#settled = [];
  }
}
