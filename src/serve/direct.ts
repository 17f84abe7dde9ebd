import { buildCatalog } from "../catalog/build.js";
import type { Approver, ToolHooks } from "../catalog/hooks.js";
import type { EffectiveTool } from "../catalog/tool.js";
import type { CatalogEntry } from "../catalog/types.js";
import type { CodeModeLimits } from "../config/limits.js";
import { createCallOrder } from "../runtime/bridge/call-order.js";
import { messageChain } from "../runtime/bridge/failure.js";
import { performCall } from "../runtime/bridge/tool-call.js";
import type { RuntimeEvent } from "../runtime/types.js";

export interface DirectCall {
  name: string;
  input: unknown;
  toolCallId: string;
  signal: AbortSignal;
}

export interface DirectOptions {
  limits: CodeModeLimits;
  hooks: ToolHooks;
  approve: Approver;
  onEvent: ((event: RuntimeEvent) => void) | undefined;
}

/** An answer to `tools/call`. */
export type ToolAnswer = Record<string, unknown>;

/** Tools a client calls without a cell, by the same path as nested calls: contract, hooks, approval, order. */
export class DirectTools {
  readonly #entries = new Map<string, CatalogEntry>();
  readonly #options: DirectOptions;
  readonly #order = createCallOrder();

  constructor(tools: readonly EffectiveTool[], options: DirectOptions) {
    this.#options = options;
    // A catalog of their own, in which being direct does not keep them out.
    const catalog = buildCatalog(
      tools.map(({ catalogMode: _, ...tool }) => tool),
      options.limits,
    );
    for (const entry of [...catalog.entries, ...catalog.mcpEntries])
      this.#entries.set(entry.tool.name, entry);
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  async call({ name, input, toolCallId, signal }: DirectCall): Promise<ToolAnswer> {
    const entry = this.#entries.get(name)!;
    const operation = entry.tool.mcp?.operation;
    const { hooks, approve, onEvent } = this.#options;
    try {
      const { result, json } = await performCall(
        {
          entry,
          input,
          ...(operation === undefined ? {} : { operation }),
          runId: toolCallId,
          toolCallId,
          parentToolCallId: toolCallId,
          signal,
          parent: undefined,
        },
        {
          order: this.#order,
          hooks,
          approve,
          // The call itself is the outer one here, and recorded as such.
          onEvent: (event) => event.type !== "call" && onEvent?.(event),
          countFailure: () => {},
        },
      );
      return answerOf(result, json);
    } catch (error) {
      return { content: [{ type: "text", text: messageChain(error) }], isError: true };
    }
  }
}

function answerOf(result: unknown, json: string): ToolAnswer {
  const { content, structuredContent, isError } = (result ?? {}) as Record<string, unknown>;
  const details: unknown = structuredContent ?? (JSON.parse(json) as unknown);
  const isObject = typeof details === "object" && details !== null && !Array.isArray(details);
  return {
    content: Array.isArray(content) && content.length > 0 ? content : [{ type: "text", text: json }],
    ...(isObject ? { structuredContent: details } : {}),
    ...(isError === true ? { isError: true } : {}),
  };
}
