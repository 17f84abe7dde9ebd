import { callSite, localError, newPromise } from "./errors.js";
import { construct, descriptorOf, ProxyType } from "./primordials.js";
import { quote } from "./text.js";

/**
 * `holder` as the namespace of a server that cannot be reached: any member a cell may name there can be
 * called, at any depth, and rejects with the reason instead of failing as a member of undefined.
 */
export function unavailableServer(holder: object, serverName: string, reason: string): object {
  const message = `server ${quote(serverName)} is unavailable: ${reason}`;
  const member = (): unknown =>
    proxied(() => {
      const site = callSite();
      return newPromise((_, reject) => reject(localError(message, "tool_error", site)));
    });
  const proxied = (target: object): object =>
    construct(ProxyType, [
      target,
      {
        __proto__: null,
        get: (own: Record<PropertyKey, unknown>, key: PropertyKey): unknown => {
          if (descriptorOf(own, key) !== undefined) return own[key];
          // Neither awaiting the namespace nor printing it is a call.
          return typeof key === "symbol" || key === "then" || key === "toJSON" ? undefined : member();
        },
      },
    ]) as object;
  return proxied(holder);
}
