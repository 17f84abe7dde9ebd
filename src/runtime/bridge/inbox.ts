import { utf8Bytes } from "../output/json-text.js";
import type { BridgeReply } from "./types.js";

/**
 * Replies of one cell that have settled and not been delivered, bounded in bytes. The allowance spans
 * all legs and is free again once a reply is delivered; it is no quota on the sum.
 */
export interface ReplyInbox {
  /**
   * The reply to keep for a request: the one given, or, when it does not fit, a short error without a
   * code that keeps nothing of it.
   */
  admit(id: string, reply: BridgeReply): BridgeReply;
  /** Frees what the reply of this request took. */
  delivered(id: string): void;
  clear(): void;
  readonly usedBytes: number;
}

export function createReplyInbox(options: { maxBytes: number }): ReplyInbox {
  const sizes = new Map<string, number>();
  let usedBytes = 0;
  return {
    admit(id, reply) {
      const bytes = utf8Bytes(reply.ok ? reply.json : reply.message);
      if (usedBytes + bytes > options.maxBytes) {
        return {
          ok: false,
          message: `the reply (${bytes} bytes) does not fit: replies waiting for a cell may take ${options.maxBytes} bytes together, ${usedBytes} are taken; ask for less, page, or make fewer calls at once`,
        };
      }
      sizes.set(id, bytes);
      usedBytes += bytes;
      return reply;
    },
    delivered(id) {
      usedBytes -= sizes.get(id) ?? 0;
      sizes.delete(id);
    },
    clear() {
      sizes.clear();
      usedBytes = 0;
    },
    get usedBytes() {
      return usedBytes;
    },
  };
}
