import { createHash } from "node:crypto";
import type { ModelTool } from "../catalog/model-view.js";
import { type Redactor, stringifyMasked } from "../text/redact.js";
import type { PayloadDetail } from "./flags.js";
import { writeDebugLine } from "./log.js";

/** Shows what a model would be sent, for `OPENCLAW_DEBUG_MODEL_PAYLOAD`. */
export interface PayloadLog {
  tools(tools: readonly ModelTool[]): void;
  /** The answer to one call of a visible tool. */
  result(tool: string, result: unknown, connection?: number): void;
}

/** Nothing is computed without a `detail`. */
export function createPayloadLog(detail: PayloadDetail | undefined, redact: Redactor): PayloadLog {
  if (detail === undefined) return { tools() {}, result() {} };
  const write: (name: string, fields: Parameters<typeof writeDebugLine>[3]) => void = (name, fields) =>
    writeDebugLine("model-payload", redact, name, fields);
  return {
    tools(tools) {
      const json = JSON.stringify(tools);
      write("tools", {
        count: tools.length,
        names: tools.map(({ name }) => name).join(","),
        bytes: Buffer.byteLength(json),
        // Caches of providers live on an unchanged prefix: two equal digests mean one.
        digest: createHash("sha256").update(json).digest("hex").slice(0, 12),
      });
      if (detail === "summary") return;
      for (const tool of tools) {
        write("tool", {
          name: tool.name,
          descriptionChars: tool.description.length,
          ...(detail === "tools"
            ? { parameters: JSON.stringify(tool.parameters) }
            : { definition: stringifyMasked(tool) }),
        });
      }
    },
    result(tool, result, connection) {
      const { status, code } = (result ?? {}) as { status?: unknown; code?: unknown };
      write("result", {
        connection,
        tool,
        status: typeof status === "string" ? status : undefined,
        code: typeof code === "string" ? code : undefined,
        bytes: Buffer.byteLength(JSON.stringify(result) ?? ""),
        ...(detail === "full-redacted" ? { payload: stringifyMasked(result) } : {}),
      });
    },
  };
}
