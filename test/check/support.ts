import type { Catalog } from "../../src/catalog/types.js";
import { type CheckFinding, checkCell } from "../../src/check/check-cell.js";
import type { CellLanguage } from "../../src/runtime/types.js";
import { catalogOf, clientTool, mcpTool, nativeTool } from "../catalog/support.js";

const closed = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const string = { type: "string" };
const number = { type: "number" };

/** A catalog with every kind of tool a check has to tell apart. */
export const catalog: Catalog = catalogOf(
  nativeTool("orders_list", {
    description: "List orders.",
    parameters: closed(
      {
        since: string,
        limit: { type: "integer", minimum: 1, maximum: 100 },
        status: { enum: ["open", "paid", "closed"] },
        tags: { type: "array", items: string },
      },
      ["since"],
    ),
    outputSchema: closed({
      orders: {
        type: "array",
        items: closed({
          id: string,
          total: number,
          paid: { type: "boolean" },
          note: { type: ["string", "null"] },
        }),
      },
      count: { type: "integer" },
    }),
  }),
  nativeTool("shipping_list", {
    description: "List shipments.",
    parameters: closed({}),
    outputSchema: { type: "array", items: closed({ id: string, paid: { type: "boolean" }, tons: number }) },
  }),
  nativeTool("lookup", {
    description: "An open answer.",
    parameters: { type: "object", properties: { key: string }, required: ["key"] },
    outputSchema: { type: "object", properties: { hit: string }, required: ["hit"] },
  }),
  nativeTool("fetch_page", {
    description: "No declared output.",
    parameters: closed({ url: string, render: { type: "boolean" } }, ["url"]),
  }),
  nativeTool("either", {
    description: "One of two inputs, one of two outputs.",
    parameters: {
      anyOf: [closed({ id: string }), closed({ query: string, limit: { type: "integer" } }, ["query"])],
    },
    outputSchema: { anyOf: [closed({ found: string }), closed({ missing: { type: "boolean" } })] },
  }),
  nativeTool("jobs", {
    description: "Output by action.",
    parameters: closed({ action: { enum: ["list", "status"] } }),
    outputSchema: {
      anyOf: [closed({ items: { type: "array", items: string } }), closed({ ready: { type: "boolean" } })],
      "x-openclaw-input-discriminator": {
        version: 1,
        inputProperty: "action",
        mapping: { list: 0, status: 1 },
      },
    },
  }),
  nativeTool("lenient", {
    description: "Mends its arguments itself.",
    parameters: closed({ n: number }),
    prepareArguments: (input) => input,
  }),
  nativeTool("send-mail", {
    description: "A name that is no identifier.",
    parameters: closed({ to: string }),
  }),
  clientTool("select_file", { description: "Of the client.", parameters: closed({ hint: string }) }),
  mcpTool("github", "create_issue", {
    description: "Create an issue.",
    parameters: {
      type: "object",
      properties: { owner: string, repo: string, title: string, state: { type: "string", default: "open" } },
      required: ["owner", "repo", "title", "state"],
      additionalProperties: false,
    },
  }),
  mcpTool("github", "resources_read", {}, "resources_read"),
);

/** The catalog of a run without MCP servers. */
export const withoutMcp: Catalog = catalogOf(nativeTool("ping", { parameters: closed({}) }));

export async function check(
  source: string,
  language: CellLanguage = "javascript",
  more: { strict?: boolean; catalog?: Catalog } = {},
): Promise<CheckFinding[]> {
  return checkCell({ source, language, label: "cell", catalog, ...more });
}
