import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import type { EffectiveTool, McpOperation } from "../../src/catalog/tool.js";
import { LIMIT_NAMES, LIMIT_RULES } from "../../src/config/limits.js";
import type { CellResult } from "../../src/runtime/types.js";
import { openSession } from "../support/cells.js";
import { projectRoot } from "../support/cli.js";

const page = readFileSync(join(projectRoot, "docs/cells.md"), "utf8");
const blocks = [...page.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(([, language, code]) => ({
  language: language!,
  code: code!,
}));

const closed = (properties: Record<string, unknown>, required: string[] = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const SHIPMENTS = [
  { id: "a", paid: true, tons: 5 },
  { id: "b", paid: false, tons: 12 },
  { id: "c", paid: false, tons: 20 },
];

function native(about: Partial<EffectiveTool>, run: (input: any) => unknown): EffectiveTool {
  return {
    name: "",
    description: "",
    source: "openclaw",
    owner: "shipping",
    ...about,
    execute: async ({ input }) => ({ content: [{ type: "text", text: "done" }], details: await run(input) }),
  };
}

function memo(
  toolName: string,
  operation: McpOperation,
  run: (input: any) => unknown,
  parameters: unknown = { type: "object" },
): EffectiveTool {
  return {
    name: toolName,
    source: "mcp",
    owner: "memo",
    description: `Memo ${toolName}.`,
    parameters,
    mcp: { serverName: "memo", safeServerName: "memo", toolName, operation },
    execute: async ({ input }) => run(input),
  };
}

const tools: EffectiveTool[] = [
  native(
    {
      name: "shipments_list",
      description: "List shipments.",
      parameters: closed({}),
      outputSchema: {
        type: "array",
        items: closed({ id: { type: "string" }, paid: { type: "boolean" }, tons: { type: "number" } }),
      },
    },
    () => SHIPMENTS,
  ),
  native(
    {
      name: "shipment_pay",
      description: "Pay a shipment.",
      parameters: closed({ id: { type: "string" } }),
      outputSchema: closed({ id: { type: "string" }, paid: { type: "boolean" } }),
    },
    ({ id }) => {
      if (!SHIPMENTS.some((one) => one.id === id)) throw new Error(`no shipment ${id}`);
      return { id, paid: true };
    },
  ),
  native(
    {
      name: "report_render",
      description: "Render a report.",
      parameters: closed({ pages: { type: "integer" } }),
    },
    async ({ pages }) => sleep(5, { pages }),
  ),
  memo(
    "add_note",
    "tool",
    (input) => ({ content: [{ type: "text", text: "noted" }], structuredContent: input }),
    closed({ text: { type: "string" }, priority: { type: "string", default: "normal" } }, ["text"]),
  ),
  memo("fail_now", "tool", () => ({ content: [{ type: "text", text: "no" }], isError: true })),
  memo("resources_list", "resources_list", () => ({ resources: [{ uri: "memo://one" }] })),
  memo("resources_read", "resources_read", ({ uri }) => ({ contents: [{ uri, text: "one" }] })),
];

const session = openSession({ tools });
afterAll(() => session.close());

const emitted = (result: CellResult): unknown[] =>
  result.output.map((entry) => ("text" in entry ? entry.text : "value" in entry ? entry.value : entry));

describe("docs/cells.md", () => {
  test("every code block is a cell", () => {
    expect(blocks.length).toBeGreaterThanOrEqual(26);
    for (const { language, code } of blocks) {
      expect(["javascript", "typescript"]).toContain(language);
      expect(code).toMatch(/^\/\/ cell\n/);
      expect(code).toMatch(/^\/\/ (=>|error:|saved:) /m);
    }
  });

  test.each(
    blocks.map(({ language, code }, index) => [`${index + 1}: ${code.split("\n")[1]}`, language, code]),
  )("block %s", async (_name, language, code) => {
    const claim = (name: string): string | undefined => code.match(new RegExp(`^// ${name} (.*)$`, "m"))?.[1];
    const output: unknown[] = [];
    let result = await session.exec({ code, language });
    output.push(...emitted(result));
    while (result.status === "waiting") {
      result = await session.wait({ runId: result.runId });
      output.push(...emitted(result));
    }
    const error = claim("error:");
    if (error !== undefined) {
      expect(result).toMatchObject({ status: "failed", error: error.replaceAll("\\n", "\n") });
    } else {
      if (result.status !== "completed") throw new Error(JSON.stringify(result));
      const saved = claim("saved:");
      if (saved !== undefined) {
        expect(result.value).toMatchObject({ truncated: true, reference: { count: Number(saved) } });
      } else expect(JSON.stringify(result.value)).toBe(claim("=>"));
      const warnings = result.warnings?.map(({ path, was }) => `${path}: ${was}`);
      if (claim("warnings:") !== undefined) expect(JSON.stringify(warnings)).toBe(claim("warnings:"));
    }
    if (claim("output:") !== undefined) expect(JSON.stringify(output)).toBe(claim("output:"));
  });

  test("the table of limits is that of the code", () => {
    for (const name of LIMIT_NAMES.filter((one) => one !== "mcpStartMs")) {
      const row = new RegExp(`^\\| \`${name}\` +\\| ([^|]+) \\| ([^|]+) – ([^|]+) \\|`, "m").exec(page);
      expect(row?.slice(1).map(amount), name).toEqual([
        LIMIT_RULES[name].default,
        LIMIT_RULES[name].min,
        LIMIT_RULES[name].max,
      ]);
    }
  });
});

/** `64 MiB` or `10,000` as a number. */
function amount(text: string): number {
  const [, digits, unit] = /^([\d,]+) ?(KiB|MiB|GiB)?$/.exec(text.trim())!;
  const factor = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }[unit ?? ""] ?? 1;
  return Number(digits!.replaceAll(",", "")) * factor;
}
