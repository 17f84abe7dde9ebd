/** Names that engines and inspectors probe on any object; a stub that answered them would mislead. */
const PROBED = new Set(["then", "toJSON", "constructor", "prototype", "inspect", "$$typeof", "nodeType"]);

/** `call`, `apply` and `bind` of a stub lead back to the stub. */
function isOfFunctions(name: string | symbol): boolean {
  return name === "call" || name === "apply" || name === "bind";
}

function isProbe(name: string | symbol): name is symbol {
  return typeof name === "symbol" || PROBED.has(name);
}

/** Listening for what never happens here is no failure; the answer ends the subscription. */
const SUBSCRIBES = /\.(on[A-Z]\w*|on|once|subscribe|addListener|addEventListener)$/;

/**
 * Stands for host parts that do not exist here (`api.runtime.channel`, ...). Reading through it and
 * subscribing to its events is fine; any other call of a part of it throws and names the part and the plugin.
 */
export function unavailable(path: string, pluginId: string): unknown {
  const children = new Map<string, unknown>();
  const fail = (): never => {
    throw new Error(`${path} is not available in this toolchain (used by plugin ${pluginId})`);
  };
  return new Proxy(function unavailableHostPart() {} as object, {
    get: (target, name) => {
      if (isProbe(name)) return undefined;
      if (isOfFunctions(name)) return Reflect.get(target, name);
      const known = children.get(name as string);
      if (known !== undefined) return known;
      const child = unavailable(`${path}.${String(name)}`, pluginId);
      children.set(name as string, child);
      return child;
    },
    apply: () => (SUBSCRIBES.test(path) ? () => {} : fail()),
    construct: fail,
  });
}

/** `known` first, everything else as `unavailable`. */
export function partlyAvailable<T extends object>(known: T, path: string, pluginId: string): T {
  return new Proxy(known, {
    get: (target, name, receiver) => {
      if (isProbe(name) || Reflect.has(target, name)) return Reflect.get(target, name, receiver);
      return unavailable(`${path}.${String(name)}`, pluginId);
    },
  });
}

/**
 * A registration surface that accepts anything: every call of it or of a part of it is reported to
 * `onCall` with its dotted path below the root and returns `undefined`.
 */
export function recorder(path: string, onCall: (path: string, args: readonly unknown[]) => void): unknown {
  return new Proxy(function recordedHostPart() {} as object, {
    get: (target, name) => {
      if (isProbe(name)) return undefined;
      return isOfFunctions(name) ? Reflect.get(target, name) : recorder(`${path}.${String(name)}`, onCall);
    },
    apply: (_target, _self, args: unknown[]) => {
      onCall(path, args);
      return undefined;
    },
  });
}
