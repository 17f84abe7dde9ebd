import type { McpMember } from "../../catalog/types.js";
import { BridgeFailure } from "./failure.js";

/**
 * The one object a server's method is called with: the cell's own, with the method's top-level defaults
 * behind it. Fields the schema does not know pass through; the server decides.
 * @param args the call's own arguments, a parsed copy that may be changed
 * @throws BridgeFailure `tool_error` for more than one argument, a non-object, or missing required fields
 */
export function mcpInput(
  callableName: string,
  member: McpMember,
  args: readonly unknown[],
): Record<string, unknown> {
  const [given = {}, ...more] = args;
  const input = given ?? {};
  if (more.length > 0 || typeof input !== "object" || Array.isArray(input)) {
    throw new BridgeFailure(
      `${callableName} takes one object with named arguments, nothing else`,
      "tool_error",
    );
  }
  const missing = member.required.filter((name) => !Object.hasOwn(input, name));
  if (missing.length > 0) {
    throw new BridgeFailure(`${callableName} lacks required arguments: ${missing.join(", ")}`, "tool_error");
  }
  for (const [name, value] of Object.entries(member.defaults)) {
    if (Object.hasOwn(input, name)) continue;
    // Defined, not assigned: a property may be called `__proto__`.
    Object.defineProperty(input, name, {
      value: structuredClone(value),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return input as Record<string, unknown>;
}
